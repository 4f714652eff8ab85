/**
 * The text of an API key: `svc_live_` or `svc_test_`, 32 random letters and digits, 6 more as a checksum of all before
 * them. The checksum tells a mistyped key from an unknown one without asking the storage.
 */
import { Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { TextDigest } from "../secret/Sha256.ts"
import type { Mode } from "../value/Mode.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const form = /^svc_(live|test)_[0-9A-Za-z]{32,200}$/
const randomLength = 32
const checksumLength = 6

/** A fresh key for `mode`. Uniform over about 2^190 texts. */
export const generateApiKey = Effect.fnUntraced(function* (mode: Mode) {
  const random = yield* SecureRandom.SecureRandom
  let text = mode === "live" ? "svc_live_" : "svc_test_"
  for (let i = 0; i < randomLength; i++) text += alphabet.charAt(yield* random.intBetween(0, alphabet.length - 1))
  return Redacted.make(text + checksum(text, yield* TextDigest))
})

/** Whether the text has the form of a key, checksum included. */
export const isWellFormed = (key: Redacted.Redacted, digest: TextDigest): boolean => {
  const text = Redacted.value(key)
  return form.test(text) && text.slice(-checksumLength) === checksum(text.slice(0, -checksumLength), digest)
}

/** What is stored of a key: its SHA-256, hexadecimal. A random key needs no slow hash. */
export const digestOf = (key: Redacted.Redacted, digest: TextDigest): string => digest(Redacted.value(key), "hex")

/** The last characters of the key, by which its owner recognises it. */
export const lastCharacters = (key: Redacted.Redacted): string => Redacted.value(key).slice(-4)

const checksum = (text: string, digest: TextDigest): string => {
  const bytes = digest(text, "hex")
  let sum = ""
  for (let i = 0; i < checksumLength; i++) {
    sum += alphabet.charAt(Number.parseInt(bytes.slice(2 * i, 2 * i + 2), 16) % alphabet.length)
  }
  return sum
}
