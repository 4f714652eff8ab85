/** Each scenario as a merchant's team would meet it, chosen by the amount. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { phoneOf, scenarios } from "../src/Scenarios.ts"
import { accepted, inShort, type World, world } from "./support/world.ts"

const pass = (seconds: number) => TestClock.adjust(`${seconds} seconds`)

/** A call that ends at its deadline. */
const outwaited = <A>(call: Effect.Effect<A>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(call, { startImmediately: true })
    yield* pass(8)
    return yield* Fiber.join(fiber)
  })

type Story = (world: World, name: string) => Effect.fn.Return<void>

/** Signals after so many seconds since the payment was made. */
const follows = (expected: Readonly<Record<number, string>>): Story =>
  function* ({ provider, byAmount, signal }, name) {
    const payment = accepted(yield* provider.createQr(byAmount(name)))
    let passed = 0
    for (const [second, state] of Object.entries(expected)) {
      yield* pass(Number(second) - passed)
      passed = Number(second)
      assert.strictEqual(yield* signal(payment), state, `after ${second} s`)
    }
  }

/** The first create is answered so, and afterwards the payment is there or not. */
const creates = (answer: string, taken: boolean): Story =>
  function* ({ provider, byAmount }, name) {
    const order = byAmount(name)
    const first = yield* answer === "timeout" ? outwaited(provider.createQr(order)) : provider.createQr(order)
    assert.strictEqual(inShort(first), answer)
    const state = yield* provider.stateByOurs(order)
    assert.strictEqual(inShort(state), taken ? "Accepted" : "not_found")
  }

const paid = Effect.fnUntraced(function* ({ provider, byAmount }: World, name: string) {
  const payment = accepted(yield* provider.createQr(byAmount(name)))
  yield* pass(2)
  return payment
})

const stories: Readonly<Record<string, Story>> = {
  waits: function* ({ provider, order, signal }) {
    const payment = accepted(yield* provider.createQr(order(123_400)))
    yield* pass(179)
    assert.strictEqual(yield* signal(payment), "Waiting")
    yield* pass(1)
    assert.strictEqual(yield* signal(payment), "Expired")
  },
  pays: follows({ 0: "Waiting", 1: "Scanned", 2: "Paid", 400: "Paid" }),
  pays_slowly: follows({ 59: "Waiting", 60: "Paid" }),
  pays_after_expiry: follows({ 179: "Waiting", 180: "Expired", 199: "Expired", 200: "Paid" }),
  pays_after_cancel: function* ({ provider, byPhone, session, signal }, name) {
    const payment = accepted(yield* provider.createPush(byPhone(name)))
    accepted(yield* provider.cancel({ session, reference: payment.reference }))
    yield* pass(4)
    assert.strictEqual(yield* signal(payment), "Cancelled")
    yield* pass(1)
    assert.strictEqual(yield* signal(payment), "Paid")
  },
  refused_by_payer: follows({ 0: "Waiting", 1: "Scanned", 2: "RefusedByPayer", 400: "RefusedByPayer" }),
  fails: follows({ 1: "Scanned", 2: "Failed", 400: "Failed" }),
  never_answers: creates("timeout", false),
  loses_answer: creates("connection", true),
  answers_twice: function* (given, name) {
    const payment = yield* paid(given, name)
    accepted(yield* given.provider.refund(given.refund(payment)))
    assert.deepStrictEqual(yield* given.refundsOf(payment), [{ ours: "ref_1", amount: 100_900 }])
    assert.strictEqual(given.bank.control.payments(0).length, 1)
  },
  answers_500: creates("server_error", false),
  is_slow: function* ({ provider, byAmount }, name) {
    const call = yield* Effect.forkChild(provider.createQr(byAmount(name)), { startImmediately: true })
    yield* pass(4)
    assert.isUndefined(call.pollUnsafe())
    yield* pass(1)
    assert.strictEqual(inShort(yield* Fiber.join(call)), "Accepted")
  },
  is_too_slow: function* ({ provider, byAmount }, name) {
    const order = byAmount(name)
    assert.strictEqual(inShort(yield* outwaited(provider.createQr(order))), "timeout")
    assert.strictEqual(inShort(yield* provider.stateByOurs(order)), "not_found")
    yield* pass(12)
    assert.strictEqual(accepted(yield* provider.stateByOurs(order)).signal._tag, "Waiting")
    yield* pass(2)
    assert.strictEqual(accepted(yield* provider.stateByOurs(order)).signal._tag, "Paid")
  },
  loses_session: function* ({ provider, byAmount, session, login, signal }, name) {
    const payment = accepted(yield* provider.createQr(byAmount(name)))
    assert.strictEqual(yield* signal(payment), "SessionLost")
    assert.strictEqual(inShort(yield* provider.checkSession(session)), "SessionLost")
    const { reference } = payment
    accepted(yield* provider.stateByReference({ session: yield* login(), reference }))
  },
  throttles: function* ({ provider, byAmount, signal }, name) {
    const payment = accepted(yield* provider.createQr(byAmount(name)))
    for (let n = 0; n < 3; n++) assert.strictEqual(yield* signal(payment), "Throttled")
    yield* pass(2)
    assert.strictEqual(yield* signal(payment), "Paid")
  },
  refuses_refund: function* (given, name) {
    const payment = yield* paid(given, name)
    const refund = given.provider.refund(given.refund(payment))
    for (let n = 0; n < 2; n++) assert.strictEqual(inShort(yield* refund), "not_refundable")
    assert.deepStrictEqual(yield* given.refundsOf(payment), [])
  },
  loses_refund_answer: function* (given, name) {
    const payment = yield* paid(given, name)
    const request = given.refund(payment)
    assert.strictEqual(inShort(yield* given.provider.refund(request)), "connection")
    assert.strictEqual(accepted(yield* given.provider.refundState(request)).amount, payment.amount)
    accepted(yield* given.provider.refund(request))
    assert.strictEqual((yield* given.refundsOf(payment)).length, 1)
  },
  loses_refund: function* (given, name) {
    const payment = yield* paid(given, name)
    const request = given.refund(payment)
    assert.strictEqual(inShort(yield* outwaited(given.provider.refund(request))), "timeout")
    assert.strictEqual(inShort(yield* given.provider.refundState(request)), "not_found")
    accepted(yield* given.provider.refund(request))
  },
  refunds_too_late: function* (given, name) {
    const payment = yield* paid(given, name)
    const request = given.refund(payment)
    assert.strictEqual(inShort(yield* outwaited(given.provider.refund(request))), "timeout")
    assert.strictEqual(inShort(yield* given.provider.refundState(request)), "not_found")
    yield* pass(12)
    accepted(yield* given.provider.refundState(request))
    assert.strictEqual((yield* given.refundsOf(payment)).length, 1)
  },
  refunds_on_its_own: function* (given, name) {
    const payment = yield* paid(given, name)
    yield* pass(9)
    assert.deepStrictEqual(yield* given.refundsOf(payment), [])
    yield* pass(1)
    assert.deepStrictEqual(yield* given.refundsOf(payment), [{ ours: null, amount: 101_900 }])
  },
  refunds_half_on_its_own: function* (given, name) {
    const payment = yield* paid(given, name)
    yield* pass(10)
    assert.deepStrictEqual(yield* given.refundsOf(payment), [{ ours: null, amount: 51_000 }])
  },
  refuses_create: creates("invalid", false),
  refuses_cancel: function* ({ provider, byPhone, session, signal }, name) {
    const payment = accepted(yield* provider.createPush(byPhone(name)))
    assert.strictEqual(inShort(yield* provider.cancel({ session, reference: payment.reference })), "not_open")
    assert.strictEqual(yield* signal(payment), "Waiting")
    yield* pass(60)
    assert.strictEqual(yield* signal(payment), "Paid")
  },
  answers_garbage: function* ({ provider, byAmount, signal }, name) {
    const payment = accepted(yield* provider.createQr(byAmount(name)))
    for (let n = 0; n < 3; n++) assert.strictEqual(yield* signal(payment), "unreadable")
    assert.strictEqual(yield* signal(payment), "Waiting")
  },
  rejects_number: function* ({ begin, cashier }, name) {
    const { sent, verify } = yield* begin(cashier(name))
    assert.strictEqual(inShort(sent), "number_rejected")
    assert.strictEqual(inShort(yield* verify), "wrong_code")
  },
  wrong_code: function* ({ begin, cashier }, name) {
    const { sent, verify } = yield* begin(cashier(name))
    accepted(sent)
    for (let n = 0; n < 2; n++) assert.strictEqual(inShort(yield* verify), "wrong_code")
  },
  session_breaks: function* ({ provider, login, cashier }, name) {
    const session = yield* login(cashier(name))
    for (let n = 0; n < 2; n++) assert.strictEqual(inShort(yield* provider.checkSession(session)), "SessionLost")
    accepted(yield* provider.checkSession(yield* login(cashier(name))))
  }
}

describe("scenario", () => {
  for (const { name } of scenarios) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const given = yield* world()
        const story = stories[name]
        if (story === undefined) return assert.fail("nobody tells what happens in it")
        yield* Effect.gen(() => story(given, name))
      })
    )
  }

  it("is chosen by a phone as by an amount, and by nothing else", () => {
    const chosen = scenarios.flatMap((scenario) => phoneOf(scenario) ?? [])
    assert.strictEqual(new Set(chosen).size, scenarios.length - 1)
    for (const phone of chosen) assert.match(phone, /^7700000[0-9]{4}$/)
  })

  it.effect("of a phone wins over that of the amount", () =>
    Effect.gen(function* () {
      const { provider, byAmount, byPhone } = yield* world()
      const { amount } = byAmount("refuses_create")
      const answer = yield* provider.createPush({ ...byPhone("pays"), amount })
      assert.strictEqual(inShort(answer), "Accepted")
    })
  )
})
