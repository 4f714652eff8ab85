/** Invoices that wait for their pages: of subscriptions, links and hooks. Nobody waits for ever. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import type { Mode } from "@tolem/core/value/Mode"
import { Clock, Effect } from "effect"
import { assert } from "vitest"
import { merchant, pass, world } from "./world.ts"

const hour = 3_600_000
const weekly = { amount: 500, kind: "qr", interval: "month", customer: { email: "a@b.kz" } }

const invoicesOf = Effect.fnUntraced(function* (caller: Caller) {
  const { invoices } = yield* Engine
  return (yield* invoices.list(caller, { limit: 200 })).invoices.toReversed()
})
const sound = Effect.gen(function* () {
  const { integrity } = yield* Engine
  assert.deepStrictEqual(yield* integrity.findings, [])
})

/** Heard by the merchant's endpoint, by invoice. */
const heardOf = Effect.fnUntraced(function* (caller: Caller, endpointId: string) {
  const { webhooks } = yield* Engine
  const page = yield* webhooks.deliveries(caller, endpointId, { limit: 200 })
  return page.deliveries.map(({ invoiceId, kind }) => `${kind} ${invoiceId}`).toSorted()
})

describe.each(["sandbox", "live"] as const)("in %s", (mode: Mode) => {
  it.effect("an invoice of a subscription waits for a week, and then the ladder of its run goes on", () => {
    const { engine, agents, bank } = world(hour)
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant(mode)
      yield* logIn
      const { subscriptions, webhooks } = yield* Engine
      const { endpoint } = yield* webhooks.create(caller, { url: "https://shop.example.kz/hook" })
      yield* subscriptions.create(caller, { body: { ...weekly, retry: [2], maxRuns: 1 } })
      yield* agents
      yield* pass("1 hour")
      const [first] = yield* invoicesOf(caller)
      assert.deepInclude(first, { status: "new", stage: "waits", validUntil: first!.createdAt + 7 * 24 * hour })
      yield* pass("166 hours", "24 hours")
      assert.strictEqual((yield* invoicesOf(caller))[0]!.status, "new")
      yield* pass("5 hours", "1 hour")
      const expired = (yield* invoicesOf(caller))[0]!
      assert.deepInclude(expired, { status: "expired", dueAt: null })
      assert.deepStrictEqual(yield* heardOf(caller, endpoint.id), [`invoice.expired ${first!.id}`])
      const all = yield* invoicesOf(caller)
      assert.deepStrictEqual(
        all.map(({ status, metadata }) => [status, JSON.parse(metadata ?? "{}").run]),
        [
          ["expired", 1],
          ["new", 1]
        ]
      )
      yield* pass("8 days", "24 hours")
      assert.deepStrictEqual(
        (yield* invoicesOf(caller)).map(({ status }) => status),
        ["expired", "expired"]
      )
      assert.deepStrictEqual(bank.control.payments(yield* Clock.currentTimeMillis), [])
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("an invoice of a link or a hook waits for a day", () => {
    const { engine, agents } = world()
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant(mode)
      yield* logIn
      const { paymentLinks, formHooks, opening } = yield* Engine
      const { slug } = yield* paymentLinks.create(caller, { title: "Tea", amount: 10 })
      const { id } = yield* formHooks.create(caller, { name: "Form" })
      yield* agents
      yield* paymentLinks.pay(slug, {})
      yield* formHooks.submit(id, [["amount", "10"]])
      const opened = yield* opening.open(yield* paymentLinks.pay(slug, {}))
      assert.strictEqual(opened.status, "pending")
      yield* pass("23 hours", "1 hour")
      const statuses = Effect.map(invoicesOf(caller), (all) => all.map(({ status }) => status).toSorted())
      assert.deepStrictEqual(yield* statuses, ["expired", "new", "new"])
      yield* pass("90 minutes")
      assert.deepStrictEqual(yield* statuses, ["expired", "expired", "expired"])
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("a merchant's idempotency key stalls no run, whatever its text", () => {
    const { engine, agents } = world()
    return Effect.gen(function* () {
      const { caller, logIn } = yield* merchant(mode)
      yield* logIn
      const { subscriptions, invoices } = yield* Engine
      const { subscription } = yield* subscriptions.create(caller, { body: weekly })
      const taken = { body: { amount: 1 }, headerKey: `subscription/${subscription.id}/1/0` }
      const own = yield* invoices.create(caller, taken)
      yield* agents
      yield* pass("30 minutes")
      const { invoice: run } = yield* subscriptions.run(caller, subscription.id)
      assert.notStrictEqual(run.id, own.invoice.id)
      assert.strictEqual((yield* subscriptions.get(caller, subscription.id)).runs, 2)
      assert.isTrue((yield* invoices.create(caller, taken)).replayed)
      yield* sound
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
