/** Live requests that end in the middle, and questions that are asked again or by many. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import type { SandboxBank } from "@tolem/provider-sandbox/SandboxBank"
import type { Fault, FaultRule } from "@tolem/provider-sandbox/Scenario"
import { Clock, type Duration, Effect, Fiber } from "effect"
import { assert } from "vitest"
import { merchant, pass, world } from "../subscriptions/world.ts"

const pollMs = 60_000

/** A merchant whose cashier is logged in, and the agents of a server. */
const shop = Effect.fnUntraced(function* ({ agents, bank }: Pick<ReturnType<typeof world>, "agents" | "bank">) {
  const own = yield* quietShop(bank)
  yield* agents
  return own
})

/** One whose server has no agents. */
const quietShop = Effect.fnUntraced(function* (bank: SandboxBank) {
  const { caller, logIn } = yield* merchant("live")
  yield* logIn
  const { invoices } = yield* Engine
  return { caller, invoices, bank }
})

type Shop = Effect.Success<ReturnType<typeof shop>>

const fault = ({ bank }: Shop, call: FaultRule["call"], fault: Fault, times: number | null = 1) =>
  bank.control.faults.add({ call, times, fault })

/** Calls that have met a rule with so many at its beginning. */
const metOf = (bank: SandboxBank, call: FaultRule["call"], of: number) =>
  of - (bank.control.faults.rules().find((rule) => rule.call === call)?.times ?? 0)

/** Begins it, lets it come as far as the provider's silence, and ends it there, as a crash would. */
const crash = Effect.fnUntraced(function* <A, E, R>(request: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(request)
  yield* pass("1 second", "100 millis")
  yield* Fiber.interrupt(fiber)
})

const only = Effect.fnUntraced(function* ({ invoices }: Shop, caller: Caller) {
  const page = yield* invoices.list(caller, {})
  assert.strictEqual(page.total, 1)
  return page.invoices[0]!
})

const paymentsOf = ({ bank }: Shop) => Effect.map(Clock.currentTimeMillis, bank.control.payments)

const paid = Effect.fnUntraced(function* (own: Shop) {
  const { invoice } = yield* own.invoices.create(own.caller, { body: { amount: 5000 } })
  const found = (yield* paymentsOf(own)).find(({ ours }) => ours === invoice.id)
  assert.isDefined(own.bank.control.act(found!.reference, { does: "pay" }, yield* Clock.currentTimeMillis))
  assert.strictEqual((yield* own.invoices.get(own.caller, invoice.id, { live: true })).invoice.status, "paid")
  return invoice.id
})

const refundsAtBank = (own: Shop) =>
  Effect.map(paymentsOf(own), (payments) =>
    payments.flatMap(({ signal }) => (signal._tag === "Paid" ? signal.refunds : []))
  )

describe("a create whose server dies", () => {
  for (const done of [true, false]) {
    it.effect(`${done ? "after" : "before"} the provider has it shows what has become of it, made once`, () => {
      const made = world(pollMs)
      return Effect.gen(function* () {
        const own = yield* shop(made)
        fault(own, "createQr", { kind: "silence", done })
        const create = own.invoices.create(own.caller, { body: { amount: 5000 }, headerKey: "order-1" })
        yield* crash(create)
        const { id, status } = yield* only(own, own.caller)
        assert.strictEqual(status, "new")
        // A repetition waits no longer than the first one can have taken, and offers the same one again.
        const repeated = yield* Effect.forkChild(create)
        yield* pass("30 seconds", "1 second")
        const answered = yield* Fiber.join(repeated)
        assert.deepInclude(answered, { replayed: true, mismatch: false })
        assert.deepInclude(answered.invoice, { id, status: "pending" })
        const again = yield* create
        assert.deepStrictEqual([again.replayed, again.invoice.id], [true, id])
        assert.strictEqual((yield* paymentsOf(own)).length, 1)
      }).pipe(Effect.scoped, Effect.provide(made.engine))
    })
  }
})

describe("a create whose server dies before the provider has it, and that nobody repeats", () => {
  it.effect("gives back its key and its place in the quota", () => {
    const made = world(pollMs)
    return Effect.gen(function* () {
      const own = yield* shop(made)
      const { tariffs, integrity } = yield* Engine
      const used = Effect.map(tariffs.standing(own.caller.organizationId), ({ usage }) => usage)
      fault(own, "createQr", { kind: "silence", done: false })
      const create = own.invoices.create(own.caller, { body: { amount: 5000 }, headerKey: "order-1" })
      yield* crash(create)
      assert.deepStrictEqual(yield* used, { month: 1, day: 1 })
      yield* pass("3 minutes", "30 seconds")
      const { id, status } = yield* only(own, own.caller)
      assert.strictEqual(status, "failed")
      assert.deepStrictEqual(yield* used, { month: 0, day: 0 })
      const again = yield* create
      assert.isFalse(again.replayed)
      assert.notStrictEqual(again.invoice.id, id)
      assert.strictEqual((yield* paymentsOf(own)).length, 1)
      assert.deepStrictEqual(yield* used, { month: 1, day: 1 })
      assert.deepStrictEqual(yield* integrity.findings, [])
    }).pipe(Effect.scoped, Effect.provide(made.engine))
  })
})

describe("a refund whose server dies", () => {
  for (const done of [true, false]) {
    it.effect(`${done ? "after" : "before"} the provider has it is found out, and never made twice`, () => {
      const made = world(pollMs)
      return Effect.gen(function* () {
        const own = yield* shop(made)
        const id = yield* paid(own)
        fault(own, "refund", { kind: "silence", done })
        const refund = (headerKey?: string) => own.invoices.refund(own.caller, id, { body: {}, headerKey })
        yield* crash(refund("refund-1"))
        for (const key of ["refund-1", "refund-2", undefined]) {
          assert.strictEqual((yield* Effect.flip(refund(key)))._tag, "RefundPendingUnknown")
        }
        yield* pass("7 minutes", "1 minute")
        const { invoice, refunds } = yield* own.invoices.get(own.caller, id)
        assert.deepStrictEqual(
          [invoice.status, ...refunds.map(({ status }) => status)],
          done ? ["refunded", "succeeded"] : ["paid", "failed"]
        )
        assert.strictEqual((yield* refund("refund-1")).replayed, done)
        assert.strictEqual((yield* refundsAtBank(own)).length, 1)
      }).pipe(Effect.scoped, Effect.provide(made.engine))
    })
  }

  it.effect("or is clicked twice, or answered too late, gives the money back once", () => {
    const made = world(pollMs)
    return Effect.gen(function* () {
      const own = yield* shop(made)
      const id = yield* paid(own)
      fault(own, "refund", { kind: "slow", delayMs: 60_000 }, null)
      const refund = Effect.result(own.invoices.refund(own.caller, id, { body: {}, headerKey: "refund-1" }))
      const clicks = yield* Effect.forkChild(Effect.all([refund, refund, refund], { concurrency: "unbounded" }))
      yield* pass("30 seconds", "1 second")
      const outcomes = (yield* Fiber.join(clicks)).map((one) => (one._tag === "Failure" ? one.failure._tag : "made"))
      assert.deepStrictEqual(outcomes.toSorted(), ["RefundPendingUnknown", "RefundPendingUnknown", "RefundUnknown"])
      yield* pass("7 minutes", "1 minute")
      assert.strictEqual((yield* own.invoices.get(own.caller, id)).invoice.status, "refunded")
      assert.strictEqual((yield* refundsAtBank(own)).length, 1)
    }).pipe(Effect.scoped, Effect.provide(made.engine))
  })
})

describe("a refund that nobody tells the outcome of", () => {
  it.effect("is asked about after five minutes, an hour, daily for five days, and when it is read", () => {
    const made = world(2 * pollMs)
    return Effect.gen(function* () {
      const own = yield* quietShop(made.bank)
      const id = yield* paid(own)
      fault(own, "refund", { kind: "drop", done: false })
      fault(own, "refundState", { kind: "drop", done: false }, 1000)
      const refund = own.invoices.refund(own.caller, id, { body: {} })
      assert.strictEqual((yield* Effect.flip(refund))._tag, "RefundUnknown")
      const asked: Array<number> = []
      const wait = Effect.fnUntraced(function* (time: Duration.Input, step: Duration.Input) {
        yield* pass(time, step)
        asked.push(metOf(own.bank, "refundState", 1000))
      })
      const first = Effect.forEach(["4 minutes", "3 minutes", "1 hour"] as const, (time) => wait(time, "1 minute"))
      yield* Effect.scoped(Effect.andThen(made.agents, first))
      // Of days nearly all is the agents' looking for something to do.
      const days = Effect.forEach(["120 hours", "24 hours"] as const, (time) => wait(time, "1 hour"))
      yield* Effect.scoped(Effect.andThen(made.agentsEvery(30 * pollMs), days))
      assert.deepStrictEqual(asked, [0, 1, 2, 7, 7])
      assert.strictEqual((yield* Effect.flip(refund))._tag, "RefundPendingUnknown")
      own.bank.control.faults.clear()
      const { refunds } = yield* own.invoices.get(own.caller, id, { live: true })
      assert.deepStrictEqual(
        refunds.map(({ status }) => status),
        ["failed"]
      )
      assert.strictEqual((yield* refund).invoice.status, "refunded")
    }).pipe(Effect.scoped, Effect.provide(made.engine))
  })
})

describe("fifty who ask at the same moment", () => {
  it.effect("get one answer of one question, and one change", () => {
    const made = world(3_600_000)
    return Effect.gen(function* () {
      const own = yield* shop(made)
      const { invoice } = yield* own.invoices.create(own.caller, { body: { amount: 5000 } })
      const [payment] = yield* paymentsOf(own)
      own.bank.control.act(payment!.reference, { does: "pay" }, yield* Clock.currentTimeMillis)
      fault(own, "stateByReference", { kind: "slow", delayMs: 500 }, 1000)
      const ask = own.invoices.get(own.caller, invoice.id, { live: true })
      const asking = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 50 }, () => ask),
          { concurrency: 50 }
        )
      )
      yield* pass("1 second", "100 millis")
      const answers = yield* Fiber.join(asking)
      assert.deepStrictEqual(new Set(answers.map((one) => one.invoice.status)), new Set(["paid"]))
      assert.strictEqual(metOf(own.bank, "stateByReference", 1000), 1)
      const types = answers.map(({ events }) => events.map(({ type }) => type).join())
      assert.deepStrictEqual(new Set(types), new Set(["invoice.created,invoice.pending,invoice.paid"]))
    }).pipe(Effect.scoped, Effect.provide(made.engine))
  })
})
