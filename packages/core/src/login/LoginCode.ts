/** The code of a login: six digits, kept as a keyed digest that holds for its own challenge only. */
import { Effect, Redacted } from "effect"
import { Mac, SecureRandom } from "effect/crypto"
import { Base64Url, Hex } from "effect/encoding"
import type { ChallengeId } from "../value/Ids.ts"
import type { Challenge } from "./Challenge.ts"

const digits = 6
const keyBytes = 32
const form = /^[0-9]{6}$/
const utf8 = new TextEncoder()

/**
 * A fresh code for the challenge with this id, what is kept of it, and the key of that. Uniform over all codes. With
 * `purpose` the code holds for that alone: as that of a login it is wrong.
 */
export const generate = Effect.fnUntraced(function* (challengeId: ChallengeId, purpose = "") {
  const random = yield* SecureRandom.SecureRandom
  const number = yield* random.intBetween(0, 10 ** digits - 1)
  const code = Redacted.make(String(number).padStart(digits, "0"))
  const key = Redacted.make(Base64Url.encode(yield* random.randomBytes(keyBytes)))
  return { code, key, digest: Hex.encode(yield* tagOf(challengeId, key, code, purpose)) }
})

/** Whether it is the challenge's code. Takes as long for a wrong one. */
export const matches = Effect.fnUntraced(function* (
  { id, key, digest }: Pick<Challenge, "id" | "key" | "digest">,
  code: Redacted.Redacted,
  purpose = ""
) {
  const tag = Hex.encode(yield* tagOf(id, key, code, purpose))
  return Mac.timingSafeEqual(utf8.encode(tag), utf8.encode(digest))
})

/** Whether the text could be a code. */
export const isWellFormed = (code: Redacted.Redacted): boolean => form.test(Redacted.value(code))

const tagOf = Effect.fnUntraced(function* (
  challengeId: ChallengeId,
  key: Redacted.Redacted,
  code: Redacted.Redacted,
  purpose: string
) {
  const mac = yield* Mac.Mac
  // Keys are made above, so one that cannot be used is a bug, not a circumstance.
  const imported = yield* Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(Redacted.value(key))))
  return yield* Effect.orDie(mac.sign(imported, utf8.encode(`${challengeId}.${Redacted.value(code)}${purpose}`)))
})
