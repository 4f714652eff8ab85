/** What an attempt means for its delivery and its endpoint: the ladder of retries, and the pauses. Pure. */
import type { Endpoint } from "../Webhook.ts"
import type { WebhookSettings } from "../WebhookSettings.ts"
import { AttemptOutcome } from "../WebhookStore.ts"

/** How an endpoint has fared lately. */
export type EndpointHealth = Pick<Endpoint, "failureCount" | "pauseCount" | "pausedUntil">

/** The numbers of the ladder and the pauses. */
export type HealthPolicy = Pick<WebhookSettings["webhook"], "retryWaitsMs" | "failuresToPause" | "pausesMs">

/** Longer than any setting lets a pause be. */
export const longestPauseMs = 30 * 24 * 3_600_000

/** An endpoint to which nothing failed since its last success. */
export const healthy: EndpointHealth = { failureCount: 0, pauseCount: 0, pausedUntil: null }

/**
 * An attempt that has ended. `number` is 1 for the first one; `claimedAt` is the endpoint's `pauseCount` when its
 * delivery was claimed; `endedAt` in milliseconds.
 */
export interface AttemptEnd {
  readonly number: number
  readonly claimedAt: number
  readonly delivered: boolean
  readonly endedAt: number
}

/**
 * The outcome of an attempt at an endpoint whose health was `health` before. As many failures in a row as the policy
 * names pause the endpoint; after a pause one more is enough, and the next pause is longer. Nothing is claimed for an
 * endpoint while it pauses, which so delays the next attempt and uses none up.
 */
export const outcomeOf = (
  { number, claimedAt, delivered, endedAt }: AttemptEnd,
  health: EndpointHealth,
  policy: HealthPolicy
): AttemptOutcome => {
  if (delivered) return AttemptOutcome.Delivered()
  const pauseUntil = health.pauseCount === claimedAt ? pauseOf(health, endedAt, policy) : null
  const waitMs = policy.retryWaitsMs[number - 1]
  if (waitMs === undefined) return AttemptOutcome.Failed({ pauseUntil })
  return AttemptOutcome.Retry({ dueAt: endedAt + waitMs, pauseUntil })
}

/**
 * The endpoint's health after an attempt, where it was `health` before. A success lifts the pause and forgets failures.
 * An attempt that was claimed before the newest pause says nothing of what came after it, and starts no other: so two
 * servers pause an endpoint once.
 */
export const healthAfter = (
  { outcome, claimedAt }: { readonly outcome: AttemptOutcome; readonly claimedAt: number },
  health: EndpointHealth
): EndpointHealth => {
  if (outcome._tag === "Delivered") return healthy
  const failureCount = health.failureCount + 1
  const { pauseUntil } = outcome
  if (pauseUntil === null || claimedAt !== health.pauseCount) return { ...health, failureCount }
  const pausedUntil = Math.max(pauseUntil, health.pausedUntil ?? 0)
  return { failureCount, pauseCount: health.pauseCount + 1, pausedUntil }
}

/** Whether nothing is to be written. */
export const isSame = (a: EndpointHealth, b: EndpointHealth): boolean =>
  a.failureCount === b.failureCount && a.pauseCount === b.pauseCount && a.pausedUntil === b.pausedUntil

/** Whether the endpoint rests at `now`. */
export const isPaused = (health: EndpointHealth, now: number): boolean =>
  health.pausedUntil !== null && health.pausedUntil > now

const pauseOf = (health: EndpointHealth, now: number, policy: HealthPolicy): number | null => {
  if (isPaused(health, now)) return null
  if (health.pauseCount === 0 && health.failureCount + 1 < policy.failuresToPause) return null
  const lengthMs = policy.pausesMs[health.pauseCount] ?? policy.pausesMs.at(-1)
  return lengthMs === undefined ? null : now + lengthMs
}
