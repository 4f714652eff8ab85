/** The text that a session is used with: `cab_` and 32 random bytes in base64url. Nothing can be read from it. */
import { Effect, Redacted } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

const prefix = "cab_"
const randomBytes = 32
const form = /^cab_[A-Za-z0-9_-]{43}$/
const utf8 = new TextEncoder()

/** A fresh token. */
export const generate: Effect.Effect<Redacted.Redacted, never, SecureRandom.SecureRandom> =
  SecureRandom.SecureRandom.use((random) =>
    Effect.map(random.randomBytes(randomBytes), (bytes) => Redacted.make(prefix + Base64Url.encode(bytes)))
  )

/** Whether the text could be a token. Others never reach the storage. */
export const isWellFormed = (token: Redacted.Redacted): boolean => form.test(Redacted.value(token))

/** What is stored of a token: its SHA-256, hexadecimal. A random token needs no slow hash. */
export const digestOf = Effect.fnUntraced(function* (token: Redacted.Redacted) {
  const digest = yield* Digest.Digest
  return yield* digest.digestHex(Digest.sha256, utf8.encode(Redacted.value(token)))
})
