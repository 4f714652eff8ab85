/**
 * How many calls this process may make of the provider: so many a second in all and for each cashier, so many at once,
 * and none for a cashier that the provider has asked to wait. Plain bookkeeping: no effect, no clock.
 */

/** The limits. */
export interface Limits {
  readonly callsPerSecond: number
  readonly callsPerSecondOfCashier: number
  readonly callsAtOnce: number
  readonly callsAtOnceOfCashier: number
}

/** See the file's head. */
export interface CallBudget {
  /** Takes a call; it must be given back with `end`. Answers when to ask again where there is none. */
  readonly begin: (cashierId: string, now: number) => { readonly waitMs: number } | undefined
  /** A call was made that could not wait: a create, a refund, a read with `live=1`. */
  readonly force: (cashierId: string, now: number) => void
  readonly end: (cashierId: string) => void
  /** No call for this cashier before `until`. */
  readonly pause: (cashierId: string, until: number) => void
  readonly running: () => number
}

interface Bucket {
  tokens: number
  filledAt: number
  running: number
  pausedUntil: number
}

/** How long a job waits whose cashier has all its calls under way. */
const crowdedMs = 500
/** Buckets that nobody has used for so long are full, and forgotten. */
const idleMs = 60_000
const maxBuckets = 10_000

/** A budget of which nothing is spent. */
export const make = (limits: Limits): CallBudget => {
  const total: Bucket = { tokens: limits.callsPerSecond, filledAt: 0, running: 0, pausedUntil: 0 }
  const buckets = new Map<string, Bucket>()

  const bucketOf = (cashierId: string, now: number): Bucket => {
    let bucket = buckets.get(cashierId)
    if (bucket === undefined) {
      if (buckets.size >= maxBuckets) sweep(now)
      bucket = { tokens: limits.callsPerSecondOfCashier, filledAt: now, running: 0, pausedUntil: 0 }
      buckets.set(cashierId, bucket)
    }
    return bucket
  }

  const sweep = (now: number) => {
    for (const [id, bucket] of buckets) {
      if (bucket.running === 0 && bucket.filledAt < now - idleMs && bucket.pausedUntil < now) buckets.delete(id)
    }
  }

  const fill = (bucket: Bucket, perSecond: number, now: number) => {
    const elapsed = Math.max(0, now - bucket.filledAt)
    bucket.tokens = Math.min(perSecond, bucket.tokens + (elapsed * perSecond) / 1000)
    bucket.filledAt = now
  }

  const waitFor = (bucket: Bucket, perSecond: number): number =>
    bucket.tokens >= 1 ? 0 : Math.ceil(((1 - bucket.tokens) * 1000) / perSecond)

  const take = (bucket: Bucket) => {
    bucket.tokens -= 1
    bucket.running++
    total.tokens -= 1
    total.running++
  }

  return {
    begin: (cashierId, now) => {
      const bucket = bucketOf(cashierId, now)
      fill(total, limits.callsPerSecond, now)
      fill(bucket, limits.callsPerSecondOfCashier, now)
      if (bucket.pausedUntil > now) return { waitMs: bucket.pausedUntil - now }
      const waitMs = Math.max(waitFor(total, limits.callsPerSecond), waitFor(bucket, limits.callsPerSecondOfCashier))
      if (waitMs > 0) return { waitMs }
      const crowded = bucket.running >= limits.callsAtOnceOfCashier || total.running >= limits.callsAtOnce
      if (crowded) return { waitMs: crowdedMs }
      take(bucket)
      return undefined
    },
    force: (cashierId, now) => {
      const bucket = bucketOf(cashierId, now)
      fill(total, limits.callsPerSecond, now)
      fill(bucket, limits.callsPerSecondOfCashier, now)
      take(bucket)
    },
    end: (cashierId) => {
      const bucket = buckets.get(cashierId)
      if (bucket !== undefined) bucket.running--
      total.running--
    },
    pause: (cashierId, until) => {
      const bucket = buckets.get(cashierId)
      if (bucket !== undefined) bucket.pausedUntil = Math.max(bucket.pausedUntil, until)
    },
    running: () => total.running
  }
}
