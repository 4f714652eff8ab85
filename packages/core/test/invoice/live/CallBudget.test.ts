/** The budget of calls: per cashier and in all, per second and at once. */
import { assert, describe, it } from "@effect/vitest"
import * as CallBudget from "../../../src/invoice/live/CallBudget.ts"

const limits = { callsPerSecond: 20, callsPerSecondOfCashier: 10, callsAtOnce: 12, callsAtOnceOfCashier: 8 }

/** A cashier, alone in an organization unless one is given. */
const of = (id: string, organizationId = `organization of ${id}`): CallBudget.Cashier => ({ id, organizationId })

/** A call that must be let through. */
const begun = (turn: ReturnType<CallBudget.CallBudget["begin"]>): CallBudget.End => {
  if (typeof turn === "object") throw new Error(`to wait for ${turn.waitMs} ms`)
  return turn
}

const waitOf = (turn: ReturnType<CallBudget.CallBudget["begin"]>) => (typeof turn === "object" ? turn.waitMs : 0)

/** Calls that may be made from `from` on, each ended at once, asked for every 10 ms for `ms`. */
const made = (budget: CallBudget.CallBudget, cashiers: ReadonlyArray<string>, from: number, ms: number) => {
  const counts = new Map(cashiers.map((cashier) => [cashier, 0]))
  for (let now = from; now < from + ms; now += 10) {
    for (const cashier of cashiers) {
      const end = budget.begin(of(cashier), now)
      if (typeof end === "object") continue
      end()
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

  it("lets so many of a cashier run at once, and says when to ask again", () => {
    const budget = CallBudget.make({ ...limits, callsAtOnce: 100 })
    const ends = Array.from({ length: 8 }, () => begun(budget.begin(of("a"), 0)))
    assert.isAbove(waitOf(budget.begin(of("a"), 0)), 0)
    ends[0]!()
    begun(budget.begin(of("a"), 0))
    assert.strictEqual(budget.running(), 8)
  })

  it("lets no organization take more places than it leaves, with however many cashiers", () => {
    const budget = CallBudget.make({ ...limits, callsPerSecond: 1000 })
    const taken = (organizationId: string) => {
      const ends: Array<CallBudget.End> = []
      for (let count = 0; ; count++) {
        const turn = budget.begin(of(`${organizationId} ${count}`, organizationId), 0)
        if (typeof turn === "object") return ends
        ends.push(turn)
      }
    }
    const first = taken("greedy")
    assert.strictEqual(first.length, 6, "half of all")
    assert.strictEqual(taken("second").length, 3)
    assert.strictEqual(taken("third").length, 2)
    begun(budget.begin(of("a"), 0))
    assert.isAbove(waitOf(budget.begin(of("b"), 0)), 0, "all places are taken")
    first[0]!()
    begun(budget.begin(of("b"), 0))
    assert.strictEqual(budget.running(), 12)
  })

  it("charges what could not wait to its own organization alone, however much that is", () => {
    const budget = CallBudget.make({ ...limits, callsPerSecond: 50 })
    const ends = Array.from({ length: 500 }, (_, n) => budget.force(of(`till ${n}`, "greedy"), 0))
    assert.isAbove(waitOf(budget.begin(of("another", "greedy"), 1000)), 0)
    for (let count = 0; count < 6; count++) begun(budget.begin(of("a"), 1000))
    for (const end of ends) end()
    begun(budget.begin(of("another", "greedy"), 1000))
    assert.strictEqual(budget.running(), 7)
  })

  it("makes none for a cashier whom the provider throttles, until then", () => {
    const budget = CallBudget.make(limits)
    begun(budget.begin(of("a"), 0))
    budget.pause("a", 5000)
    assert.deepStrictEqual(budget.begin(of("a"), 1000), { waitMs: 4000 })
    begun(budget.begin(of("b"), 1000))
    begun(budget.begin(of("a"), 5000))
  })

  it("counts what could not wait against those of its cashier that can", () => {
    const budget = CallBudget.make(limits)
    for (let i = 0; i < 10; i++) budget.force(of("a"), 0)
    assert.isAbove(waitOf(budget.begin(of("a"), 0)), 0)
    assert.strictEqual(budget.running(), 10)
  })
})
