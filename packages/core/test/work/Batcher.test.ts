import { describe, it } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Scope } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import * as Batcher from "../../src/work/Batcher.ts"

type Write = (items: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<Exit.Exit<number, string>>, string>

const doubled: Write = (items) => Effect.succeed(items.map((item) => Exit.succeed(item * 2)))

const make = (runAll: Write, options: Partial<Batcher.BatchOptions<number, number, string, never>> = {}) => {
  const batches: Array<ReadonlyArray<number>> = []
  const batcher = Batcher.make<number, number, string, never>({
    name: "numbers",
    maxSize: 128,
    writers: 1,
    capacity: 1000,
    lineOf: () => "",
    full: () => "full",
    isolate: (error) => error === "one item's fault",
    runAll: (items) => {
      batches.push(items)
      return runAll(items)
    },
    ...options
  })
  return Effect.map(batcher, (call) => ({ call, batches }))
}

const settled = Effect.repeat(Effect.yieldNow, { times: 100 })

describe("batcher", () => {
  it.effect("writes a lone item at once and answers its own outcome", () =>
    Effect.gen(function* () {
      const { call, batches } = yield* make(doubled)
      assert.strictEqual(yield* call(21), 42)
      assert.deepStrictEqual(batches, [[21]])
    })
  )

  it.effect("gathers what arrives during a write into the next one", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { call, batches } = yield* make((items) => Effect.andThen(Deferred.await(gate), doubled(items)))
      const calls = yield* Effect.forkChild(Effect.forEach([1, 2, 3, 4, 5], call, { concurrency: "unbounded" }))
      yield* settled
      assert.lengthOf(batches, 1)
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(calls), [2, 4, 6, 8, 10])
      assert.deepStrictEqual(batches.flat(), [1, 2, 3, 4, 5])
      assert.isAtMost(batches.length, 2)
    })
  )

  it.effect("never writes more items at once than it may", () =>
    Effect.gen(function* () {
      const { call, batches } = yield* make(doubled, { maxSize: 3 })
      const items = Array.from({ length: 20 }, (_, index) => index)
      const answers = yield* Effect.forEach(items, call, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers,
        items.map((item) => item * 2)
      )
      assert.isTrue(batches.every((batch) => batch.length <= 3))
    })
  )

  it.effect("takes no more items into a write that has its bytes", () =>
    Effect.gen(function* () {
      const { call, batches } = yield* make(doubled, { maxBytes: 10, bytesOf: (item) => item })
      yield* call.all([4, 4, 4, 50, 1, 2, 3, 4, 5])
      assert.deepStrictEqual(batches, [[4, 4, 4], [50], [1, 2, 3, 4], [5]])
    })
  )

  it.effect("takes from the lines in turn, so that no backlog delays another's first item", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { call, batches } = yield* make((items) => Effect.andThen(Deferred.await(gate), doubled(items)), {
        maxSize: 4,
        lineOf: (item) => (item < 1000 ? "hog" : item < 2000 ? "victim" : "other")
      })
      const hog = yield* Effect.forkChild(call.all(Array.from({ length: 400 }, (_, index) => index)))
      yield* settled
      const others = yield* Effect.forkChild(Effect.forEach([1000, 1001, 2000], call, { concurrency: "unbounded" }))
      yield* settled
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(others), [2000, 2002, 4000])
      yield* Fiber.join(hog)
      // One write was under way; the next one has the first of each line.
      assert.deepStrictEqual(batches.slice(0, 3), [
        [0, 1, 2, 3],
        [4, 1000, 2000, 5],
        [1001, 6, 7, 8]
      ])
      assert.deepStrictEqual(
        batches.flat().filter((item) => item < 1000),
        Array.from({ length: 400 }, (_, index) => index),
        "each line in its order"
      )
    })
  )

  it.effect("refuses a line that holds as much as is left, all of what comes or none, and never a new line", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { call, batches } = yield* make((items) => Effect.andThen(Deferred.await(gate), doubled(items)), {
        maxSize: 1,
        capacity: 10,
        lineOf: (item) => String(Math.floor(item / 100))
      })
      const begun = yield* Effect.forkChild(call(0))
      yield* settled
      assert.lengthOf(batches, 1)
      const waiting = yield* Effect.forkChild(Effect.exit(call.all([1, 2, 3, 4, 5])))
      yield* settled
      assert.deepStrictEqual(yield* Effect.exit(call(6)), Exit.fail("full"))
      assert.deepStrictEqual(yield* Effect.exit(call.all([100, 101, 102, 103, 104, 105])), Exit.fail("full"))
      const second = yield* Effect.forkChild(call.all([100, 101]))
      const third = yield* Effect.forkChild(call(200))
      yield* settled
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(begun), 0)
      assert.lengthOf(yield* Effect.flatten(Fiber.join(waiting)), 5)
      assert.deepStrictEqual(yield* Fiber.join(second), [Exit.succeed(200), Exit.succeed(202)])
      assert.strictEqual(yield* Fiber.join(third), 400)
      assert.strictEqual(yield* call(6), 12, "and takes more once there is room")
      assert.deepStrictEqual(batches.flat(), [0, 1, 100, 200, 2, 101, 3, 4, 5, 6])
    })
  )

  it.effect("answers each item its own failure", () =>
    Effect.gen(function* () {
      const odd: Write = (items) =>
        Effect.succeed(items.map((item) => (item % 2 === 1 ? Exit.fail(`odd ${item}`) : Exit.succeed(item))))
      const { call } = yield* make(odd)
      const answers = yield* Effect.forEach([1, 2, 3], (item) => Effect.exit(call(item)), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, [Exit.fail("odd 1"), Exit.succeed(2), Exit.fail("odd 3")])
    })
  )

  it.effect("writes singly what failed together through one item's fault", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const picky: Write = (items) =>
        Deferred.await(gate).pipe(Effect.andThen(items.includes(13) ? Effect.fail("one item's fault") : doubled(items)))
      const { call, batches } = yield* make(picky)
      const calls = yield* Effect.forkChild(
        Effect.forEach([1, 2, 13, 4], (item) => Effect.exit(call(item)), { concurrency: "unbounded" })
      )
      yield* settled
      yield* Deferred.succeed(gate, undefined)
      const answers = yield* Fiber.join(calls)
      assert.deepStrictEqual(answers, [
        Exit.succeed(2),
        Exit.succeed(4),
        Exit.fail("one item's fault"),
        Exit.succeed(8)
      ])
      assert.deepStrictEqual(batches.at(-1), [4])
    })
  )

  it.effect("answers all calls a failure of the write, and a defect, and goes on", () =>
    Effect.gen(function* () {
      const outcomes: Array<Effect.Effect<never, string>> = [Effect.fail("away"), Effect.die("a bug")]
      const { call } = yield* make((items) => outcomes.shift() ?? doubled(items))
      assert.deepStrictEqual(yield* Effect.exit(call(1)), Exit.fail("away"))
      const crashed = yield* Effect.exit(call(2))
      assert.isTrue(Exit.isFailure(crashed) && Cause.hasDies(crashed.cause))
      assert.strictEqual(yield* call(3), 6)
    })
  )

  it.effect("says so when a write forgets an item", () =>
    Effect.gen(function* () {
      const { call } = yield* make(() => Effect.succeed([]))
      const exit = yield* Effect.exit(call(1))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )

  it.effect("drops the item of a caller who went away before its write, and finishes a write that has begun", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const { call, batches } = yield* make((items) => Effect.andThen(Deferred.await(gate), doubled(items)))
      const first = yield* Effect.forkChild(call(1))
      yield* settled
      const second = yield* Effect.forkChild(call(2))
      const third = yield* Effect.forkChild(call(3))
      yield* settled
      yield* Fiber.interrupt(first)
      yield* Fiber.interrupt(second)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(third), 6)
      assert.deepStrictEqual(batches, [[1], [3]])
    })
  )

  it.effect("closing writes what waits and refuses what comes later", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const scope = yield* Scope.make()
      const { call, batches } = yield* make((items) => Effect.andThen(Deferred.await(gate), doubled(items))).pipe(
        Effect.provideService(Scope.Scope, scope)
      )
      const calls = yield* Effect.forkChild(Effect.forEach([1, 2, 3], call, { concurrency: "unbounded" }))
      yield* settled
      const closed = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* settled
      assert.isUndefined(closed.pollUnsafe())
      const refused = yield* Effect.exit(call(4))
      assert.isTrue(Exit.isFailure(refused) && Cause.hasInterruptsOnly(refused.cause))
      yield* Deferred.succeed(gate, undefined)
      assert.deepStrictEqual(yield* Fiber.join(calls), [2, 4, 6])
      yield* Fiber.join(closed)
      assert.deepStrictEqual(batches.flat(), [1, 2, 3])
    })
  )

  it.effect("closing gives up on a storage that never answers, and lets every caller go", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { call } = yield* make(() => Effect.never).pipe(Effect.provideService(Scope.Scope, scope))
      const calls = yield* Effect.forEach([1, 2, 3], (item) => Effect.forkChild(call(item)))
      yield* settled
      const closed = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("6 seconds")
      yield* settled
      assert.isDefined(closed.pollUnsafe())
      for (const each of calls) assert.isTrue(Exit.isFailure(yield* Fiber.await(each)))
    })
  )
})
