/** The clocks of sandboxes over the clock of the system, which is of a class. */
import { describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { assert } from "vitest"
import { ahead, inRealTime, realNow } from "../../src/time/SandboxClocks.ts"

const dayMs = 24 * 3_600_000

describe("a clock that is ahead", () => {
  it.live("can do what the real one can: wait, and measure", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const before = clock.monotonicTimeNanosUnsafe()
      const measured = yield* Effect.gen(function* () {
        yield* Effect.sleep(1)
        return yield* (yield* Clock.Clock).monotonicTimeNanos
      }).pipe(Effect.timeout(10_000), ahead(dayMs))
      assert.isTrue(measured > before && measured <= clock.monotonicTimeNanosUnsafe())
    })
  )

  it.live("shows the real time beside its own, and lets things happen in it", () =>
    Effect.gen(function* () {
      const real = yield* Clock.currentTimeMillis
      const near = (instant: number, wanted: number) => assert.closeTo(instant, wanted, dayMs / 2)
      yield* Effect.gen(function* () {
        near(yield* Clock.currentTimeMillis, real + dayMs)
        near(Number((yield* Clock.currentTimeNanos) / 1_000_000n), real + dayMs)
        near(yield* realNow, real)
        near(yield* inRealTime(Clock.currentTimeMillis), real)
        near(yield* inRealTime(realNow), real)
        near(yield* Clock.currentTimeMillis, real + dayMs)
      }).pipe(ahead(dayMs))
      near(yield* inRealTime(Clock.currentTimeMillis), real)
    })
  )
  it.live("is entered once, however often it is entered", () =>
    Effect.gen(function* () {
      const real = yield* Clock.currentTimeMillis
      const twice = Clock.currentTimeMillis.pipe(ahead(dayMs), ahead(dayMs))
      assert.closeTo(yield* twice, real + dayMs, dayMs / 2)
      assert.closeTo(yield* twice.pipe(inRealTime, ahead(3 * dayMs)), real + dayMs, dayMs / 2)
      assert.closeTo(yield* realNow.pipe(ahead(dayMs), ahead(2 * dayMs)), real, dayMs / 2)
    })
  )
})
