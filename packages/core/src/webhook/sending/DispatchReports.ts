/** What the dispatcher tells operators: log lines without addresses and secrets, and metrics. */
import { Effect, LogLevel, Metric } from "effect"
import * as AgentRuns from "../../measure/AgentRuns.ts"
import type { Attempt, Job } from "../Webhook.ts"
import type { AttemptOutcome } from "../WebhookStore.ts"
import { factsOf } from "./Attempts.ts"

/** Logs what became of an attempt: loudly where a merchant will want to know. */
export const report = (job: Job, attempt: Attempt, outcome: AttemptOutcome): Effect.Effect<void> =>
  outcome._tag === "Delivered"
    ? Effect.flatMap(LogLevel.isEnabled("Debug"), (isWanted) => (isWanted ? tell(job, attempt, outcome) : Effect.void))
    : tell(job, attempt, outcome)

const tell = (job: Job, attempt: Attempt, outcome: AttemptOutcome): Effect.Effect<void> => {
  const facts = { ...factsOf(job), attempt: attempt.number, status: attempt.status, error: attempt.error }
  const pauseUntil = outcome._tag === "Delivered" ? null : outcome.pauseUntil
  const line = (message: string) => Effect.logWarning(`WebhookDispatcher: ${message}`)
  const lines = [
    outcome._tag === "Failed" ? line("delivery given up") : Effect.logDebug(`WebhookDispatcher: ${outcome._tag}`),
    pauseUntil === null ? Effect.void : line("endpoint paused after failures in a row")
  ]
  return Effect.all(lines, { discard: true }).pipe(Effect.annotateLogs(facts))
}

const attempts = (outcome: string) =>
  Metric.counter("tolem_webhook_attempts_total", {
    description: "Attempts to deliver an event, by what became of them",
    incremental: true,
    attributes: { outcome }
  })
const counters = { Delivered: attempts("delivered"), Retry: attempts("retry"), Failed: attempts("failed") }
const runningAttempts = Metric.gauge("tolem_webhook_attempts_running", { description: "Attempts under way" })

/** Counts an attempt that has ended. */
export const count = (outcome: AttemptOutcome): Effect.Effect<void> => Metric.update(counters[outcome._tag], 1)

/** Shows how many attempts are under way. */
export const gauge = (running: number): Effect.Effect<void> => Metric.update(runningAttempts, running)

const lag = Metric.gauge("tolem_webhook_lag_seconds", {
  description: "How long the delivery that has waited longest is due; those of endpoints that pause do not count"
})
const dueEndpoints = Metric.gauge("tolem_webhook_endpoints_due", {
  description: "Endpoints, none that pauses, with deliveries that are due"
})

/**
 * Shows how far sending is behind, from the looks at endpoints that it takes anyway: once for each round of looks,
 * which ends with the one after which there is no `next`.
 */
export const makeLag = () => {
  let oldest = Number.POSITIVE_INFINITY
  let count = 0
  return (looked: LookedEndpoints, now: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      for (const { dueAt } of looked.endpoints) oldest = Math.min(oldest, dueAt)
      count += looked.endpoints.length
      if (looked.next !== null) return Effect.void
      const [oldestMs, due] = [Math.max(0, now - oldest), count]
      oldest = Number.POSITIVE_INFINITY
      count = 0
      return Effect.andThen(
        AgentRuns.behind("WebhookDispatcher", { oldestMs, due }),
        Effect.andThen(Metric.update(lag, oldestMs / 1000), Metric.update(dueEndpoints, due))
      )
    })
}

interface LookedEndpoints {
  readonly endpoints: ReadonlyArray<{ readonly dueAt: number }>
  readonly next: string | null
}
