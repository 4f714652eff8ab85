/** Names for requests: the client's own where it is sane, else a fresh one. */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { Hex } from "effect/encoding"

/** A name that logs and headers can hold as it is. */
const sane = /^[A-Za-z0-9._:-]{1,128}$/

/** Makes names: random per process, counted within it, so that they are unique and cost nothing. */
export const make: Effect.Effect<(sent: string | undefined) => string, never, SecureRandom.SecureRandom> = Effect.map(
  SecureRandom.SecureRandom.use((random) => random.randomBytes(8)),
  (bytes) => {
    const prefix = Hex.encode(bytes)
    let count = 0
    return (sent) =>
      sent !== undefined && sane.test(sent) ? sent : `${prefix}${(count++).toString(36).padStart(7, "0")}`
  }
)
