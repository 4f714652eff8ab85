/**
 * The headers that authenticate an attempt (interface specification, Events), and beside them the three of the Standard
 * Webhooks specification, so that its verifiers work as they are.
 */
import { Effect, Redacted, Result } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Base64, Hex } from "effect/encoding"
import type { Delivery, Endpoint } from "../Webhook.ts"

const prefix = "whsec_"
const secretBytes = 32
const utf8 = new TextEncoder()

/** A fresh secret: `whsec_` and the base64 of 32 random bytes. */
export const generateSecret: Effect.Effect<Redacted.Redacted, never, SecureRandom.SecureRandom> =
  SecureRandom.SecureRandom.use((random) =>
    Effect.map(random.randomBytes(secretBytes), (bytes) => Redacted.make(prefix + Base64.encode(bytes)))
  )

/** What is signed, and for whom. `now` in milliseconds; headers carry whole seconds. */
export interface Signing {
  readonly delivery: Pick<Delivery, "id" | "kind">
  readonly endpoint: Pick<Endpoint, "secret" | "previousSecret">
  readonly body: string
  readonly now: number
}

/**
 * All headers that authenticate an attempt. `X-Webhook-Signature` is keyed with the whole text of the secret,
 * `webhook-signature` with the bytes that its base64 part stands for. While a rotation is young, the old secret signs
 * as well: in `X-Webhook-Signature-Previous`, and as the second one of `webhook-signature`.
 */
export const headersOf = Effect.fnUntraced(function* ({ delivery, endpoint, body, now }: Signing) {
  const { secret, previousSecret } = endpoint
  const previous = previousSecret !== null && now < previousSecret.until ? previousSecret.secret : null
  const timestamp = String(Math.floor(now / 1000))
  const own = utf8.encode(`${timestamp}.${body}`)
  const standard = utf8.encode(`${delivery.id}.${timestamp}.${body}`)
  const standardSignature = yield* standardOf(secret, standard)
  return {
    "X-Webhook-Event": delivery.kind,
    "X-Webhook-Timestamp": timestamp,
    "X-Webhook-Signature": yield* ownSignature(secret, own),
    ...(previous !== null && { "X-Webhook-Signature-Previous": yield* ownSignature(previous, own) }),
    "X-Webhook-Delivery": delivery.id,
    "webhook-id": delivery.id,
    "webhook-timestamp": timestamp,
    "webhook-signature":
      previous === null ? standardSignature : `${standardSignature} ${yield* standardOf(previous, standard)}`
  } satisfies Readonly<Record<string, string>>
})

const ownSignature = (secret: Redacted.Redacted, signed: Uint8Array) =>
  Effect.map(hmac(secret, "own", signed), (tag) => `sha256=${Hex.encode(tag)}`)

const standardOf = (secret: Redacted.Redacted, signed: Uint8Array) =>
  Effect.map(hmac(secret, "standard", signed), (tag) => `v1,${Base64.encode(tag)}`)

type Key = Mac.Key<typeof Mac.hmacSha256>

/** Keys of secrets that were claimed: one claim brings many deliveries of an endpoint, and its secret once. */
const keys = { own: new WeakMap<Redacted.Redacted, Key>(), standard: new WeakMap<Redacted.Redacted, Key>() }

const hmac = (secret: Redacted.Redacted, which: keyof typeof keys, signed: Uint8Array) =>
  Mac.Mac.use((mac) => {
    const known = keys[which].get(secret)
    if (known !== undefined) return Effect.orDie(mac.sign(known, signed))
    const bytes = which === "own" ? utf8.encode(Redacted.value(secret)) : bytesOf(secret)
    // Secrets are made above, so a key that cannot be used is a bug, not a circumstance.
    return Effect.orDie(
      Effect.flatMap(Mac.key(Mac.hmacSha256, bytes), (key) => {
        keys[which].set(secret, key)
        return mac.sign(key, signed)
      })
    )
  })

// A secret that was not made above has no base64 part; its text is then the key, as the verifiers have it.
const bytesOf = (secret: Redacted.Redacted): Uint8Array => {
  const text = Redacted.value(secret)
  const decoded = Base64.decode(text.startsWith(prefix) ? text.slice(prefix.length) : text)
  return Result.isSuccess(decoded) ? decoded.success : utf8.encode(text)
}
