/** What is counted of agents and of the provider where things go wrong. */
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Metric, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as Deadline from "../../src/provider/Deadline.ts"
import { guarded } from "../../src/provider/Guarded.ts"
import { noProvider } from "../../src/provider/NoProvider.ts"
import { makeLag } from "../../src/webhook/sending/DispatchReports.ts"
import * as Watcher from "../../src/work/Watcher.ts"

/** The counts, or the values of a gauge, of a metric in its series, by the values of their labels. */
const counts = (name: string) =>
  Effect.map(Metric.snapshot, (series) =>
    Object.fromEntries(
      series.flatMap(({ id, attributes = {}, state }) =>
        id === name
          ? [
              [
                Object.values(attributes).join(" "),
                Number("count" in state ? state.count : "value" in state ? state.value : 0)
              ]
            ]
          : []
      )
    )
  )

const alone = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => Effect.provideService(test, Metric.MetricRegistry, new Map()))
const session = Redacted.make("session")

it.effect("a call without an answer in time, and one whose adapter dies, are unknown", () =>
  Effect.gen(function* () {
    const silent = { ...noProvider, checkSession: () => Effect.never, cancel: () => Effect.die(new Error("a bug")) }
    const calls = Deadline.within(guarded(silent, Effect.succeed({})), 8000)
    const call = yield* Effect.forkChild(calls.checkSession(session), { startImmediately: true })
    yield* TestClock.adjust(8000)
    yield* Fiber.join(call)
    yield* calls.cancel({ session, reference: "1" })
    yield* calls.stateByReference({ session, reference: "1" })
    assert.deepStrictEqual(yield* counts("tolem_provider_calls_total"), {
      "checkSession unknown": 1,
      "cancel unknown": 1,
      "stateByReference refused": 1
    })
  }).pipe(alone)
)

it.effect("what a provider cannot do is not asked of it, so it does not count", () =>
  Effect.gen(function* () {
    const calls = guarded(noProvider, Effect.succeed({ findByOurs: false }))
    yield* calls.stateByOurs({ session, ours: "inv_1" })
    assert.deepStrictEqual(yield* counts("tolem_provider_calls_total"), {})
  }).pipe(alone)
)

it.effect("how far webhooks are behind shows at the end of a round of looks, and goes when they are sent", () =>
  Effect.gen(function* () {
    const show = makeLag()
    const shown = Effect.all([counts("tolem_webhook_lag_seconds"), counts("tolem_webhook_endpoints_due")])
    yield* show({ endpoints: [{ dueAt: 7_000 }, { dueAt: 2_000 }], next: "whe_2" }, 10_000)
    assert.deepStrictEqual(yield* shown, [{}, {}])
    yield* show({ endpoints: [{ dueAt: 9_000 }], next: null }, 10_000)
    assert.deepStrictEqual(yield* shown, [{ "": 8 }, { "": 3 }])
    yield* show({ endpoints: [], next: null }, 11_000)
    assert.deepStrictEqual(yield* shown, [{ "": 0 }, { "": 0 }])
  }).pipe(alone)
)

it.effect("failures of an agent count by what has failed, and do not look like a run", () =>
  Effect.gen(function* () {
    let isAway = true
    yield* Watcher.run({
      name: "Sweeper",
      pollMs: 1000,
      leaseMs: 5000,
      batchSize: 1,
      atOnce: 1,
      graceMs: 0,
      claim: () => (isAway ? Effect.fail("away") : Effect.succeed(["job"])),
      act: () => Effect.fail("no")
    })
    yield* TestClock.adjust(500)
    assert.deepStrictEqual(yield* counts("tolem_agent_failures_total"), { "Sweeper claim": 1 })
    assert.deepStrictEqual(yield* counts("tolem_agent_last_run_timestamp_seconds"), {})
    isAway = false
    yield* TestClock.adjust(1000)
    assert.isAbove((yield* counts("tolem_agent_failures_total"))["Sweeper job"] ?? 0, 0)
    assert.isAtLeast((yield* counts("tolem_agent_last_run_timestamp_seconds"))["Sweeper"] ?? 0, 0.8)
  }).pipe(Effect.scoped, alone)
)
