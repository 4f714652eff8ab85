/** Promises of `SandboxStore`: what is removed is removed whole, and nothing else is touched. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { type RemovalResult, SandboxStore } from "@tolem/core/engine/SandboxStore"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MailStore } from "@tolem/core/mail/MailStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import { subscriptionCreated } from "@tolem/core/subscription/Subscription"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { invoiceKeyOf, type TariffOrder, TariffStore } from "@tolem/core/tariff/TariffStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import type { Delivery } from "@tolem/core/webhook/Webhook"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, endpointOf, freshId, queryOf, refundOf, startAt, testDeliveryOf } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { runOf, subscriptionOf } from "./SubscriptionCases.ts"
import { auditOf } from "./TariffCases.ts"

const addressed = { customer: { name: null, phone: null, email: "a@b.kz" } }
const shop = { organizationId: "org_shop", limit: 2, before: startAt + 5000 }

/** A paid invoice with a refund, deliveries and a receipt on its way, changed last at this instant. */
const storied = Effect.fnUntraced(function* (members: Partial<Invoice> = {}, now = startAt + 1000) {
  const store = yield* InvoiceStore
  const creation = creationOf({ ...addressed, ...members })
  yield* store.insertMany([creation])
  const commit = (write: Parameters<typeof store.commitMany>[0][number]) =>
    Effect.map(store.commitMany([write]), ([result]) => Result.getOrThrow(result!))
  const pay = changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }), { now })
  const paid = yield* commit({ ...pay, mail: NewMail.about(creation.invoice, "receipt", freshId("mai"), startAt) })
  return yield* commit(changeOf(paid, InvoiceCommand.Refund({ refund: refundOf(paid, 100) }), { now }))
})

/** What the checks find, but that a made-up subscription's dates follow no rhythm. */
const findings = Effect.map(
  Integrity.use((integrity) => integrity.findings),
  (found) => found.filter(({ rule }) => rule !== "dates_follow_the_rhythm")
)
const exists = (id: string) => InvoiceStore.use((store) => Effect.map(store.find(id), Option.isSome))

/** Sweeps the shop's sandbox as the janitor does, and answers how many invoices were removed. */
const sweep = Effect.gen(function* () {
  const store = yield* SandboxStore
  let count = 0
  let after: RemovalResult["next"] = null
  do {
    const forgotten: RemovalResult = yield* store.forgetInvoices({ ...shop, after })
    count += forgotten.invoices
    after = forgotten.next
  } while (after !== null)
  return count
})

/** What every storage must do, of “a sandbox”. */
export const casesOfForgetting = storageSubject("a sandbox", {
  *"forgets invoices that have not changed, with all that belongs to them, and nothing else"() {
    const endpoint = endpointOf({ createdAt: startAt - 60_000, updatedAt: startAt - 60_000 })
    yield* WebhookStore.use((webhooks) => webhooks.addEndpoint(endpoint, 10))
    const old = yield* Effect.forEach(Array.from({ length: 5 }), (_, n) => storied({ idempotencyKey: `key-${n}` }))
    const changed = yield* storied({}, startAt + 5001)
    const young = creationOf({ createdAt: startAt + 5001, updatedAt: startAt + 5001 })
    yield* InvoiceStore.use((store) => store.insertMany([young]))
    const live = yield* storied({ mode: "live", connectionId: "con_1", providerReference: "P-1" })
    const other = yield* storied({ organizationId: "org_other" })
    expectEqual(yield* findings, [], "all is well at first")
    const [{ deliveries }, rest] = yield* Effect.all([
      WebhookStore.use((webhooks) =>
        webhooks.deliveries({ endpointId: endpoint.id, status: null, limit: 99, offset: 0 })
      ),
      sweep
    ])
    expectEqual(deliveries.length, 12, "two events of each of the sandbox's")
    expectEqual(rest, 5, "in batches of two")
    for (const { id, organizationId } of old) {
      expectEqual(yield* exists(id), false, "the invoice")
      const history = yield* InvoiceStore.use((store) => store.history(organizationId, id))
      expectEqual([history.events.length, history.refunds.length], [0, 0], "its events and refunds")
      expectEqual(yield* MailStore.use((mails) => mails.list(organizationId, id)), [], "its letters")
    }
    const left = yield* WebhookStore.use((webhooks) =>
      webhooks.deliveries({ endpointId: endpoint.id, status: null, limit: 99, offset: 0 })
    )
    expectEqual(new Set(left.deliveries.map(({ invoiceId }) => invoiceId)), new Set([changed.id]), "its deliveries")
    for (const { id } of [changed, young.invoice, live, other]) expectEqual(yield* exists(id), true, "others stay")
    const page = yield* InvoiceStore.use((store) => store.list(queryOf()))
    expectEqual(page.total, 2, "the totals know")
    expectEqual(yield* findings, [], "and everything agrees")
    const again = creationOf({ idempotencyKey: "key-0", createdAt: startAt + 6000, updatedAt: startAt + 6000 })
    const [made] = yield* InvoiceStore.use((store) => store.insertMany([again]))
    expectEqual(made?._tag, "Created", "the key is free")
    expectEqual(yield* sweep, 0, "a second sweep finds nothing")
  },

  *"keeps what pays for a tariff, and not what only has the key of another seller's order"() {
    const order = (sellerId: OrganizationId): TariffOrder => ({
      id: freshId("trf"),
      organizationId: "org_buyer",
      tariff: "pro",
      months: 1,
      amount: Tiyn(100_000),
      sellerId,
      sellerMode: "sandbox",
      createdAt: startAt
    })
    const [own, others] = [order("org_shop"), order("org_other")]
    for (const each of [own, others]) {
      yield* TariffStore.use((tariffs) => tariffs.addOrder(each, null, auditOf({ action: "tariff.ordered" })))
    }
    const paying = yield* storied({ idempotencyKey: invoiceKeyOf(own) })
    const alike = yield* storied({ idempotencyKey: invoiceKeyOf(others) })
    expectEqual(yield* sweep, 1, "one is removed")
    expectEqual([yield* exists(paying.id), yield* exists(alike.id)], [true, false], "the one that pays for nothing")
  },

  *"forgets a subscription with its runs and invoices, and those never without it"() {
    const store = yield* SandboxStore
    const subscriptions = yield* SubscriptionStore
    const given = Effect.fnUntraced(function* (id: string, mode: "sandbox" | "live" = "sandbox") {
      const subscription = subscriptionOf({ id, mode })
      yield* subscriptions.insert(subscription, subscriptionCreated(subscription, freshId("evt"), "api"))
      const { customer } = subscription
      const members = {
        customer,
        origin: { kind: "subscription", id, run: 1, attempt: 0 } as const,
        ...(mode === "live" && { connectionId: "con_1", providerReference: id })
      }
      const [committed] = yield* subscriptions.commitMany([runOf(subscription, members)])
      return Result.getOrThrow(committed!).invoice!
    })
    const idOf = (n: number) => `sub_${String(n).padStart(26, "0")}`
    const first = yield* given(idOf(1))
    const second = yield* given(idOf(2))
    const live = yield* given(idOf(3), "live")
    yield* InvoiceStore.use((invoices) =>
      invoices.commitMany([changeOf(second, InvoiceCommand.Cancel(), { now: startAt + 6000 })])
    )
    const idle = subscriptionOf({ id: idOf(4), createdAt: startAt + 9000, updatedAt: startAt + 9000 })
    yield* subscriptions.insert(idle, subscriptionCreated(idle, freshId("evt"), "api"))
    expectEqual(yield* findings, [], "all is well at first")
    expectEqual(yield* sweep, 0, "an invoice of a subscription stays with it")
    expectEqual(yield* store.forgetSubscriptions(shop), 1, "one has not changed, nor has its invoice")
    expectEqual(Option.isNone(yield* subscriptions.find(idOf(1))), true, "it is gone")
    expectEqual(yield* exists(first.id), false, "with its invoice")
    for (const n of [2, 3]) expectEqual(Option.isSome(yield* subscriptions.find(idOf(n))), true, "others stay")
    expectEqual([yield* exists(second.id), yield* exists(live.id)], [true, true], "with theirs")
    expectEqual(yield* findings, [], "and everything agrees")
    const later = { ...shop, limit: 1, before: startAt + 9000 }
    expectEqual(yield* Effect.replicateEffect(store.forgetSubscriptions(later), 3), [1, 1, 0], "in steps of one")
    expectEqual(yield* exists(live.id), true, "live ones stay")
    expectEqual(yield* findings, [], "and everything still agrees")
  },

  *"forgets an invoice, or lets it be changed, whichever is first"() {
    const invoices = yield* InvoiceStore
    const old = yield* Effect.forEach(Array.from({ length: 12 }), () => storied())
    const refund = (invoice: Invoice) =>
      invoices.commitMany([
        changeOf(invoice, InvoiceCommand.Refund({ refund: refundOf(invoice, 50) }), { now: startAt + 6000 })
      ])
    const refunds = Effect.forEach(old, (invoice) => Effect.map(refund(invoice), ([result]) => result), {
      concurrency: 4
    })
    const [results] = yield* Effect.all([refunds, sweep, sweep], { concurrency: "unbounded" })
    for (const [n, { id }] of old.entries()) {
      expectEqual(yield* exists(id), Result.isSuccess(results[n]!), "changed, or gone")
    }
    expectEqual(yield* findings, [], "and everything agrees")
  },

  *"leaves no delivery that is sent again while its invoice is forgotten"() {
    const endpoint = endpointOf({ createdAt: startAt - 60_000, updatedAt: startAt - 60_000 })
    const webhooks = yield* WebhookStore
    yield* webhooks.addEndpoint(endpoint, 10)
    yield* Effect.forEach(Array.from({ length: 20 }), () => storied())
    const all = { endpointId: endpoint.id, status: null, limit: 99, offset: 0 }
    const { deliveries } = yield* webhooks.deliveries(all)
    const resend = (delivery: Delivery) => {
      const { dueAt } = delivery
      return webhooks.addDelivery({ ...delivery, id: freshId("dlv"), createdAt: dueAt, attemptCount: 0 })
    }
    const resends = Effect.forEach(deliveries.toReversed(), resend, { concurrency: 4 })
    yield* Effect.all([resends, sweep, resends, sweep], { concurrency: "unbounded" })
    expectEqual(yield* findings, [], "each has its event")
    yield* sweep
    expectEqual((yield* webhooks.deliveries(all)).total, 0, "all are forgotten")
    expectEqual(yield* resend(deliveries[0]!), false, "and none is sent again")
    expectEqual((yield* webhooks.deliveries(all)).total, 0, "nothing was written")
    expectEqual(yield* webhooks.addDelivery(testDeliveryOf(endpoint)), true, "a test is of no invoice")
  },

  *"forgets test deliveries"() {
    const store = yield* SandboxStore
    const webhooks = yield* WebhookStore
    const endpoints = [endpointOf(), endpointOf({ mode: "live" })]
    for (const endpoint of endpoints) {
      yield* webhooks.addEndpoint(endpoint, 10)
      yield* webhooks.addDelivery(testDeliveryOf(endpoint))
    }
    const counts = Effect.forEach(endpoints, ({ id: endpointId }) =>
      Effect.map(webhooks.deliveries({ endpointId, status: null, limit: 9, offset: 0 }), ({ total }) => total)
    )
    expectEqual(yield* counts, [1, 1], "one each")
    expectEqual(yield* store.forgetTraces(shop), 1, "of the sandbox")
    expectEqual(yield* counts, [0, 1], "and not of live mode")
  }
})
