/** Promises of `ServerStore` and of `WorkStore`. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MailStore } from "@tolem/core/mail/MailStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import type { AgentFacts } from "@tolem/core/measure/AgentRuns"
import type { Server } from "@tolem/core/platform/Server"
import { ServerStore } from "@tolem/core/platform/ServerStore"
import { type Work, type WorkKind, type WorkQuery, WorkStore, workKinds } from "@tolem/core/platform/WorkStore"
import { compared } from "@tolem/core/reconciliation/Reconciliation"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { newWorkItem } from "@tolem/core/reconciliation/WorkItem"
import { Tiyn } from "@tolem/core/value/Money"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, deliveryOf, endpointOf, freshId, refundOf, startAt } from "../fixtures.ts"
import { connectionOf } from "./ConnectionCases.ts"
import { opened } from "./DirectoryCases.ts"
import { differenceOf, side } from "./ReconciliationCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { givenSubscription } from "./SubscriptionCases.ts"
import { ordered, tariffOrderOf } from "./TariffCases.ts"

/** How an agent fares that has worked once. */
export const agentOf = (members: Partial<AgentFacts> = {}): AgentFacts => ({
  agent: "InvoiceWatcher",
  everyMs: 250,
  succeededAt: startAt,
  tookMs: 3,
  failedAt: null,
  failedInRow: 0,
  lag: null,
  ...members
})

/** A server that has begun just now. */
export const serverOf = (members: Partial<Server> = {}): Server => ({
  id: freshId("srv"),
  version: "1.2.3",
  startedAt: startAt,
  seenAt: startAt,
  endedAt: null,
  agents: [agentOf()],
  ...members
})

/** What every storage must do, of “servers”. */
export const casesOfServers = storageSubject("servers", {
  *"tell of themselves in one row each, those seen last first"() {
    const store = yield* ServerStore
    const [one, two] = [serverOf(), serverOf({ version: null, seenAt: startAt + 5, agents: [] })]
    yield* Effect.forEach([one, two], store.tell)
    expectEqual(yield* store.list(9), [two, one], "both")
    const lag = { oldestMs: 7, due: 2 }
    const facts = agentOf({ agent: "Ағент", failedAt: startAt + 8, failedInRow: 2, lag })
    const later = { ...one, seenAt: startAt + 9, endedAt: startAt + 9, agents: [facts] }
    yield* store.tell(later)
    expectEqual(yield* store.list(9), [later, two], "the newer word stands in place of the earlier one")
    expectEqual(yield* store.list(1), [later], "as many as are asked for")
  },

  *"may be told of by two at once"() {
    const store = yield* ServerStore
    const servers = Array.from({ length: 8 }, (_, index) => serverOf({ seenAt: startAt + index }))
    yield* Effect.forEach([...servers, ...servers], store.tell, { concurrency: "unbounded" })
    expectEqual(yield* store.list(99), servers.toReversed(), "each once")
  },

  *"are forgotten once they were not seen for long, a portion at a time"() {
    const store = yield* ServerStore
    const servers = [1, 2, 3].map((ms) => serverOf({ seenAt: startAt + ms }))
    yield* Effect.forEach(servers, store.tell)
    expectEqual(yield* store.forget(startAt + 3, 1), 1, "a portion")
    expectEqual(yield* store.forget(startAt + 3, 9), 1, "what is left")
    expectEqual(yield* store.list(9), [servers[2]!], "one that is not as old stays")
  }
})

const query = (of: Partial<WorkQuery> = {}): WorkQuery => ({
  after: null,
  now: startAt + 3_600_000,
  from: startAt - 1000,
  limit: 10,
  ...of
})

const work = (kind: WorkKind, of: Partial<WorkQuery> = {}) => WorkStore.use((store) => store.work(kind, query(of)))

const live = { mode: "live", connectionId: "con_1" } as const

/** A paid invoice with a refund of which the provider has told nothing. */
const unknownRefund = Effect.fnUntraced(function* (
  organizationId: string,
  mode: "live" | "sandbox",
  createdAt: number
) {
  const invoices = yield* InvoiceStore
  const creation = creationOf({ ...live, mode, organizationId, createdAt: startAt - 9000 })
  yield* invoices.insertMany([creation])
  const [row] = yield* invoices.commitMany([changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))])
  const invoice = Result.getOrThrow(row!)
  const refund = refundOf(invoice, 100, { status: "unknown", createdAt, completedAt: null })
  const next = { ...invoice, version: invoice.version + 1 }
  yield* invoices.commitMany([{ previous: invoice, next, event: null, refund }])
  return refund
})

const refundsIn = (items: ReadonlyArray<Work>) => items.map(({ refundId }) => refundId)

/** What every storage must do, of “work for people”. */
export const casesOfWork = storageSubject("work for people", {
  *"is nothing in an empty storage"() {
    for (const kind of workKinds) expectEqual(yield* work(kind), { items: [], next: null }, kind)
  },

  *"has unknown refunds of all organizations, live ones only, the oldest first, in pages"() {
    const [{ organization: one }, { organization: two }] = [yield* opened(), yield* opened()]
    const [second, first] = [
      yield* unknownRefund(one.id, "live", startAt + 20),
      yield* unknownRefund(two.id, "live", startAt + 10)
    ]
    yield* unknownRefund(one.id, "sandbox", startAt + 5)
    const third = yield* unknownRefund(two.id, "live", startAt + 20)
    const { items, next } = yield* work("refund_unknown")
    expectEqual(refundsIn(items).slice(0, 1), [first.id], "the oldest first")
    expectEqual(new Set(refundsIn(items)), new Set([first.id, second.id, third.id]), "none of sandboxes")
    expectEqual(next, null, "there are no more")
    const [shown] = items
    expectEqual(
      [shown?.organizationId, shown?.organization, shown?.since, shown?.amount, shown?.invoiceId, shown?.connectionId],
      [two.id, two.name, startAt + 10, Tiyn(100), first.invoiceId, "con_1"],
      "whose it is, and of what"
    )
    const page = yield* work("refund_unknown", { limit: 2 })
    const rest = yield* work("refund_unknown", { limit: 2, after: page.next })
    expectEqual([...refundsIn(page.items), ...refundsIn(rest.items)], refundsIn(items), "pages leave out none")
    expectEqual([page.next === null, rest.next], [false, null], "and end")
  },

  *"has open differences, lost cashiers and subscriptions that are stuck"() {
    const { organization } = yield* opened()
    const organizationId = organization.id
    const store = yield* ReconciliationStore
    const day = { organizationId, connectionId: "con_1", day: "2026-01-01" }
    const row = yield* store.ask(day, startAt)
    const items = [1, 2].map((ms) => newWorkItem(freshId("wki"), day, differenceOf(), startAt + ms))
    const sums = { here: side, there: side }
    yield* store.settle({ reconciliation: compared(row, sums, startAt), added: items, changed: [], records: [] })
    const differences = (yield* work("difference_open")).items
    expectEqual(
      differences.map(({ workItemId, since, code }) => [workItemId, since, code]),
      items.map(({ id, foundAt }) => [id, foundAt, "amount_differs"]),
      "differences"
    )
    const lost = connectionOf({ organizationId, status: "expired", createdAt: startAt + 1, updatedAt: startAt + 7 })
    yield* Effect.forEach([lost, connectionOf({ organizationId })], (one) =>
      ConnectionStore.use((connections) => connections.add(one))
    )
    const cashiers = (yield* work("cashier_session_lost")).items
    expectEqual(
      cashiers.map(({ connectionId, since }) => [connectionId, since]),
      [[lost.id, startAt + 7]],
      "cashiers"
    )
    const stuck = { organizationId, mode: "live", faults: 2, fault: "not_live" } as const
    const subscription = yield* givenSubscription(stuck)
    yield* givenSubscription({ ...stuck, mode: "sandbox" })
    yield* givenSubscription({ ...stuck, faults: 0, fault: null })
    const subscriptions = (yield* work("subscription_stuck")).items
    expectEqual(
      subscriptions.map(({ subscriptionId, code, organization: name }) => [subscriptionId, code, name]),
      [[subscription.id, "not_live", organization.name]],
      "subscriptions"
    )
  },

  *"has endpoints that pause, and deliveries that were given up lately and have not arrived since"() {
    const store = yield* WebhookStore
    const { now } = query()
    const of = { mode: "live", url: "https://shop.kz/hook" } as const
    const paused = endpointOf({ ...of, pausedUntil: now + 5, updatedAt: startAt + 3 })
    const over = endpointOf({ ...of, pausedUntil: now, updatedAt: startAt + 3 })
    const off = endpointOf({ ...of, pausedUntil: now + 9, disabled: true })
    const sandbox = endpointOf({ pausedUntil: now + 9 })
    // Made before there is an endpoint, so that nothing is announced of them.
    const creations = Array.from({ length: 3 }, () => creationOf(live))
    yield* (yield* InvoiceStore).insertMany(creations)
    yield* Effect.forEach([paused, over, off, sandbox], (endpoint) => store.addEndpoint(endpoint, 10))
    const endpoints = (yield* work("endpoint_paused")).items
    expectEqual(
      endpoints.map(({ endpointId, since, until }) => [endpointId, since, until]),
      [[paused.id, startAt + 3, now + 5]],
      "that pause now"
    )
    const failed = { status: "failed", completedAt: startAt + 9 } as const
    const events = creations.map(({ event }) => event)
    const deliveries = events.map((event) => deliveryOf(over, event, failed))
    const again = deliveryOf(over, events[1]!, { status: "delivered", completedAt: startAt + 20 })
    yield* Effect.forEach([...deliveries, again], (delivery) => store.addDelivery(delivery))
    const given = (yield* work("delivery_given_up")).items
    expectEqual(
      new Set(given.map(({ deliveryId }) => deliveryId)),
      new Set([deliveries[0]!.id, deliveries[2]!.id]),
      "those that have not arrived"
    )
    expectEqual((yield* work("delivery_given_up", { from: startAt + 10 })).items, [], "lately")
  },

  *"has letters that failed, and orders that were paid and have not taken effect"() {
    const invoices = yield* InvoiceStore
    const mails = yield* MailStore
    const creation = creationOf({ ...live, customer: { name: null, phone: null, email: "a@b.kz" } })
    yield* invoices.insertMany([creation])
    const mail = NewMail.about(creation.invoice, "receipt", freshId("mai"), startAt)!
    yield* invoices.commitMany([{ ...changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt })), mail }])
    expectEqual((yield* work("letter_failed")).items, [], "one that is on its way is none")
    yield* mails.settle({ ...mail, status: "failed", dueAt: null, completedAt: startAt + 4, reason: "550" })
    const letters = (yield* work("letter_failed")).items
    expectEqual(
      letters.map(({ letterId, invoiceId, since, code }) => [letterId, invoiceId, since, code]),
      [[mail.id, creation.invoice.id, startAt + 4, null]],
      "nothing of its address"
    )
    const paid = yield* ordered(tariffOrderOf("org_shop"), true)
    yield* ordered(tariffOrderOf("org_shop"), false)
    yield* ordered(tariffOrderOf("org_shop"), true, Tiyn(1))
    const orders = (yield* work("order_unfulfilled")).items
    expectEqual(
      orders.map(({ orderId, since, amount, code }) => [orderId, since, amount, code]),
      [[paid.id, startAt, paid.amount, "start"]],
      "paid in full"
    )
    expectEqual((yield* work("order_unfulfilled", { now: startAt + 1000 })).items, [], "its agent has time for it")
  }
})
