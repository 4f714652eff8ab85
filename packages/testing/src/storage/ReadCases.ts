/**
 * Promises about reads that show several things together: whatever changes meanwhile, they are of one moment. Each case
 * reads again and again while others write.
 */
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { type InvoiceDetail, InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { add, zero } from "@tolem/core/value/Money"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option, Result } from "effect"
import { claimDue } from "../claims.ts"
import { expectEqual } from "../Expectation.ts"
import { attemptOf, changeOf, creationOf, endpointOf, queryOf, refundOf, startAt, testDeliveryOf } from "../fixtures.ts"
import { during, rounds, writers } from "../Meanwhile.ts"
import { storageSubject } from "./StorageCase.ts"
import { runOf, subscriptionOf } from "./SubscriptionCases.ts"

const commit = Effect.fnUntraced(function* (invoice: Invoice, command: InvoiceCommand) {
  const [written] = yield* InvoiceStore.use((store) => store.commitMany([changeOf(invoice, command)]))
  return Result.getOrThrow(written!)
})

const expectWhole = ({ invoice, events, refunds }: InvoiceDetail) => {
  const given = refunds.filter(({ status }) => status === "succeeded").reduce((sum, one) => add(sum, one.amount), zero)
  expectEqual(given, invoice.refunded, "the refunds add up to what was refunded")
  const sequences = events.map(({ sequence }) => sequence)
  expectEqual(
    sequences,
    Array.from({ length: invoice.sequence }, (_, n) => n + 1),
    "events have no gaps, and end with the invoice"
  )
  const last = events.at(-1)
  expectEqual(last?.to, invoice.status, "the last event leads to the status")
  expectEqual(last?.refunded ?? zero, invoice.refunded, "and knows what was refunded")
}

/** Pays an invoice and refunds it in parts. */
const lived = Effect.fnUntraced(function* (invoice: Invoice) {
  let row = yield* commit(invoice, InvoiceCommand.Pay({ paidAt: startAt }))
  for (let round = 0; round < rounds; round++) {
    row = yield* commit(row, InvoiceCommand.Refund({ refund: refundOf(row, 100 + round) }))
  }
})

const given = Effect.fnUntraced(function* () {
  const creations = Array.from({ length: writers }, () => creationOf())
  yield* InvoiceStore.use((store) => store.insertMany(creations))
  return creations.map(({ invoice }) => invoice)
})

const ofInvoices = {
  *"show an invoice with the events and refunds that made it what it is"() {
    const store = yield* InvoiceStore
    const invoices = yield* given()
    const ids = invoices.map(({ id }) => id)
    const read = Effect.map(store.details(ids), (found) => found.map(Option.getOrThrow).forEach(expectWhole))
    yield* during(read, (writer) => lived(invoices[writer]!))
  },

  *"show events with the refunds that they tell of"() {
    const store = yield* InvoiceStore
    const [invoice] = yield* given()
    const read = Effect.map(store.history("org_shop", invoice!.id), ({ events, refunds }) => {
      const given = refunds.reduce((sum, one) => add(sum, one.amount), zero)
      expectEqual(given, events.at(-1)?.refunded ?? zero, "the last event knows all refunds")
    })
    yield* during(read, (writer) => (writer === 0 ? lived(invoice!) : Effect.void))
  },

  *"count the invoices of a list that they show"() {
    const store = yield* InvoiceStore
    const count = (members: Parameters<typeof queryOf>[0]) =>
      Effect.map(store.list(queryOf({ limit: 10_000, ...members })), ({ total, invoices }) => {
        expectEqual(invoices.length, total, "as many as there are")
        return total
      })
    const read = Effect.all([
      count({}),
      count({ statuses: ["pending"] }),
      count({ statuses: ["paid"], from: startAt }),
      count({ search: "inv_" })
    ])
    const totals = yield* during(read, () =>
      Effect.gen(function* () {
        for (let round = 0; round < rounds; round++) {
          const creation = creationOf()
          yield* store.insertMany([creation])
          yield* commit(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))
        }
      })
    )
    const all = writers * rounds
    expectEqual(totals, [all, 0, all, all], "in the end")
  }
}

const ofWebhooks = {
  *"count the deliveries of an endpoint that they show"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* store.addEndpoint(endpoint, 10)
    const query = { endpointId: endpoint.id, status: null, limit: 10_000, offset: 0 }
    const read = Effect.map(store.deliveries(query), ({ total, deliveries }) => {
      expectEqual(deliveries.length, total, "as many as there are")
      return total
    })
    const total = yield* during(read, () =>
      Effect.gen(function* () {
        for (let round = 0; round < rounds; round++) yield* store.addDelivery(testDeliveryOf(endpoint))
      })
    )
    expectEqual(total, writers * rounds, "in the end")
  },

  *"show a delivery with the attempts that it counts"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    const delivery = testDeliveryOf(endpoint)
    yield* store.addEndpoint(endpoint, 10)
    yield* store.addDelivery(delivery)
    const read = Effect.map(store.delivery(endpoint.id, delivery.id), (found) => {
      const { delivery, attempts } = Option.getOrThrow(found)
      expectEqual(attempts.length, delivery.attemptCount, "as many as it counts")
      return attempts.length
    })
    const attempts = writers * rounds
    const made = yield* during(read, (writer) =>
      Effect.gen(function* () {
        if (writer > 0) return
        for (let number = 1; number <= attempts; number++) {
          const [job] = yield* claimDue(store, { now: startAt, until: startAt + 1, limit: 1, lease: `att_${number}` })
          const outcome = AttemptOutcome.Retry({ dueAt: startAt, pauseUntil: null })
          yield* store.settleMany([{ job: job!, attempt: attemptOf({ number }), outcome }], startAt)
        }
      })
    )
    expectEqual(made, attempts, "in the end")
  }
}

const ofSubscriptions = {
  *"count the subscriptions of a list that they show"() {
    const store = yield* SubscriptionStore
    const viewer = { organizationId: "org_shop", mode: "sandbox", connectionId: null } as const
    const query = { ...viewer, statuses: [], search: null, isStuck: false }
    const read = Effect.map(store.list({ ...query, limit: 10_000, offset: 0 }), ({ total, subscriptions }) => {
      expectEqual(subscriptions.length, total, "as many as there are")
      return total
    })
    const total = yield* during(read, () => Effect.forEach(Array.from({ length: rounds }), subscribed))
    expectEqual(total, writers * rounds, "in the end")
  },

  *"show a subscription with its runs and events"() {
    const store = yield* SubscriptionStore
    const subscription = yield* subscribed()
    const read = Effect.map(store.detail(subscription.id), (found) => {
      const { subscription, events, runs } = Option.getOrThrow(found)
      expectEqual(runs.length, subscription.runs, "as many runs as it counts")
      expectEqual(events.at(-1)?.sequence, subscription.sequence, "to its last event")
      expectEqual(runs.at(-1)?.invoiceIds.at(-1) ?? null, subscription.lastInvoiceId, "to its last invoice")
      return runs.length
    })
    const made = yield* during(read, (writer) =>
      Effect.gen(function* () {
        let row = subscription
        for (let round = 0; writer === 0 && round < 2 * writers; round++) {
          const [written] = yield* store.commitMany([runOf(row)])
          row = Result.getOrThrow(written!).subscription
        }
      })
    )
    expectEqual(made, 2 * writers, "in the end")
  }
}

const subscribed = Effect.fnUntraced(function* () {
  const subscription = subscriptionOf({ maxRuns: null })
  const event = { ...runOf(subscription).events[0]!, subscriptionId: subscription.id, sequence: 1 }
  yield* SubscriptionStore.use((store) => store.insert(subscription, event))
  return subscription
})

/** What every storage must do, of “reads, while others write”. */
export const casesOfReads = storageSubject("reads, while others write,", {
  ...ofInvoices,
  ...ofWebhooks,
  ...ofSubscriptions
})
