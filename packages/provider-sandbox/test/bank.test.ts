/** The simulated bank itself: its time, its order, and what it keeps apart. */
import { assert, describe, it } from "@effect/vitest"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { act, advance, begin, type Life, remainder } from "../src/Life.ts"
import { Step } from "../src/Scenario.ts"
import { accepted, inShort, world } from "./support/world.ts"

describe("time", () => {
  it.effect("never goes back, whatever the clocks of its callers say", () =>
    Effect.gen(function* () {
      const { bank, provider, order, signal } = yield* world()
      yield* TestClock.adjust(1000)
      const payment = accepted(yield* provider.createQr(order(1000)))
      assert.strictEqual(bank.control.payment(payment.reference, 400_000)?.signal._tag, "Expired")
      assert.strictEqual(yield* signal(payment), "Expired")
      const next = accepted(yield* provider.createQr(order(1000)))
      assert.strictEqual(next.expiresAt, 400_000 + 180_000, "made after it, by a clock that is behind")
    })
  )

  it.effect("lets what fell due happen in order, each at its own time, however late it is asked", () =>
    Effect.gen(function* () {
      const { bank, provider, order, refundsOf } = yield* world()
      bank.control.book.script("inv_1", {
        steps: [
          { after: "creation", ms: 5000, does: "pay", share: 1 },
          { after: "payment", ms: 1000, does: "refund", share: 0.5 },
          { after: "payment", ms: 2000, does: "refund", share: 1 },
          { after: "creation", ms: 9000, does: "refuse", share: 1 }
        ],
        faults: []
      })
      const payment = accepted(yield* provider.createQr(order(1000, "inv_1")))
      yield* TestClock.adjust("10 days")
      assert.deepStrictEqual(
        (yield* refundsOf(payment)).map(({ amount }) => amount),
        [500, 500]
      )
      const { signal } = accepted(yield* provider.createQr(order(1000, "inv_1")))
      if (signal._tag !== "Paid") return assert.fail(signal._tag)
      assert.deepStrictEqual([signal.receipt.at, ...signal.refunds.map(({ at }) => at)], [5000, 6000, 7000])
    })
  )

  it.effect("brings a late deed too late when the session was lost meanwhile", () =>
    Effect.gen(function* () {
      const { bank, provider, order, login } = yield* world()
      bank.control.faults.add({ call: "createQr", times: 1, fault: { kind: "late", delayMs: 5000 } })
      const request = order(1000)
      const call = yield* Effect.forkChild(provider.createQr(request), { startImmediately: true })
      bank.control.loseSessions(null)
      yield* TestClock.adjust(5000)
      assert.strictEqual(inShort(yield* Fiber.join(call)), "SessionLost")
      assert.strictEqual(inShort(yield* provider.stateByOurs({ ...request, session: yield* login() })), "not_found")
    })
  )
})

describe("the same calls at the same times", () => {
  const history = Effect.gen(function* () {
    const { bank, provider, byAmount, refund, signal } = yield* world({ mark: "m" })
    const seen: Array<unknown> = []
    for (const name of ["pays", "refunds_half_on_its_own", "throttles", "loses_answer", "refused_by_payer"]) {
      seen.push(yield* provider.createQr(byAmount(name)))
      yield* TestClock.adjust(700)
    }
    yield* TestClock.adjust("20 seconds")
    for (const life of bank.control.payments(0)) {
      const payment = { ...life, links: null, statusText: "" }
      seen.push(yield* provider.refund(refund(payment, `ref_${life.ours}`, 100)), yield* signal(payment))
    }
    return JSON.stringify([seen, bank.control.payments(0)])
  })

  it.effect("have the same answers", () =>
    Effect.gen(function* () {
      const first = yield* history.pipe(Effect.provide(TestClock.layer()))
      const second = yield* history.pipe(Effect.provide(TestClock.layer()))
      assert.strictEqual(first, second)
    })
  )
})

describe("a payment", () => {
  const actions = Schema.Literals(["scan", "pay", "refuse", "fail", "expire", "cancel", "refund"])
  const inputs = {
    steps: Schema.Array(Step).check(Schema.isMaxLength(6)),
    deeds: Schema.Array(
      Schema.Struct({
        does: actions,
        afterMs: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })),
        amount: Schema.Int.check(Schema.isBetween({ minimum: -10, maximum: 1200 }))
      })
    ).check(Schema.isMaxLength(8))
  }
  type Inputs = { readonly steps: ReadonlyArray<Step>; readonly deeds: ReadonlyArray<Deed> }
  type Deed = { readonly does: typeof actions.Type; readonly afterMs: number; readonly amount: number }

  const lived = ({ steps, deeds }: Inputs): ReadonlyArray<Life> => {
    const facts = { reference: "r", ours: "o", cashier: "c", phone: null, description: null, scenario: "s" }
    const amount = Tiyn(1000)
    const windows = { createdAt: 0, expiresAt: 60_000 }
    let life = begin({ ...facts, ...windows, kind: "phone", amount, receiptUrl: null, steps })
    let now = 0
    return deeds.map(({ does, afterMs, amount }) => {
      now += afterMs
      life = advance(life, now)
      const action = does === "refund" ? { does, amount: Tiyn(amount), ours: null } : { does }
      life = act(life, action, now) ?? life
      return life
    })
  }

  it.effect.prop(
    "is paid once, never un-paid, and never gives back more than was paid",
    inputs,
    (given) =>
      Effect.sync(() => {
        let receipt: number | undefined
        for (const life of lived(given)) {
          const { signal } = life
          if (receipt !== undefined) assert.strictEqual(signal._tag, "Paid")
          if (signal._tag !== "Paid") continue
          receipt ??= signal.receipt.at
          assert.strictEqual(signal.receipt.at, receipt)
          assert.isAtLeast(remainder(life), 0)
          for (const { amount } of signal.refunds) assert.isAbove(amount, 0)
        }
      }),
    { arbitrary: { runs: 300 } }
  )
})

describe("cashiers", () => {
  it.effect("may use the same id for payments of their own", () =>
    Effect.gen(function* () {
      const { provider, order, login } = yield* world()
      const first = accepted(yield* provider.createQr(order(1000, "inv_1")))
      const theirs = { ...order(2000, "inv_1"), session: yield* login("77770000002") }
      const second = accepted(yield* provider.createQr(theirs))
      assert.notStrictEqual(first.reference, second.reference)
      assert.strictEqual(accepted(yield* provider.createQr(theirs)).reference, second.reference)
    })
  )

  it.effect("take no amount that no customer could pay", () =>
    Effect.gen(function* () {
      const { provider, order } = yield* world()
      for (const amount of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
        assert.strictEqual(inShort(yield* provider.createQr(order(amount))), "invalid", String(amount))
      }
      const push = (amount: number, phone: string) => provider.createPush({ ...order(amount), phone })
      assert.strictEqual(inShort(yield* push(150, "77012345678")), "invalid", "not whole tenge")
      assert.strictEqual(inShort(yield* push(100, "87012345678")), "invalid", "no phone of the country")
      assert.strictEqual(inShort(yield* push(100, "77012345678")), "Accepted")
    })
  )
})
