import type { ConnectionId, OrganizationId } from "../../value/Ids.ts"

/**
 * How many calls this process may make of the provider: so many a second in all and for each cashier, so many at once,
 * and none for a cashier that the provider has asked to wait. Organizations share what may run at once: none takes more
 * than it leaves to the others, and what could not wait is charged to its own organization alone. Plain bookkeeping: no
 * effect, no clock.
 */

/** The limits. */
export interface CallLimits {
  readonly callsPerSecond: number
  readonly callsPerSecondOfCashier: number
  /** Of calls that can wait, in all. */
  readonly callsAtOnce: number
  readonly callsAtOnceOfCashier: number
}

/** Whose call it is. */
export interface Cashier {
  readonly id: string
  readonly organizationId: OrganizationId
}

/** Gives a call back that has ended. To be called once. */
export type End = () => void

interface Bucket {
  tokens: number
  filledAt: number
  running: number
  pausedUntil: number
}

/** How long a job waits that would take more than its cashier's or its organization's share. */
const crowdedMs = 500
/** Buckets unused for so long are full, and forgotten. */
const idleMs = 60_000
const maxBuckets = 10_000

/** A budget of which nothing is spent. */
export const make = (limits: CallLimits) => {
  const total: Bucket = { tokens: limits.callsPerSecond, filledAt: 0, running: 0, pausedUntil: 0 }
  const buckets = new Map<string, Bucket>()
  /** Calls under way of each organization, those that could not wait included. */
  const ofOrganizations = new Map<string, number>()
  let waitedFor = 0

  const bucketOf = (cashierId: ConnectionId, now: number): Bucket => {
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

  const underWay = (organizationId: OrganizationId) => ofOrganizations.get(organizationId) ?? 0

  const count = (bucket: Bucket, organizationId: OrganizationId, step: 1 | -1) => {
    const left = underWay(organizationId) + step
    if (left === 0) ofOrganizations.delete(organizationId)
    else ofOrganizations.set(organizationId, left)
    bucket.running += step
    total.running += step
  }

  const take = (bucket: Bucket, organizationId: OrganizationId): End => {
    bucket.tokens -= 1
    // What could not wait leaves no debt that others would have to pay.
    total.tokens = Math.max(0, total.tokens - 1)
    count(bucket, organizationId, 1)
    return () => count(bucket, organizationId, -1)
  }

  return {
    /** Takes a call. Answers when to ask again if there is none. */
    begin: ({ id, organizationId }: Cashier, now: number): End | { readonly waitMs: number } => {
      const bucket = bucketOf(id, now)
      fill(total, limits.callsPerSecond, now)
      fill(bucket, limits.callsPerSecondOfCashier, now)
      if (bucket.pausedUntil > now) return { waitMs: bucket.pausedUntil - now }
      const waitMs = Math.max(waitFor(total, limits.callsPerSecond), waitFor(bucket, limits.callsPerSecondOfCashier))
      if (waitMs > 0) return { waitMs }
      const free = limits.callsAtOnce - waitedFor
      const isCrowded = bucket.running >= limits.callsAtOnceOfCashier || free <= underWay(organizationId)
      if (isCrowded) return { waitMs: crowdedMs }
      const end = take(bucket, organizationId)
      waitedFor++
      return () => {
        waitedFor--
        end()
      }
    },
    /** A call was made that could not wait: a create, a refund, a read with `live=1`. */
    force: ({ id, organizationId }: Cashier, now: number): End => {
      const bucket = bucketOf(id, now)
      fill(total, limits.callsPerSecond, now)
      fill(bucket, limits.callsPerSecondOfCashier, now)
      return take(bucket, organizationId)
    },
    /** No call for this cashier before `until`. */
    pause: (cashierId: ConnectionId, until: number): void => {
      const bucket = buckets.get(cashierId)
      if (bucket !== undefined) bucket.pausedUntil = Math.max(bucket.pausedUntil, until)
    },
    running: () => total.running
  }
}

/** How many calls may still be made at the provider. */
export interface CallBudget extends ReturnType<typeof make> {}
