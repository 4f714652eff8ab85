/** Promises of `ReportStore`: pages, sums and totals agree with the invoices that there are. */
import { type InvoicePlace, type ListFilter, ReportStore } from "@tolem/core/cabinet/ReportStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { dayOf, endOfDay, startOfDay } from "@tolem/core/value/Calendar"
import { Tiyn } from "@tolem/core/value/Money"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import { expectEqual } from "../Expectation.ts"
import { creationOf, endpointOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const all: ListFilter = {
  organizationId: "org_shop",
  mode: "live",
  connectionId: null,
  statuses: [],
  kind: null,
  source: null,
  minAmount: null,
  maxAmount: null,
  externalOrderId: null,
  search: null,
  from: null,
  to: null
}

const dayMs = 86_400_000

/** Nine live invoices of three days, two cashiers and two sources, and one of another organization. */
const stocked = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const made = Array.from({ length: 9 }, (_, index) => {
    const createdAt = startAt + (index % 3) * dayMs
    return creationOf({
      mode: "live",
      organizationId: "org_shop",
      connectionId: index % 2 === 0 ? "con_1" : "con_2",
      kind: index < 3 ? "phone" : "qr",
      amount: Tiyn((index + 1) * 100),
      externalOrderId: `order ${index}`,
      origin: index === 8 ? { kind: "payment-link", id: "lnk_1" } : null,
      createdAt,
      updatedAt: createdAt
    })
  })
  const foreign = creationOf({ mode: "live", organizationId: "org_other", connectionId: "con_1" })
  yield* store.insertMany([...made, foreign])
  return made.map(({ invoice }) => invoice)
})

/** What every storage must do, of “reports”. */
export const casesOfReports = storageSubject("reports", {
  *"page through what a filter lets through, newest first, each invoice once"() {
    const invoices = yield* stocked
    const { page } = yield* ReportStore
    const newest = invoices.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1)).map(({ id }) => id)
    const found: Array<InvoicePlace> = []
    for (let round = 0; round < 6; round++)
      found.push(...(yield* page(all, found.at(-1) ?? null, { limit: 2, offset: 0 })))
    expectEqual(
      found.map(({ id }) => id),
      newest,
      "in order, without gaps"
    )
    const idsOf = (filter: Partial<ListFilter>) =>
      Effect.map(page({ ...all, ...filter }, null, { limit: 20, offset: 0 }), (rows) =>
        rows.map(({ amount }) => amount / 100).toSorted()
      )
    expectEqual(yield* idsOf({ kind: "phone" }), [1, 2, 3], "by kind")
    expectEqual(yield* idsOf({ source: "payment-link" }), [9], "by source")
    expectEqual(yield* idsOf({ minAmount: 300, maxAmount: 400 }), [3, 4], "by amount")
    expectEqual(yield* idsOf({ connectionId: "con_2" }), [2, 4, 6, 8], "of a cashier")
    expectEqual(yield* idsOf({ among: ["con_2"], source: "request", kind: "phone" }), [2], "of several at once")
    expectEqual(yield* idsOf({ search: "ORDER 4" }), [5], "by a part of a text")
    expectEqual(yield* idsOf({ externalOrderId: "order 6" }), [7], "by the merchant's number")
    expectEqual(yield* idsOf({ statuses: ["paid"] }), [], "by status")
    expectEqual(yield* idsOf({ mode: "sandbox" }), [], "of the mode alone")
  },

  *"sum the same, from days or from rows"() {
    yield* stocked
    const { sums } = yield* ReportStore
    const of = (filter: Partial<ListFilter>) =>
      Effect.map(sums({ ...all, ...filter }), (rows) => rows.map((row) => [row.count, Number(row.amount)]))
    expectEqual(yield* of({}), [[9, 4500]], "of all")
    expectEqual(yield* of({ minAmount: 1 }), [[9, 4500]], "row by row")
    expectEqual(yield* of({ connectionId: "con_1" }), [[5, 2500]], "of a cashier")
    const second = dayOf(startAt + dayMs)
    const whole = { from: startOfDay(second), to: endOfDay(second) }
    expectEqual(yield* of(whole), [[3, 1500]], "of a day")
    expectEqual(yield* of({ ...whole, to: endOfDay(second) - 1 }), [[3, 1500]], "of what is nearly one")
    expectEqual(yield* of({ statuses: ["paid"] }), [], "of none")
  },

  *"total days by cashier, and by source"() {
    yield* stocked
    const { days, sources } = yield* ReportStore
    const viewer = { organizationId: "org_shop", mode: "live", connectionId: null } as const
    const query = { ...viewer, from: dayOf(startAt), to: dayOf(startAt + dayMs) }
    const rows = (yield* days(query)).map(({ day, connectionId, count }) => `${day} ${connectionId} ${count}`)
    const [first, second] = [query.from, query.to]
    const expected = [`${first} con_1 2`, `${first} con_2 1`, `${second} con_1 1`, `${second} con_2 2`]
    expectEqual(rows.toSorted(), expected, "two of the three days")
    expectEqual((yield* days({ ...query, among: ["con_2"] })).length, 2, "of the cashiers that are seen")
    const bySource = yield* sources({ ...query, to: dayOf(startAt + 2 * dayMs) })
    const counts = bySource.map(({ source, count }) => `${source} ${count}`).toSorted()
    expectEqual(counts, ["payment-link 1", "request 8"], "of all three")
  },

  *"find what was sent of an invoice, and at a time"() {
    const webhooks = yield* WebhookStore
    const { deliveriesOf, deliveriesIn } = yield* ReportStore
    const invoices = yield* InvoiceStore
    const endpoint = endpointOf({ organizationId: "org_shop", mode: "live" })
    yield* webhooks.addEndpoint(endpoint, 10)
    const made = creationOf({ mode: "live", organizationId: "org_shop" })
    yield* invoices.insertMany([made])
    const delivery = {
      id: "dlv_1",
      endpointId: endpoint.id,
      organizationId: "org_shop",
      mode: "live",
      kind: "invoice.paid",
      invoiceId: made.invoice.id,
      eventId: made.event.id,
      sequence: made.event.sequence,
      status: "pending",
      attemptCount: 0,
      dueAt: startAt,
      createdAt: startAt,
      completedAt: null
    } as const
    expectEqual(yield* webhooks.addDelivery(delivery), true, "it was sent")
    const of = (organizationId: string) => deliveriesOf({ organizationId, invoiceId: made.invoice.id }, 5)
    expectEqual(yield* of("org_shop"), [delivery], "is found by its invoice")
    expectEqual(yield* of("org_other"), [], "and not by others")
    const tenant = { organizationId: "org_shop", mode: "live" } as const
    const query = { endpointId: endpoint.id, status: null, from: startAt, to: startAt, limit: 5 } as const
    expectEqual(yield* deliveriesIn(tenant, query), [delivery], "at its time")
    expectEqual(yield* deliveriesIn(tenant, { ...query, status: "failed" }), [], "unless another status is asked for")
    expectEqual(yield* deliveriesIn(tenant, { ...query, from: startAt + 1, to: startAt + 2 }), [], "or another time")
    expectEqual(yield* deliveriesIn({ ...tenant, mode: "sandbox" }, query), [], "or another mode")
  }
})
