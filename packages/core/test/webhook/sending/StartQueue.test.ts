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

/** The next ones, in whichever turn they begin. */
const some = ({ take }: Pick<Effect.Success<ReturnType<typeof StartQueue.make>>, "take">) =>
  Effect.repeat(take, { until: (jobs) => jobs.length > 0 })

describe("attempts", () => {
  it.effect("begin eight in a turn, one of them at an endpoint that is not sound if there is any", () =>
    Effect.gen(function* () {
      const sound = Array.from({ length: 15 }, (_, n) => `sound${n + 1}`)
      const { queue, wanted } = yield* begun(["other1", "other2", "other3", ...sound])
      const turns = Effect.map(Effect.all(Array.from({ length: 4 }, () => queue.take)), (all) => all.map(idsOf))
      assert.deepStrictEqual(yield* turns, [
        [...sound.slice(0, 7), "other1"],
        [...sound.slice(7, 14), "other2"],
        ["sound15", "other3"],
        []
      ])
      assert.deepStrictEqual(wanted, [true, false, true], "one of a party that works, and the one whose turn it is")
    })
  )

  it.effect("that fail hold back the others at endpoints that are not sound: one in ten milliseconds begins", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other0"])
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other0"])
      for (const id of ["other1", "other2", "other3", "sound1"]) yield* queue.add(claimed(id))
      queue.ended("sandbox", false, 0)
      queue.ended("sandbox", false, 0)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["sound1"])
      const waiting = yield* Effect.forkChild(some(queue))
      yield* TestClock.adjust(9)
      assert.isUndefined(waiting.pollUnsafe())
      yield* queue.add(claimed("sound2"))
      yield* TestClock.adjust(0)
      assert.deepStrictEqual(idsOf(yield* Fiber.join(waiting)), ["sound2"], "what is sound does not wait")
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1", "other2"])
      const next = yield* Effect.forkChild(some(queue))
      yield* TestClock.adjust(19)
      assert.isUndefined(next.pollUnsafe(), "two have begun")
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(idsOf(yield* Fiber.join(next)), ["other3"])
    })
  )

  for (const failAfterMs of [0, 1, 50, 500, 8_000]) {
    it.effect(`begin a hundred times a second where all fail, each after ${failAfterMs} ms`, () =>
      Effect.gen(function* () {
        const { queue } = yield* begun(Array.from({ length: 1_000 }, (_, n) => `other${n}`))
        queue.ended("sandbox", false, 0)
        const begunAt: Array<number> = []
        const attempt = Effect.andThen(
          Effect.sleep(failAfterMs),
          Effect.map(Clock.currentTimeMillis, (now) => queue.ended("sandbox", false, now))
        )
        const turn = Effect.gen(function* () {
          const taken = yield* queue.take
          const now = yield* Clock.currentTimeMillis
          for (const _ of taken) {
            begunAt.push(now)
            yield* Effect.forkChild(attempt)
          }
        })
        yield* Effect.forkChild(Effect.forever(turn))
        for (let ms = 0; ms < 2_000; ms += 5) yield* TestClock.adjust(5)
        const inTenths = Map.groupBy(begunAt, (at) => Math.floor(at / 100))
        for (let tenth = 1; tenth < 20; tenth++) assert.strictEqual(inTenths.get(tenth)?.length, 10)
      })
    )
  }

  for (const delivered of [0, 1, 2, 3, 5]) {
    for (const everyMs of [1, 3, 9, 10]) {
      it.effect(`are not held back for ever: a failure every ${everyMs} ms, ${delivered} arrivals between`, () =>
        Effect.gen(function* () {
          const { queue } = yield* begun(Array.from({ length: 20 }, (_, n) => `other${n}`))
          let count = 0
          const turn = Effect.map(queue.take, (taken) => {
            count += taken.length
          })
          queue.ended("sandbox", false, 0)
          yield* Effect.forkChild(Effect.forever(turn))
          for (let ms = 0; ms < 400; ms++) {
            if (ms % everyMs === 0) {
              for (let n = 0; n < delivered; n++) queue.ended("sandbox", true, ms)
              queue.ended("sandbox", false, ms)
            }
            yield* TestClock.adjust(1)
          }
          assert.strictEqual(count, 20)
        })
      )
    }
  }

  it.effect("go on at full speed once some have arrived", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1", "other2", "other3"])
      queue.ended("sandbox", false, 0)
      for (let n = 0; n < 3; n++) queue.ended("sandbox", true, 0)
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1", "other2"])
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other3"])
    })
  )

  it.effect("are held back no more at an endpoint once it is sound", () =>
    Effect.gen(function* () {
      const sounds = new Set<string>()
      const queue = yield* StartQueue.make({
        first: (jobs, count) => [...jobs].slice(0, count),
        isSound: (id) => sounds.has(id)
      })
      for (const id of ["a", "b"]) yield* queue.add(claimed(id))
      queue.ended("sandbox", false, 0)
      sounds.add("b")
      yield* queue.add(claimed("b"))
      assert.deepStrictEqual(idsOf(yield* queue.take), ["b", "b"])
    })
  )

  it.effect("of live merchants are not held back by sandboxes", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1"])
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1"])
      queue.ended("sandbox", false, 0)
      const { job, until } = claimed("other2")
      yield* queue.add(claimed("other3"))
      yield* queue.add({ job: { ...job, endpoint: { ...job.endpoint, mode: "live" } }, until })
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other2"])
      yield* TestClock.adjust(10)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other3"])
    })
  )

  it.effect("hold nothing back where the clock has gone back", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1"])
      queue.ended("sandbox", false, 60_000)
      assert.deepStrictEqual(idsOf(yield* queue.take), ["other1"])
    })
  )

  it.effect("are all given back when the server stops", () =>
    Effect.gen(function* () {
      const { queue } = yield* begun(["other1", "sound1"])
      queue.ended("sandbox", false, 0)
      assert.deepStrictEqual(idsOf(queue.takeAll()), ["sound1", "other1"])
      assert.deepStrictEqual(idsOf(yield* queue.take), [])
    })
  )
})
