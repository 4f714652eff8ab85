/** Digests of requests, to tell a repetition from another request under the same idempotency key. */
import type { Effect } from "effect"
import { Digest } from "effect/crypto"

/** SHA-256 in hexadecimal of what was asked. */
export const fingerprintOf = (digest: Digest.Digest["Service"], asked: object): Effect.Effect<string> =>
  digest.digestHex(Digest.sha256, new TextEncoder().encode(JSON.stringify(asked)))
