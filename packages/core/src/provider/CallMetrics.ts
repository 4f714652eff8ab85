/**
 * What operators see of the provider: how often its verbs are called, what comes of it, and how long it takes; and a
 * span of each call.
 */
import { Clock, Effect, Exit, Metric } from "effect"
import { durationBounds, family } from "../measure/Series.ts"
import { describe, traced } from "../work/Spans.ts"
import type { Answer } from "./Answer.ts"
import type { Call, Calls } from "./PaymentProvider.ts"

/** What a call came to, as a label: the tag of its answer. */
type Outcome = "accepted" | "refused" | "unknown" | "session_lost" | "throttled"

const outcomes: Readonly<Record<Answer<unknown>["_tag"], Outcome>> = {
  Accepted: "accepted",
  Refused: "refused",
  Unknown: "unknown",
  SessionLost: "session_lost",
  Throttled: "throttled"
}

const calls = family(["call", "outcome"], (attributes) =>
  Metric.counter("tolem_provider_calls_total", {
    description: "Calls of the provider, by what they came to; unknown: no answer, or none that can be understood",
    incremental: true,
    attributes
  })
)

const durations = family(["call"], (attributes) =>
  Metric.histogram("tolem_provider_call_duration_seconds", {
    description: "Time from a call of the provider to its answer, or to the end of the wait for it",
    boundaries: durationBounds,
    attributes
  })
)

/**
 * The same calls, counted, timed and traced. What has no answer is `unknown`: an interruption, which is how a deadline
 * ends a call, and a defect of the adapter.
 */
export const measured = (provider: Calls): Calls => {
  const timed =
    <Request extends ReadonlyArray<unknown>, A>(call: Call, run: (...request: Request) => Effect.Effect<Answer<A>>) =>
    (...request: Request): Effect.Effect<Answer<A>> =>
      Effect.flatMap(Clock.monotonicTimeNanos, (startedAt) =>
        Effect.onExit(
          Effect.suspend(() => run(...request)),
          (exit) =>
            Effect.gen(function* () {
              const seconds = Number((yield* Clock.monotonicTimeNanos) - startedAt) / 1e9
              const outcome = Exit.isSuccess(exit) ? outcomes[exit.value._tag] : "unknown"
              yield* Metric.update(calls({ call, outcome }), 1)
              yield* Metric.update(durations({ call }), seconds)
              yield* describe(() => ({ "tolem.outcome": outcome }))
            })
        )
      ).pipe(traced(`Provider.${call}`, () => ({ kind: "client" })))
  return {
    createQr: timed("createQr", provider.createQr),
    createPush: timed("createPush", provider.createPush),
    stateByReference: timed("stateByReference", provider.stateByReference),
    stateByOurs: timed("stateByOurs", provider.stateByOurs),
    cancel: timed("cancel", provider.cancel),
    refund: timed("refund", provider.refund),
    refundState: timed("refundState", provider.refundState),
    listOperations: timed("listOperations", provider.listOperations),
    initLogin: timed("initLogin", provider.initLogin),
    sendPhone: timed("sendPhone", provider.sendPhone),
    verifyOtp: timed("verifyOtp", provider.verifyOtp),
    checkSession: timed("checkSession", provider.checkSession)
  }
}
