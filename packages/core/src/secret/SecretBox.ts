/** Secrets at rest: AES-256-GCM, with keys that can be rotated. */
import { Context, Data, Effect, Layer, Redacted, Result } from "effect"
import { Aead, Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { makeRowSealer, type RowSealer } from "./RowSeals.ts"
import { weaknessOf } from "./SecretStrength.ts"

/** A sealed secret cannot be opened: its key is not among the configured ones, or the text was altered. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly keyId: string }> {
  override readonly message =
    `the secrets that are stored were sealed with other secret keys than those given here (key ${this.keyId}); ` +
    "give the keys that sealed them too, behind the new one"
}

/**
 * Seals and opens secrets. `context` says what the secret belongs to (a row's id, say); a sealed text opens in its own
 * context only, so that it cannot be moved to another row.
 */
export class SecretBox extends Context.Service<
  SecretBox,
  {
    readonly seal: (secret: Redacted.Redacted, context: string) => Effect.Effect<string>
    readonly open: (sealed: string, context: string) => Effect.Effect<Redacted.Redacted, SecretUnreadable>
    /** Names the key that seals, without telling anything of it. */
    readonly keyId: string
    /** Seals of rows, with keys derived from the same texts. */
    readonly rows: RowSealer
  }
>()("@tolem/core/SecretBox") {}

const algorithm = Aead.aes256Gcm
const version = "v1"
const utf8 = new TextEncoder()

interface NamedKey {
  readonly id: string
  readonly key: Aead.Key
}

/** What a box is made with. */
export type Requirements = Aead.Aead | Digest.Digest | SecureRandom.SecureRandom

/**
 * The box with these keys, each any text with enough entropy: the first seals, all open. To rotate, put the new key in
 * front and keep the old one until everything is sealed anew. A key that can be guessed is a defect, whose message does
 * not repeat it.
 */
export const layer = (
  keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
): Layer.Layer<SecretBox, never, Requirements> => Layer.effect(SecretBox, make(keys))

const make = Effect.fnUntraced(function* (keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]) {
  for (const key of keys) {
    const weakness = weaknessOf(Redacted.value(key))
    if (weakness !== undefined) throw new Error(`Secret keys: ${weakness}`)
  }
  const aead = yield* Aead.Aead
  const digest = yield* Digest.Digest
  const random = yield* SecureRandom.SecureRandom

  const named = Effect.fnUntraced(function* (text: Redacted.Redacted) {
    const bytes = yield* digest.digest(Digest.sha256, utf8.encode(`tolem secret box ${Redacted.value(text)}`))
    // The name is a digest of the digest: it tells keys apart and leads back to neither.
    const id = (yield* digest.digestHex(Digest.sha256, bytes)).slice(0, 12)
    return { id, key: yield* Effect.orDie(Aead.key(algorithm, bytes)) } satisfies NamedKey
  })
  const sealing = yield* named(keys[0])
  const all = new Map<string, NamedKey>([[sealing.id, sealing]])
  for (const text of keys.slice(1)) {
    const other = yield* named(text)
    all.set(other.id, other)
  }

  const seal = Effect.fnUntraced(function* (secret: Redacted.Redacted, context: string) {
    const nonce = yield* random.randomBytes(algorithm.nonceLength)
    const aad = utf8.encode(context)
    const sealed = yield* Effect.orDie(aead.encrypt(sealing.key, utf8.encode(Redacted.value(secret)), { nonce, aad }))
    return [version, sealing.id, Base64Url.encode(nonce), Base64Url.encode(sealed)].join(".")
  })

  const open = Effect.fnUntraced(function* (sealed: string, context: string) {
    const [, keyId = "", nonceText = "", cipherText = ""] = sealed.split(".")
    const unreadable = new SecretUnreadable({ keyId })
    const key = all.get(keyId)?.key
    const nonce = Base64Url.decode(nonceText)
    const bytes = Base64Url.decode(cipherText)
    if (key === undefined || Result.isFailure(nonce) || Result.isFailure(bytes)) return yield* unreadable
    const options = { nonce: nonce.success, aad: utf8.encode(context) }
    const plain = yield* Effect.mapError(aead.decrypt(key, bytes.success, options), () => unreadable)
    return Redacted.make(new TextDecoder().decode(plain))
  })

  return { seal, open, keyId: sealing.id, rows: yield* makeRowSealer(keys) }
})
