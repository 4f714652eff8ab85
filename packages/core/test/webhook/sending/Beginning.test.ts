import { describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import * as Beginning from "../../../src/webhook/sending/Beginning.ts"
import type { ClaimedJob } from "../../../src/webhook/sending/Lanes.ts"
import { endpoint, job } from "./given.ts"

const claimed = (id: string): ClaimedJob => ({ job: job({ endpoint: endpoint({ id }) }), until: 1e9 })
const idsOf = (jobs: ReadonlyArray<ClaimedJob>) => jobs.map(({ job }) => job.endpoint.id)

/** Jobs that begin in the order in which they were added, and whether one of a party that works was wanted each time. */
const begun = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const wanted: Array<boolean> = []
  const beginning = yield* Beginning.make({
    first: (jobs, count, isOfWorking) => {
      if (count === 1) wanted.push(isOfWorking)
      return [...jobs].slice(0, count)
    },
    isSound: (id) => id.startsWith("sound")
  })
  for (const id of ids) yield* beginning.add(claimed(id))
  /** Those that begin in the next turn in which any do, and how many turns before it had none. */
  const next = Effect.gen(function* () {
    for (let turns = 0; ; turns++) {
      const ids = idsOf(yield* beginning.take)
      if (ids.length > 0) return [turns, ids] as const
    }
  })
  return { beginning, next, wanted }
})

describe("attempts", () => {
  it.effect("begin two in a turn at sound endpoints, and one in 32 turns at others", () =>
    Effect.gen(function* () {
      const { next, wanted } = yield* begun(["other1", "other2", "other3", "sound1", "sound2", "sound3"])
      assert.deepStrictEqual(yield* next, [0, ["sound1", "sound2", "other1"]])
      assert.deepStrictEqual(yield* next, [0, ["sound3"]])
      assert.deepStrictEqual(yield* next, [30, ["other2"]])
      assert.deepStrictEqual(yield* next, [31, ["other3"]])
      assert.deepStrictEqual(wanted, [true, false, true], "one of a party that works, and the one whose turn it is")
    })
  )

  it.effect("begin at other endpoints after ten milliseconds, however few turns these are", () =>
    Effect.gen(function* () {
      const { next } = yield* begun(["other1", "other2", "other3"])
      assert.deepStrictEqual(yield* next, [0, ["other1"]])
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(yield* next, [0, ["other2"]])
    })
  )

  it.effect("begin at once at sound endpoints while others wait, and where nothing has waited", () =>
    Effect.gen(function* () {
      const { beginning, next } = yield* begun(["other1", "other2"])
      yield* next
      yield* beginning.add(claimed("sound1"))
      assert.deepStrictEqual(yield* next, [0, ["sound1"]])
      assert.deepStrictEqual(idsOf(beginning.takeAll()), ["other2"])
      // The first one finds that there are none any more, the second one waits.
      assert.deepStrictEqual(yield* beginning.take, [])
      const waiting = yield* Effect.forkChild(beginning.take)
      yield* Effect.yieldNow
      yield* beginning.add(claimed("other3"))
      assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), ["other3"])
    })
  )
})
