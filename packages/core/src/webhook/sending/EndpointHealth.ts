/** What an attempt means for its delivery and its endpoint: the ladder of retries, and the pauses. Pure. */
import type { Endpoint } from "../Webhook.ts"
import type { WebhookSettings } from "../WebhookSettings.ts"
import { AttemptOutcome } from "../WebhookStore.ts"

/** How an endpoint has fared lately. */
export type EndpointHealth = Pick<Endpoint, "failureCount" | "pauseCount" | "pausedUntil">

/** The numbers of the ladder and the pauses. */
export type HealthPolicy = Pick<WebhookSettings["webhook"], "retryWaitsMs" | "failuresToPause" | "pausesMs">

/** An attempt that has ended. `number` is 1 for the first one; `endedAt` in milliseconds. */
export interface AttemptEnd {
  readonly number: number
  readonly delivered: boolean
  readonly endedAt: number
}

/**
 * The outcome of an attempt at an endpoint whose health was `health` before. As many failures in a row as the policy
 * names pause the endpoint; after a pause one more is enough, and the next pause is longer. Nothing is claimed for an
 * endpoint while it pauses, which so delays the next attempt and uses none up.
 */
export const outcomeOf = (
  { number, delivered, endedAt }: AttemptEnd,
  health: EndpointHealth,
  policy: HealthPolicy
): AttemptOutcome => {
  if (delivered) return AttemptOutcome.Delivered()
  const pauseUntil = pauseOf(health, endedAt, policy)
  const waitMs = policy.retryWaitsMs[number - 1]
  if (waitMs === undefined) return AttemptOutcome.Failed({ pauseUntil })
  return AttemptOutcome.Retry({ dueAt: endedAt + waitMs, pauseUntil })
}

/** The endpoint's health after an outcome, as the storage counts it too. */
export const healthAfter = (outcome: AttemptOutcome, health: EndpointHealth): EndpointHealth => {
  if (outcome._tag === "Delivered") return healthy
  const failureCount = health.failureCount + 1
  return outcome.pauseUntil === null
    ? { ...health, failureCount }
    : { failureCount, pauseCount: health.pauseCount + 1, pausedUntil: outcome.pauseUntil }
}

/** Whether the endpoint rests at `now`. */
export const isPaused = (health: EndpointHealth, now: number): boolean =>
  health.pausedUntil !== null && health.pausedUntil > now

const healthy: EndpointHealth = { failureCount: 0, pauseCount: 0, pausedUntil: null }

const pauseOf = (health: EndpointHealth, now: number, policy: HealthPolicy): number | null => {
  // An attempt that began before the pause says nothing new: only what comes after it may make the next one longer.
  if (isPaused(health, now)) return null
  if (health.pauseCount === 0 && health.failureCount + 1 < policy.failuresToPause) return null
  const lengthMs = policy.pausesMs[health.pauseCount] ?? policy.pausesMs.at(-1)
  return lengthMs === undefined ? null : now + lengthMs
}
