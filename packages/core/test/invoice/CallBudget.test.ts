/** The budget of calls: per cashier and in all, per second and at once. */
import { assert, describe, it } from "@effect/vitest"
import * as CallBudget from "../../src/invoice/CallBudget.ts"

const limits = { callsPerSecond: 20, callsPerSecondOfCashier: 10, callsAtOnce: 12, callsAtOnceOfCashier: 8 }

/** Calls that may be made from `from` on, each ended at once, asked for every 10 ms for `ms`. */
const made = (budget: CallBudget.CallBudget, cashiers: ReadonlyArray<string>, from: number, ms: number) => {
  const counts = new Map(cashiers.map((cashier) => [cashier, 0]))
  for (let now = from; now < from + ms; now += 10) {
    for (const cashier of cashiers) {
      if (budget.begin(cashier, now) !== undefined) continue
      budget.end(cashier)
      counts.set(cashier, counts.get(cashier)! + 1)
    }
  }
  return [...counts.values()]
}

describe("the budget of calls", () => {
  it("gives a cashier so many a second, after a burst of as many", () => {
    const [count] = made(CallBudget.make(limits), ["a"], 1000, 10_000)
    assert.isAtLeast(count!, 105)
    assert.isAtMost(count!, 110)
  })

  it("gives all of them together no more than the total, and each its share", () => {
    const counts = made(CallBudget.make(limits), ["a", "b", "c", "d"], 1000, 10_000)
    const sum = counts.reduce((total, count) => total + count, 0)
    assert.isAtMost(sum, 220)
    assert.isAtLeast(sum, 200)
  })

  it("lets so many run at once, and says when to ask again", () => {
    const budget = CallBudget.make({ ...limits, callsPerSecond: 1000, callsPerSecondOfCashier: 1000 })
    for (let i = 0; i < 8; i++) assert.isUndefined(budget.begin("a", 0))
    assert.isAbove(budget.begin("a", 0)!.waitMs, 0)
    for (let i = 0; i < 4; i++) assert.isUndefined(budget.begin("b", 0))
    assert.isAbove(budget.begin("b", 0)!.waitMs, 0, "all places are taken")
    budget.end("a")
    assert.isUndefined(budget.begin("a", 0))
    assert.strictEqual(budget.running(), 12)
  })

  it("makes none for a cashier whom the provider throttles, until then", () => {
    const budget = CallBudget.make(limits)
    assert.isUndefined(budget.begin("a", 0))
    budget.pause("a", 5000)
    assert.deepStrictEqual(budget.begin("a", 1000), { waitMs: 4000 })
    assert.isUndefined(budget.begin("b", 1000))
    assert.isUndefined(budget.begin("a", 5000))
  })

  it("counts what could not wait against those that can", () => {
    const budget = CallBudget.make(limits)
    for (let i = 0; i < 10; i++) budget.force("a", 0)
    assert.isAbove(budget.begin("a", 0)!.waitMs, 0)
    assert.strictEqual(budget.running(), 10)
  })
})
