/** A login that has begun: a code is on its way to a phone. Pure. */
import type { Redacted } from "effect"
import type { ChallengeId } from "../value/Ids.ts"

/** A login as it is kept. It ends with its time, with the right code, or with too many wrong ones. */
export interface Challenge {
  readonly id: ChallengeId
  /** Phone that the code was sent to, 7XXXXXXXXXX, with or without an account. */
  readonly phone: string
  /** Name of the channel that carries the code. */
  readonly channel: string
  /** HMAC-SHA256 of the code, hexadecimal: the code itself is kept nowhere. */
  readonly digest: string
  /** What the digest is keyed with, since six digits are soon tried out. A secret: sealed at rest. */
  readonly key: Redacted.Redacted
  /** Stands for the network that the code was asked from; null if it is unknown. */
  readonly addressDigest: string | null
  /** Codes that were tried. */
  readonly tries: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly usedAt: number | null
}

/** How many codes may be asked for. */
export interface CodeLimits {
  /** Between two codes for a phone. */
  readonly waitMs: number
  /** Codes for a phone in any period. */
  readonly perPhone: number
  /** Codes that one network may ask for in any period, for whatever phones. */
  readonly perAddress: number
  readonly periodMs: number
}

/** When codes were asked for, newest first; as many as the limits count, and none older than a period. */
export interface Earlier {
  readonly ofPhone: ReadonlyArray<number>
  /** Empty if the address is unknown. */
  readonly ofAddress: ReadonlyArray<number>
}

/** The instant from which on another code may be asked for; it may lie behind. */
export const allowedAt = ({ ofPhone, ofAddress }: Earlier, limits: CodeLimits): number => {
  const [last] = ofPhone
  return Math.max(
    last === undefined ? Number.NEGATIVE_INFINITY : last + limits.waitMs,
    leaves(ofPhone, limits.perPhone, limits.periodMs),
    leaves(ofAddress, limits.perAddress, limits.periodMs)
  )
}

/** When the oldest of `limit` leaves the period that it counts in. */
const leaves = (newestFirst: ReadonlyArray<number>, limit: number, periodMs: number): number => {
  if (limit <= 0) return Number.POSITIVE_INFINITY
  const oldest = newestFirst[limit - 1]
  return oldest === undefined ? Number.NEGATIVE_INFINITY : oldest + periodMs
}
