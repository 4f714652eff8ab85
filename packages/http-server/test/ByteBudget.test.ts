import { it } from "@effect/vitest"
import { Effect, Fiber, Option, Schema } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import * as ByteBudget from "../src/http/ByteBudget.ts"

const limits: ByteBudget.BudgetLimits = { bytes: 100, waitMs: 5000, maxWaiting: 3 }

const taken = (hold: Option.Option<ByteBudget.Hold>) => Option.getOrThrow(hold)

describe("a budget of bytes", () => {
  it.effect("gives no owner more than is left for the others", () =>
    Effect.gen(function* () {
      const budget = ByteBudget.make({ ...limits, maxWaiting: 0 })
      assert.isTrue(Option.isSome(yield* budget.take("greedy", 50)))
      assert.isTrue(Option.isNone(yield* budget.take("greedy", 1)))
      assert.isTrue(Option.isSome(yield* budget.take("second", 25)))
      assert.isTrue(Option.isNone(yield* budget.take("second", 1)))
      assert.isTrue(Option.isSome(yield* budget.take("third", 12)))
      assert.strictEqual(budget.held(), 87)
    })
  )

  it.effect("lets one wait until others give back, and those who fit do not wait for those who do not", () =>
    Effect.gen(function* () {
      const budget = ByteBudget.make(limits)
      const hold = taken(yield* budget.take("a", 40))
      const large = yield* Effect.forkChild(budget.take("b", 40), { startImmediately: true })
      assert.isTrue(Option.isSome(yield* budget.take("c", 10)))
      assert.strictEqual(large.pollUnsafe(), undefined)
      hold.release()
      hold.release()
      assert.isTrue(Option.isSome(yield* Fiber.join(large)))
      assert.strictEqual(budget.held(), 50)
    })
  )

  it.effect("gives nothing to one who waits too long, goes away, comes when many wait, or asks for too much", () =>
    Effect.gen(function* () {
      const budget = ByteBudget.make(limits)
      const hold = taken(yield* budget.take("a", 50))
      const waiters: Array<Fiber.Fiber<Option.Option<ByteBudget.Hold>>> = []
      for (let i = 0; i < 3; i++) {
        waiters.push(yield* Effect.forkChild(budget.take("b", 40), { startImmediately: true }))
      }
      assert.isTrue(Option.isNone(yield* budget.take("b", 40)))
      assert.isTrue(Option.isNone(yield* budget.take("b", 51)))
      yield* Fiber.interrupt(waiters[0]!)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.join(waiters[1]!)))
      hold.release()
      assert.strictEqual(budget.held(), 0)
    })
  )

  it.effect("keeps nothing for one who goes away in the moment in which it is granted", () =>
    Effect.gen(function* () {
      const budget = ByteBudget.make(limits)
      const hold = taken(yield* budget.take("a", 50))
      const waiter = yield* Effect.forkChild(budget.take("b", 40), { startImmediately: true })
      hold.release()
      yield* Fiber.interrupt(waiter)
      const kept = yield* Effect.exit(Fiber.join(waiter))
      assert.strictEqual(budget.held(), kept._tag === "Success" ? 40 : 0)
    })
  )

  it.effect("knows what is really needed: less is given back at once, more is taken at once", () =>
    Effect.gen(function* () {
      const budget = ByteBudget.make(limits)
      const hold = taken(yield* budget.take("a", 50))
      const waiter = yield* Effect.forkChild(budget.take("a", 20), { startImmediately: true })
      hold.resize(10)
      assert.isTrue(Option.isSome(yield* Fiber.join(waiter)))
      hold.resize(200)
      assert.strictEqual(budget.held(), 220)
      hold.release()
      hold.resize(5)
      assert.strictEqual(budget.held(), 20)
    })
  )

  const Take = Schema.Struct({
    owner: Schema.Literals(["a", "b", "c", "d"]),
    bytes: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })),
    releases: Schema.Boolean
  })
  it.effect.prop("never holds more than it has", { takes: Schema.Array(Take) }, ({ takes }) =>
    Effect.gen(function* () {
      const budget = ByteBudget.make({ ...limits, maxWaiting: 0 })
      const holds: Array<ByteBudget.Hold> = []
      for (const { owner, bytes, releases } of takes) {
        if (releases) holds.shift()?.release()
        holds.push(...Option.toArray(yield* budget.take(owner, bytes)))
        assert.isAtMost(budget.held(), limits.bytes)
      }
      for (const hold of holds) hold.release()
      assert.strictEqual(budget.held(), 0)
    })
  )
})
