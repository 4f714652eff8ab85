import { describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import type { ClaimedJob } from "../../../src/webhook/sending/Lanes.ts"
import * as StartQueue from "../../../src/webhook/sending/StartQueue.ts"
import { endpoint, job } from "./given.ts"

const claimed = (id: string): ClaimedJob => ({
  job: job({ endpoint: endpoint({ id, mode: "sandbox" }) }),
  until: 1e9
})
const idsOf = (jobs: ReadonlyArray<ClaimedJob>) => jobs.map(({ job }) => job.endpoint.id)

/** Jobs in the order in which they were added, and whether the first other one was to be of a party that works. */
const begun = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
  const wanted: Array<boolean> = []
  const queue = yield* StartQueue.make({
    first: (jobs, count, isOfWorking) => {
      const chosen = [...jobs].slice(0, count)
      if (idsOf(chosen).some((id) => id.startsWith("other"))) wanted.push(isOfWorking)
      return chosen
    },
    isSound: (id) => id.startsWith("sound")
  })
  for (const id of ids) yield* queue.add(claimed(id))
  return { queue, wanted }
})

describe("attempts", () => {
  it.effect("begin two in a turn, one of them at an endpoint that is not sound if there is any", () =>
    Effect.gen(function* () {
      const { queue, wanted } = yield* begun(["other1", "other2", "other3", "sound1", "sound2", "sound3"])
      const turns = Effect.map(Effect.all(Array.from({ length: 4 }, () => queue.take)), (all) => all.map(idsOf))
      assert.deepStrictEqual(yield* turns, [["sound1", "other1"], ["sound2", "other2"], ["sound3", "other3"], []])
      assert.deepStrictEqual(wanted, [true, false, true], "one of a party that works, and the one whose turn it is")
    })
  )

  it.effect("that fail hold back the others at endpoints that are not sound, for ten milliseconds each", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other0"])
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other0"])
      for (const id of ["other1", "other2", "sound1"]) yield* queue.add(claimed(id))
      queue.failed("sandbox", 0)
      queue.failed("sandbox", 0)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["sound1"])
      const waiting = yield* Effect.forkChild(Effect.andThen(queue.take, queue.take))
      yield* TestClock.adjust(19)
      assert.isUndefined(waiting.pollUnsafe())
      yield* queue.add(claimed("sound2"))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), ["sound2"], "what is sound does not wait")
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1", "other2"])
    })
  )

  it.effect("of live merchants are not held back by sandboxes", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1"])
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1"])
      queue.failed("sandbox", 0)
      const { job, until } = claimed("other2")
      yield* queue.add(claimed("other3"))
      yield* queue.add({ job: { ...job, endpoint: { ...job.endpoint, mode: "live" } }, until })
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other2"])
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other3"])
    })
  )

  it.effect("hold them back no longer than a tenth of a second, however many fail all the time", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1", "other2", "other3", "other4"])
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1", "other2"])
      const begunAt: Array<number> = []
      const waiting = yield* Effect.forkChild(
        Effect.gen(function* () {
          while (begunAt.length === 0) {
            if ((yield* queue.take).length > 0) begunAt.push(yield* Clock.currentTimeMillis)
          }
        })
      )
      for (let ms = 0; ms < 200; ms += 5) {
        queue.failed("sandbox", ms)
        yield* TestClock.adjust(5)
      }
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(begunAt, [100])
    })
  )

  it.effect("hold nothing back where the clock has gone back", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1"])
      queue.failed("sandbox", 60_000)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1"])
    })
  )

  it.effect("are all given back when the server stops", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1", "sound1"])
      queue.failed("sandbox", 0)
      assert.deepStrictEqual(idsOf(queue.takeAll()), ["sound1", "other1"])
      assert.deepStrictEqual(idsOf(yield* queue.take), [])
    })
  )
})
