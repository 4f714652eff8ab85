/** Digests of requests, to tell a repetition from another request under the same idempotency key. */
import type { TextDigest } from "./Sha256.ts"

/** SHA-256 in hexadecimal of what was asked. */
export const fingerprintOf = (asked: object, digest: TextDigest): string => digest(JSON.stringify(asked), "hex")
