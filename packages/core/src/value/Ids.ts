/**
 * Identifiers that sort by time: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32, lower case.
 * Rows are appended to their index, pages by (created, id) are ranges, and nobody can guess a neighbour's identifier.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

/** What an identifier names, as its prefix. */
export type Prefix =
  | "aud"
  | "trf"
  | "ern"
  | "chl"
  | "ses"
  | "con"
  | "prc"
  | "sub"
  | "mai"
  | "inv"
  | "evt"
  | "ref"
  | "org"
  | "acc"
  | "key"
  | "whe"
  | "dlv"
  | "att"
  | "lnk"
  | "hok"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Identifier of 26 characters from an instant (milliseconds) and ten random bytes. Pure. */
export const encode = (prefix: Prefix, atMs: number, random: Uint8Array): string => {
  let time = ""
  for (let rest = atMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet.charAt(rest % 32) + time
  let tail = ""
  for (let i = 0, bits = 0, buffer = 0; i < 10; i++) {
    buffer = ((buffer << 8) | (random[i] ?? 0)) & 0x1fff
    for (bits += 8; bits >= 5; bits -= 5) tail += alphabet.charAt((buffer >>> (bits - 5)) & 31)
  }
  return `${prefix}_${time}${tail}`
}

const bytesPerId = 10
const idsPerDraw = 256

/** Makes identifiers from the clock and the random-bytes port. Never repeats one. */
export class Ids extends Context.Service<
  Ids,
  {
    readonly next: (prefix: Prefix) => Effect.Effect<string>
  }
>()("@tolem/core/Ids") {
  /** Draws random bytes in blocks; every identifier has 80 fresh bits of them. */
  static readonly layer: Layer.Layer<Ids, never, SecureRandom.SecureRandom> = Layer.effect(
    Ids,
    Effect.gen(function* () {
      const random = yield* SecureRandom.SecureRandom
      let block = new Uint8Array(0)
      let used = 0
      const next = Effect.fnUntraced(function* (prefix: Prefix) {
        while (used + bytesPerId > block.length) {
          const drawn = yield* random.randomBytes(bytesPerId * idsPerDraw)
          block = new Uint8Array(drawn)
          used = 0
        }
        const bytes = block.subarray(used, used + bytesPerId)
        used += bytesPerId
        const now = yield* Clock.currentTimeMillis
        return encode(prefix, now, bytes)
      })
      return { next }
    })
  )
}
