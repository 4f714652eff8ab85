import { describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import * as Watcher from "../../src/work/Watcher.ts"

const leaseMs = 20_000

/** A watcher of one job, which it claims once and hears of after `heard`. Answers when jobs began and ended. */
const watched = Effect.fnUntraced(function* (heard: Effect.Effect<void>, act: Effect.Effect<void>) {
  const acts: Array<readonly [what: string, at: number]> = []
  const note = (what: string) => Effect.map(Clock.currentTimeMillis, (at) => void acts.push([what, at]))
  let claims = 0
  yield* Watcher.run({
    name: "Test",
    pollMs: 100_000,
    leaseMs,
    batchSize: 1,
    atOnce: 2,
    graceMs: 0,
    claim: () => (claims++ === 0 ? Effect.as(heard, ["job"]) : Effect.succeed([])),
    act: () =>
      note("begins").pipe(
        Effect.andThen(act),
        Effect.onInterrupt(() => note("is cut off"))
      )
  })
  return acts
})

const settle = Effect.repeat(Effect.yieldNow, { times: 50 })

describe("a watcher", () => {
  it.effect("cuts a job off before its lease ends, which began with the claim", () =>
    Effect.gen(function* () {
      const heard = yield* Deferred.make<void>()
      const acts = yield* watched(Deferred.await(heard), Effect.never)
      yield* settle
      yield* TestClock.adjust(10_000)
      yield* Deferred.succeed(heard, undefined)
      yield* settle
      yield* TestClock.adjust(7_999)
      yield* settle
      assert.deepStrictEqual(acts, [["begins", 10_000]])
      yield* TestClock.adjust(1)
      yield* settle
      assert.deepStrictEqual(acts.at(-1), ["is cut off", 18_000])
    }).pipe(Effect.scoped)
  )

  it.effect("begins nothing whose lease has ended by the time that it hears of it", () =>
    Effect.gen(function* () {
      const heard = yield* Deferred.make<void>()
      const acts = yield* watched(Deferred.await(heard), Effect.void)
      yield* settle
      yield* TestClock.adjust(18_000)
      yield* Deferred.succeed(heard, undefined)
      yield* settle
      assert.deepStrictEqual(acts, [])
    }).pipe(Effect.scoped)
  )
})
