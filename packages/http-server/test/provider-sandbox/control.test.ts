/** The control API of the listening sandbox, and faults that only a network can show. */
import { assert, describe, it } from "@effect/vitest"
import { PaymentProvider, type ProviderSession } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { accepted, inShort } from "../../../provider-sandbox/test/support/world.ts"
import { layer, Sandbox } from "./support/server.ts"

const onServer = (name: string, body: () => Effect.fn.Return<void, unknown, Sandbox | PaymentProvider>) =>
  it.effect(name, () => Effect.provide(Effect.gen(body), Layer.fresh(layer)))

const login = Effect.fnUntraced(function* (phone = "77770000001") {
  const provider = yield* PaymentProvider
  const { processId } = accepted(yield* provider.initLogin())
  accepted(yield* provider.sendPhone({ processId, phone }))
  return accepted(yield* provider.verifyOtp({ processId, otp: Redacted.make("111111") }))
})

const order = (session: ProviderSession, ours = "inv_1", amount = 150_000) => ({
  session,
  ours,
  amount: Tiyn(amount),
  description: "Екі кофе"
})

const signalOf = Effect.fnUntraced(function* (session: ProviderSession, ours = "inv_1") {
  const answer = yield* (yield* PaymentProvider).stateByOurs({ session, ours })
  return answer._tag === "Accepted" ? answer.value.signal._tag : inShort(answer)
})

describe("payments", () => {
  onServer("are listed with who made them, how and when", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    yield* TestClock.adjust(1000)
    const { reference } = accepted(yield* provider.createPush({ ...order(session), phone: "77012345678" }))
    const listed = yield* call("GET", "/control/payments")
    const seen = {
      reference,
      ours: "inv_1",
      amount: 150_000,
      cashier: "77770000001",
      kind: "phone",
      phone: "77012345678",
      description: "Екі кофе",
      scenario: "waits",
      state: "waiting",
      statusText: "Waiting",
      qrUrl: null,
      deepLink: null,
      receipt: null,
      refunds: [],
      createdAt: 1000,
      expiresAt: 86_401_000
    }
    assert.deepStrictEqual(listed, { payments: [seen] })
    assert.deepStrictEqual(yield* call("GET", `/control/payments/${reference}`), seen)
  })

  onServer("can be scanned, paid, given back, refused, failed, let expire and cancelled", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    const ends = { refuse: "RefusedByPayer", fail: "Failed", expire: "Expired", cancel: "Cancelled", pay: "Paid" }
    for (const [does, signal] of Object.entries(ends)) {
      const { reference } = accepted(yield* provider.createQr(order(session, `inv_${does}`)))
      yield* call("POST", `/control/payments/${reference}/scan`)
      assert.strictEqual(yield* signalOf(session, `inv_${does}`), "Scanned")
      yield* call("POST", `/control/payments/${reference}/${does}`)
      assert.strictEqual(yield* signalOf(session, `inv_${does}`), signal)
      const again = yield* (yield* Sandbox).answer("POST", `/control/payments/${reference}/${does}`)
      assert.strictEqual(again.status, 409)
      if (does === "pay") yield* call("POST", `/control/payments/${reference}/refund`, { amount: 50_000 })
      if (does === "pay") yield* call("POST", `/control/payments/${reference}/refund`)
    }
    const answer = accepted(yield* provider.stateByOurs({ session, ours: "inv_pay" }))
    const refunds = answer.signal._tag === "Paid" ? answer.signal.refunds : []
    assert.deepStrictEqual(
      refunds.map(({ amount }) => Number(amount)),
      [50_000, 100_000]
    )
  })
})

describe("scenarios", () => {
  onServer("can be made, and chosen by their amount, for the next payments and as the usual one", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    const steps = [{ after: "creation", ms: 3000, does: "pay" }]
    yield* call("PUT", "/control/scenarios/pays_in_three", { number: 77, steps })
    yield* call("POST", "/control/next", { scenario: "pays_in_three" })
    accepted(yield* provider.createQr(order(session, "inv_next")))
    accepted(yield* provider.createQr(order(session, "inv_plain")))
    accepted(yield* provider.createQr(order(session, "inv_amount", 107_700)))
    yield* call("POST", "/control/default", { scenario: "pays_in_three" })
    accepted(yield* provider.createQr(order(session, "inv_usual")))
    yield* TestClock.adjust(3000)
    assert.strictEqual(yield* signalOf(session, "inv_next"), "Paid")
    assert.strictEqual(yield* signalOf(session, "inv_plain"), "Waiting")
    assert.strictEqual(yield* signalOf(session, "inv_amount"), "Paid")
    assert.strictEqual(yield* signalOf(session, "inv_usual"), "Paid")
  })

  onServer("can be a script for one payment, with steps and faults", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    yield* call("PUT", "/control/scripts/inv_1", {
      steps: [
        { after: "creation", ms: 1000, does: "pay" },
        { after: "payment", ms: 1000, does: "refund", share: 0.2 }
      ],
      faults: [{ call: "stateByOurs", times: 2, fault: { kind: "error", status: 503 } }]
    })
    accepted(yield* provider.createQr(order(session)))
    assert.strictEqual(yield* signalOf(session), "server_error")
    assert.strictEqual(yield* signalOf(session), "server_error")
    yield* TestClock.adjust(2000)
    const { signal } = accepted(yield* provider.stateByOurs({ session, ours: "inv_1" }))
    assert.strictEqual(signal._tag === "Paid" ? signal.refunds[0]?.amount : undefined, Tiyn(30_000))
  })
})

describe("the bank", () => {
  onServer("can be sent ahead in time without waiting", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    accepted(yield* provider.createQr(order(session)))
    assert.deepStrictEqual(yield* call("POST", "/control/clock", { advanceMs: 179_999 }), { now: 179_999 })
    assert.strictEqual(yield* signalOf(session), "Waiting")
    yield* call("POST", "/control/clock", { advanceMs: 1 })
    assert.strictEqual(yield* signalOf(session), "Expired")
  })

  onServer("can lose the sessions of one cashier, or all", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const [first, second] = [yield* login("77770000001"), yield* login("77770000002")]
    assert.deepStrictEqual(yield* call("POST", "/control/sessions/lose", { phone: "77770000001" }), { lost: 1 })
    assert.strictEqual(inShort(yield* provider.checkSession(first)), "SessionLost")
    assert.strictEqual(inShort(yield* provider.checkSession(second)), "Accepted")
    assert.deepStrictEqual(yield* call("POST", "/control/sessions/lose"), { lost: 1 })
    assert.strictEqual(inShort(yield* provider.checkSession(second)), "SessionLost")
  })

  onServer("forgets everything when it is told to", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    const before = accepted(yield* provider.createQr(order(session)))
    yield* call("POST", "/control/faults", { call: "any", times: null, fault: { kind: "drop" } })
    yield* call("POST", "/control/reset")
    assert.deepStrictEqual(yield* call("GET", "/control/payments"), { payments: [] })
    assert.strictEqual(inShort(yield* provider.checkSession(session)), "SessionLost")
    const after = accepted(yield* provider.createQr(order(yield* login())))
    assert.notStrictEqual(after.reference, before.reference)
  })
})

describe("faults", () => {
  onServer("are listed until they are used up, and can be taken back", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    const throttle = { kind: "throttle", retryAfterMs: 1500 }
    yield* call("POST", "/control/faults", { call: "checkSession", times: 2, fault: throttle })
    assert.deepStrictEqual(yield* provider.checkSession(session), { _tag: "Throttled", retryAfterMs: 1500 })
    const left = { faults: [{ call: "checkSession", times: 1, fault: throttle }] }
    assert.deepStrictEqual(yield* call("GET", "/control/faults"), left)
    yield* call("DELETE", "/control/faults")
    accepted(yield* provider.checkSession(session))
  })

  onServer("cut the connection, before or after the deed", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    yield* call("POST", "/control/faults", { call: "createQr", fault: { kind: "drop" } })
    assert.strictEqual(inShort(yield* provider.createQr(order(session))), "connection")
    assert.deepStrictEqual(yield* call("GET", "/control/payments"), { payments: [] })
    yield* call("POST", "/control/faults", { call: "createQr", fault: { kind: "drop", done: true } })
    assert.strictEqual(inShort(yield* provider.createQr(order(session))), "connection")
    assert.strictEqual(yield* signalOf(session), "Waiting")
  })

  onServer("make an answer slow: done at once, told later", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    yield* call("POST", "/control/faults", { call: "createQr", fault: { kind: "slow", delayMs: 5000 } })
    const creating = yield* Effect.forkChild(provider.createQr(order(session)), { startImmediately: true })
    while ((yield* signalOf(session)) === "not_found") yield* Effect.yieldNow
    assert.isUndefined(creating.pollUnsafe())
    yield* TestClock.adjust(5000)
    assert.strictEqual(inShort(yield* Fiber.join(creating)), "Accepted")
  })

  onServer("make a deed late: done when its caller has long gone", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    yield* call("POST", "/control/faults", { call: "createQr", fault: { kind: "late", delayMs: 20_000 } })
    const creating = yield* Effect.forkChild(provider.createQr(order(session)), { startImmediately: true })
    const arrived = { faults: [] }
    while (JSON.stringify(yield* call("GET", "/control/faults")) !== JSON.stringify(arrived)) yield* Effect.yieldNow
    yield* TestClock.adjust(8000)
    assert.strictEqual(inShort(yield* Fiber.join(creating)), "timeout")
    assert.strictEqual(yield* signalOf(session), "not_found")
    yield* TestClock.adjust(12_000)
    assert.strictEqual(yield* signalOf(session), "Waiting")
  })
})

describe("what cannot be understood", () => {
  const wrong: ReadonlyArray<readonly ["GET" | "POST" | "PUT", string, object | undefined, number]> = [
    ["POST", "/control/payments/none/pay", undefined, 404],
    ["GET", "/control/payments/none", undefined, 404],
    ["POST", "/control/next", { scenario: "none" }, 422],
    ["POST", "/control/default", {}, 422],
    ["POST", "/control/clock", { advanceMs: -1 }, 422],
    ["POST", "/control/faults", { call: "createQr", fault: { kind: "error", status: 200 } }, 422],
    ["POST", "/control/faults", { call: "createQr", fault: { kind: "mischief" } }, 422],
    ["POST", "/control/faults", { call: "sing", fault: { kind: "drop" } }, 422],
    ["PUT", "/control/scenarios/x", { steps: [{ after: "creation", ms: 1.5, does: "pay" }] }, 422],
    ["POST", "/v1/payments", { ours: "inv_1", amount: "1500", description: null, phone: null }, 422],
    ["POST", "/v1/payments", { ours: "..", amount: 1500, description: null, phone: null }, 422],
    ["GET", "/v2/payments", undefined, 404]
  ]

  onServer("is refused, and changes nothing", function* () {
    const { answer, call } = yield* Sandbox
    for (const [method, path, body, status] of wrong) {
      assert.strictEqual((yield* answer(method, path, body)).status, status, `${method} ${path}`)
    }
    assert.deepStrictEqual(yield* call("GET", "/control/faults"), { faults: [] })
    assert.deepStrictEqual(yield* call("GET", "/control/payments"), { payments: [] })
  })
})

describe("differences of the list of operations", () => {
  onServer("are told until they are taken back", function* () {
    const { call } = yield* Sandbox
    const provider = yield* PaymentProvider
    const session = yield* login()
    for (const ours of ["inv_1", "inv_2"]) {
      const { reference } = accepted(yield* provider.createQr(order(session, ours)))
      yield* call("POST", `/control/payments/${reference}/pay`, {})
    }
    const asked = { session, from: 0, until: 86_400_000, after: null, limit: 250 }
    const list = Effect.map(provider.listOperations(asked), (answer) => accepted(answer).operations)
    const [first, second] = yield* list
    if (first === undefined || second === undefined) return assert.fail("two payments")
    yield* call("POST", "/control/operations", { does: "hidden", reference: first.reference })
    yield* call("POST", "/control/operations", { does: "amount", reference: second.reference, amount: 7 })
    const extra = { kind: "payment", reference: "m-9", payment: "p-9", amount: 900 }
    yield* call("POST", "/control/operations", { does: "extra", cashier: "77770000001", at: 5000, ...extra })
    yield* call("POST", "/control/operations", { does: "extra", cashier: "77770000002", at: 5000, ...extra })
    assert.deepStrictEqual(yield* list, [
      { ...second, amount: Tiyn(7) },
      { ...extra, kind: "payment", ours: null, at: 5000, amount: Tiyn(900) }
    ])
    yield* call("DELETE", "/control/operations")
    assert.deepStrictEqual(yield* list, [first, second])
  })
})
