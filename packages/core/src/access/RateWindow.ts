/** Fixed windows of one UTC minute that requests are counted in (interface specification, Limits). Pure. */

/** Length of a window. */
export const windowMs = 60_000

/** GET requests and all others are counted apart. */
export type RequestKind = "read" | "write"

/** Start of the window that an instant lies in. */
export const startOf = (now: number): number => Math.floor(now / windowMs) * windowMs

/** Where a caller stands after a request was counted. */
export interface RateStanding {
  readonly allowed: boolean
  readonly limit: number
  /** Requests left in the window; 0 if this one was refused. */
  readonly remaining: number
  /** When the window ends and the counter restarts, milliseconds. */
  readonly resetAt: number
  /** Whole seconds until `resetAt`, at least 1. */
  readonly retryAfterSeconds: number
}

/** Standing after the `count`-th request of the window that `now` lies in. */
export const standing = (count: number, limit: number, now: number): RateStanding => {
  const resetAt = startOf(now) + windowMs
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resetAt,
    retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now) / 1000))
  }
}
