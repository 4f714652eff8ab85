/** What the watcher learns of live invoices as time passes, whatever the provider does meanwhile. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import { Integrity } from "@tolem/core/engine/Integrity"
import { defaults } from "@tolem/core/engine/Settings"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { ofTransaction } from "@tolem/core/invoice/NewInvoice"
import type { SandboxBank } from "@tolem/provider-sandbox/SandboxBank"
import { invoiceOf, withEvent } from "@tolem/testing/fixtures"
import { Clock, Effect, Option } from "effect"
import { assert } from "vitest"
import { merchant, pass, world } from "../subscriptions/world.ts"

const create = Effect.fnUntraced(function* (caller: Caller, body: object = {}) {
  const { invoices } = yield* Engine
  return (yield* invoices.create(caller, { body: { amount: 5000, ...body } })).invoice
})

const read = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const { invoices } = yield* Engine
  return yield* invoices.get(caller, id)
})

/** The customer, or the bank, does something to the payment of an invoice. */
const act = Effect.fnUntraced(function* (
  bank: SandboxBank,
  id: string,
  action: Parameters<SandboxBank["control"]["act"]>[1]
) {
  const now = yield* Clock.currentTimeMillis
  const found = bank.control.payments(now).find(({ ours }) => ours === id)
  assert.isDefined(found)
  assert.isDefined(bank.control.act(found!.reference, action, now))
})

const pay = (bank: SandboxBank, id: string) => act(bank, id, { does: "pay" })

describe("the watcher", () => {
  for (const closing of ["expiry", "cancellation"] as const) {
    it.effect(`sees late money for 24 hours after ${closing}, and no longer`, () => {
      const { engine, bank, agents } = world()
      return Effect.gen(function* () {
        const { caller, logIn } = yield* merchant("live")
        yield* logIn
        yield* agents
        const [late, never] = [yield* create(caller), yield* create(caller)]
        const { invoices } = yield* Engine
        if (closing === "cancellation") {
          yield* Effect.forEach([late, never], ({ id }) => invoices.cancel(caller, id), { discard: true })
        }
        yield* pass("23 hours", "15 minutes")
        assert.strictEqual(
          (yield* read(caller, late.id)).invoice.status,
          closing === "expiry" ? "expired" : "cancelled"
        )
        yield* pay(bank, late.id)
        yield* pass("2 hours", "10 minutes")
        const { invoice, events } = yield* read(caller, late.id)
        assert.deepInclude(invoice, { status: "paid", late: true })
        assert.deepInclude(events.at(-1), { type: "invoice.paid", late: true, source: "provider" })
        yield* pass("2 hours", "10 minutes")
        yield* pay(bank, never.id)
        yield* pass("3 hours", "10 minutes")
        assert.notStrictEqual((yield* read(caller, never.id)).invoice.status, "paid")
        assert.isNull((yield* read(caller, never.id)).invoice.dueAt)
      }).pipe(Effect.scoped, Effect.provide(engine))
    })
  }

  it.effect("forgets nothing while a cashier is logged out, and goes on when they are back", () => {
    const { engine, bank, agents } = world(1_000)
    return Effect.gen(function* () {
      const { caller, logIn, cashier } = yield* merchant("live")
      yield* logIn
      yield* agents
      const { id } = yield* create(caller, { kind: "phone", customer: { phone: "77011112233" } })
      bank.control.loseSessions(null)
      yield* pay(bank, id)
      yield* pass("5 minutes", "5 seconds")
      const { connections } = yield* Engine
      assert.strictEqual((yield* connections.get(caller.organizationId, cashier.id)).status, "expired")
      assert.strictEqual((yield* read(caller, id)).invoice.status, "pending")
      yield* logIn
      yield* pass("2 minutes", "5 seconds")
      assert.strictEqual((yield* read(caller, id)).invoice.status, "paid")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("waits as long as a provider asks it to, and then sees what has happened", () => {
    const { engine, bank, agents } = world(1_000)
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      yield* logIn
      yield* agents
      const { id } = yield* create(caller)
      bank.control.faults.add({ call: "stateByReference", times: 1, fault: { kind: "throttle", retryAfterMs: 60_000 } })
      yield* pass("10 seconds", "1 second")
      assert.deepStrictEqual(bank.control.faults.rules(), [])
      yield* pay(bank, id)
      yield* pass("30 seconds", "1 second")
      assert.strictEqual((yield* read(caller, id)).invoice.status, "pending")
      yield* pass("40 seconds", "1 second")
      assert.strictEqual((yield* read(caller, id)).invoice.status, "paid")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("has invoices made whose transaction is committed, as soon as it can, for a while", () => {
    const waitingMs = { ...defaults.waitingMs, transaction: 10 * 60_000 }
    const { engine, bank, agents } = world(1_000, { settings: (settings) => ({ ...settings, waitingMs }) })
    return Effect.gen(function* () {
      const { caller, logIn, cashier } = yield* merchant("live")
      yield* logIn
      const { connections } = yield* Engine
      const store = yield* InvoiceStore
      const { organizationId } = caller
      const stored = Effect.fnUntraced(function* (members: Partial<Invoice> = {}) {
        const createdAt = yield* Clock.currentTimeMillis
        const facts = { organizationId, mode: "live", connectionId: cashier.id, status: "new" } as const
        const own = invoiceOf({
          ...facts,
          countedOn: "2026-01-10",
          expiresAt: null,
          createdAt,
          updatedAt: createdAt,
          ...members
        })
        yield* store.insertMany([withEvent(ofTransaction(own, { ...defaults, waitingMs }))])
        return own.id
      })
      const statusOf = (id: string) => Effect.map(read(caller, id), ({ invoice }) => invoice.status)
      const phone = { kind: "phone", customer: { name: null, phone: "77011112233", email: null } } as const
      yield* agents
      const both = [yield* stored(), yield* stored(phone)]
      yield* pass("3 seconds", "1 second")
      assert.deepStrictEqual(yield* Effect.forEach(both, statusOf), ["pending", "pending"])
      const throttled = yield* stored(phone)
      bank.control.faults.add({ call: "createPush", times: 1, fault: { kind: "throttle", retryAfterMs: 1_000 } })
      yield* pass("3 seconds", "1 second")
      assert.strictEqual(yield* statusOf(throttled), "new")
      yield* pass("30 seconds", "1 second")
      assert.strictEqual(yield* statusOf(throttled), "pending")
      yield* connections.change(organizationId, cashier.id, { _tag: "Disabled" })
      const [waits, never] = [yield* stored(phone), yield* stored()]
      yield* pass("2 minutes", "10 seconds")
      assert.strictEqual(yield* statusOf(waits), "new")
      // Each try has put it behind what else is due.
      const [tried] = (yield* store.details([waits])).map(Option.getOrThrow)
      assert.isAbove(tried!.invoice.dueAt ?? 0, tried!.invoice.createdAt + 60_000)
      yield* connections.change(organizationId, cashier.id, { _tag: "Enabled" })
      bank.control.faults.add({ call: "createQr", times: null, fault: { kind: "throttle", retryAfterMs: 1_000 } })
      yield* pass("2 minutes", "10 seconds")
      assert.deepStrictEqual([yield* statusOf(waits), yield* statusOf(never)], ["pending", "new"])
      yield* pass("9 minutes", "10 seconds")
      assert.strictEqual(yield* statusOf(never), "expired")
      assert.deepStrictEqual(yield* Integrity.use(({ findings }) => findings), [])
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("lets one cashier's many invoices, and their trouble, hold up no one else's", () => {
    const { engine, bank, agents } = world(1_000)
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      yield* logIn
      const body = { kind: "phone", amount: 10, customer: { phone: "77011112233" } }
      yield* Effect.forEach(Array.from({ length: 1000 }), () => create(caller, body), { discard: true })
      const second = yield* merchant("live")
      yield* second.logIn
      yield* agents
      const own = yield* create(second.caller)
      yield* pay(bank, own.id)
      yield* pass("8 seconds", "1 second")
      assert.strictEqual((yield* read(second.caller, own.id)).invoice.status, "paid")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("finds out what became of a refund that nobody answered, made or not", () => {
    const { engine, bank, agents } = world(60_000)
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      yield* logIn
      yield* agents
      const { invoices } = yield* Engine
      for (const done of [true, false]) {
        const { id } = yield* create(caller)
        yield* pay(bank, id)
        yield* pass("2 minutes", "1 minute")
        bank.control.faults.add({ call: "refund", times: 1, fault: { kind: "drop", done } })
        const refund = invoices.refund(caller, id, { body: {}, headerKey: `refund ${done}` })
        assert.strictEqual((yield* Effect.flip(refund))._tag, "RefundUnknown")
        assert.strictEqual((yield* Effect.flip(refund))._tag, "RefundPendingUnknown")
        yield* pass("7 minutes", "1 minute")
        const { invoice, refunds } = yield* read(caller, id)
        assert.deepStrictEqual(
          refunds.map(({ status }) => status),
          [done ? "succeeded" : "failed"]
        )
        assert.strictEqual(invoice.status, done ? "refunded" : "paid")
      }
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("brings in what was given back in the provider's own app", () => {
    const { engine, bank, agents } = world(60_000)
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant("live")
      yield* logIn
      yield* agents
      const { id } = yield* create(caller)
      yield* pay(bank, id)
      yield* pass("2 minutes", "1 minute")
      yield* act(bank, id, { does: "refund", amount: null, ours: null })
      yield* pass("62 minutes", "2 minutes")
      const { invoice, refunds } = yield* read(caller, id)
      assert.strictEqual(invoice.status, "refunded")
      assert.deepInclude(refunds[0], { status: "succeeded", idempotencyKey: null, amount: invoice.amount })
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
