import { describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { assert } from "vitest"
import * as Pauses from "../../src/work/Pauses.ts"

describe("pauses", () => {
  for (const [bytes, expected] of [
    [10, "0 1 | 2 3 | 4 5 |"],
    [4, "0 1 2 3 4 | 5 |"],
    [100, "0 | 1 | 2 | 3 | 4 | 5 |"],
    [0, "0 1 2 3 4 5 |"]
  ] as const) {
    it.effect(`let others run between steps of ${bytes} bytes whenever 20 have been done`, () =>
      Effect.gen(function* () {
        const seen: Array<string | number> = []
        const pause = Pauses.make(20)
        const steps = Effect.forEach([0, 1, 2, 3, 4, 5], (step) =>
          Effect.andThen(
            pause(bytes),
            Effect.sync(() => seen.push(step))
          )
        )
        const work = yield* Effect.forkChild(steps)
        const other = Effect.andThen(
          Effect.yieldNow,
          Effect.sync(() => seen.push("|"))
        )
        yield* Effect.repeat(other, { until: () => work.pollUnsafe() !== undefined })
        yield* Fiber.join(work)
        assert.strictEqual(seen.join(" "), expected)
      })
    )
  }
})
