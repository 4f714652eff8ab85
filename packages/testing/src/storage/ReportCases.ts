/** Promises of `ReportStore`: pages, sums and totals agree with the invoices that there are. */
import { type DeliveryPlace, type InvoicePlace, type ListFilter, ReportStore } from "@tolem/core/cabinet/ReportStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { dayOf, endOfDay, startOfDay } from "@tolem/core/value/Calendar"
import { Tiyn } from "@tolem/core/value/Money"
import type { Delivery, DeliveryStatus } from "@tolem/core/webhook/Webhook"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect } from "effect"
import { expectEqual } from "../Expectation.ts"
import { creationOf, endpointOf, filterOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const all = filterOf()

const dayMs = 86_400_000

/** More than there are. */
const rows = 100

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
      found.push(...(yield* page(all, { after: found.at(-1) ?? null, rows }, { limit: 2, offset: 0 })).found)
    expectEqual(
      found.map(({ id }) => id),
      newest,
      "in order, without gaps"
    )
    const idsOf = (filter: Partial<ListFilter>) =>
      Effect.map(page({ ...all, ...filter }, { after: null, rows }, { limit: 20, offset: 0 }), ({ found }) =>
        found.map(({ amount }) => amount / 100).toSorted()
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
    const { sums, count } = yield* ReportStore
    const of = (filter: Partial<ListFilter>) =>
      Effect.map(sums({ ...all, ...filter }, { after: null, rows }), ({ found }) =>
        found.map((row) => [row.count, Number(row.amount)])
      )
    expectEqual(yield* of({}), [[9, 4500]], "of all")
    expectEqual(yield* of({ minAmount: 1 }), [[9, 4500]], "row by row")
    expectEqual(yield* of({ connectionId: "con_1" }), [[5, 2500]], "of a cashier")
    expectEqual(yield* of({ kind: "phone" }), [[3, 600]], "of a kind")
    expectEqual(yield* of({ source: "payment-link", among: ["con_1"] }), [[1, 900]], "of a source")
    expectEqual(yield* of({ kind: "phone", maxAmount: 200 }), [[2, 300]], "of a kind, row by row")
    expectEqual(yield* of({ externalOrderId: "order 6" }), [[1, 700]], "of an order")
    const counted = yield* count({ ...all, minAmount: 200 }, { rows, count: 7 })
    expectEqual(counted, { count: 7, isExact: false }, "as far as one counts")
    const kept = yield* count({ ...all, kind: "qr" }, { rows: 1, count: 1 })
    expectEqual(kept, { count: 6, isExact: true }, "in all where days tell")
    const second = dayOf(startAt + dayMs)
    const whole = { from: startOfDay(second), to: endOfDay(second) }
    expectEqual(yield* of(whole), [[3, 1500]], "of a day")
    expectEqual(yield* of({ ...whole, to: endOfDay(second) - 1 }), [[3, 1500]], "of what is nearly one")
    expectEqual(yield* of({ statuses: ["paid"] }), [], "of none")
  },

  *"look at so many rows, and say where to go on"() {
    const invoices = yield* stocked
    const { page, sums, count } = yield* ReportStore
    const newest = invoices.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
    const placeOf = (index: number) => ({ createdAt: newest[index]!.createdAt, id: newest[index]!.id })
    const rare = { ...all, minAmount: newest[5]!.amount, maxAmount: newest[5]!.amount }
    const bounds = { limit: 2, offset: 0 }
    const first = yield* page(rare, { after: null, rows: 4 }, bounds)
    expectEqual(first, { found: [], end: placeOf(3) }, "none of the first four")
    const second = yield* page(rare, { after: first.end, rows: 4 }, bounds)
    expectEqual([second.found.map(({ id }) => id), second.end], [[newest[5]!.id], placeOf(7)], "one of the next four")
    expectEqual(yield* page(rare, { after: second.end, rows: 4 }, bounds), { found: [], end: null }, "and the last")
    const full = yield* page({ ...all, minAmount: 1 }, { after: null, rows: 4 }, bounds)
    expectEqual([full.found.length, full.end], [2, null], "a full page looks no further")
    const part = yield* sums({ ...all, minAmount: 1 }, { after: null, rows: 4 })
    expectEqual([part.found[0]?.count, part.end], [4, placeOf(3)], "sums of as many rows")
    const rest = yield* sums({ ...all, minAmount: 1 }, { after: part.end, rows: 100 })
    expectEqual([rest.found[0]?.count, rest.end], [5, null], "and of the others")
    const ofDays = yield* sums(all, { after: placeOf(3), rows: 100 })
    expectEqual([ofDays.found[0]?.count, ofDays.end], [5, null], "behind a place, also where days tell all")
    const same = yield* Effect.forEach([0, 1, 2], (index) => sums(all, { after: placeOf(index), rows: 2 }))
    expectEqual(
      same.map(({ found, end }) => [found[0]?.count, end]),
      [2, 3, 4].map((index) => [2, placeOf(index)]),
      "of as many rows, wherever it begins"
    )
    expectEqual(yield* count(rare, { rows: 4, count: 9 }), { count: 0, isExact: false }, "and a number of them")
    expectEqual(yield* count(rare, { rows: 100, count: 9 }), { count: 1, isExact: true }, "of all")
    expectEqual(
      yield* page({ ...all, source: "form-hook" }, { after: null, rows: 1 }, bounds),
      { found: [], end: null },
      "days have none"
    )
    const linked = yield* page({ ...all, source: "payment-link" }, { after: null, rows: 9 }, bounds)
    expectEqual(
      linked.found.map(({ amount }) => Number(amount)),
      [900],
      "past days that have none"
    )
  },

  *"look at so many rows of an order's number, which many may have"() {
    const store = yield* InvoiceStore
    const named = { mode: "live", organizationId: "org_shop", externalOrderId: "same" } as const
    const made = [0, 1, 2].map((n) => creationOf({ ...named, createdAt: startAt + n, updatedAt: startAt + n }))
    yield* store.insertMany(made)
    const { sums, count } = yield* ReportStore
    const filter = { ...all, externalOrderId: "same" }
    const part = yield* sums(filter, { after: null, rows: 2 })
    const second = made[1]!.invoice
    const place = { createdAt: second.createdAt, id: second.id }
    expectEqual([part.found[0]?.count, part.end], [2, place], "the newest")
    const rest = yield* sums(filter, { after: part.end, rows: 2 })
    expectEqual([rest.found[0]?.count, rest.end], [1, null], "and the other")
    expectEqual(yield* count(filter, { rows: 9, count: 2 }), { count: 2, isExact: false }, "counted to a bound")
    expectEqual(yield* count(filter, { rows: 9, count: 3 }), { count: 3, isExact: true }, "or all of them")
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
    const bySource = yield* sources({ ...query, to: dayOf(startAt + 2 * dayMs) }, 0)
    expectEqual(bySource.isExact, true, "without a look at rows")
    const counts = bySource.found.map(({ source, count }) => `${source} ${count}`).toSorted()
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
    const time = { from: startAt, to: startAt, after: null, limit: 5 }
    const query = { endpointId: endpoint.id, isFailedOnly: false, ...time }
    expectEqual(yield* deliveriesIn(tenant, query), [delivery], "at its time")
    expectEqual(yield* deliveriesIn(tenant, { ...query, isFailedOnly: true }), [], "which may still succeed")
    expectEqual(yield* deliveriesIn(tenant, { ...query, from: startAt + 1, to: startAt + 2 }), [], "or another time")
    expectEqual(yield* deliveriesIn({ ...tenant, mode: "sandbox" }, query), [], "or another mode")
  },

  *"find each event of a time once, over all parts, and as failed only if nothing of it can have arrived"() {
    const webhooks = yield* WebhookStore
    const { deliveriesIn } = yield* ReportStore
    for (const mode of ["live", "sandbox"] as const) {
      const tenant = { organizationId: "org_shop", mode }
      // Each event is of an invoice of its own.
      const made = new Map(["a", "b", "c", "d", "e", "f", "test"].map((name) => [name, creationOf(tenant)]))
      yield* (yield* InvoiceStore).insertMany([...made.values()])
      const nameOf = new Map([...made].map(([name, { event }]) => [event.id, name]))
      const endpoints = ["whe_1", "whe_2"].map((id) => endpointOf({ ...tenant, id: `${id}${mode}` }))
      yield* Effect.forEach(endpoints, (endpoint) => webhooks.addEndpoint(endpoint, 10))
      const [first, second] = endpoints.map(({ id }) => id)
      let count = 0
      const sent = Effect.fnUntraced(function* (
        name: string,
        status: DeliveryStatus,
        createdAt: number,
        endpointId = first!
      ) {
        const { invoice, event } = made.get(name)!
        const isAdded = yield* webhooks.addDelivery({
          id: `dlv_${mode}${(count++).toString().padStart(2, "0")}`,
          endpointId,
          ...tenant,
          kind: name === "test" ? "webhook.test" : "invoice.paid",
          invoiceId: invoice.id,
          eventId: event.id,
          sequence: event.sequence,
          status,
          attemptCount: 0,
          dueAt: startAt,
          createdAt,
          completedAt: status === "pending" ? null : createdAt
        })
        expectEqual(isAdded, true, `a delivery of ${name} is there`)
      })
      yield* sent("a", "failed", startAt - 1)
      // Of one instant, as many as there may be: two parts end within it.
      for (const name of ["a", "b", "c", "d", "e", "test"]) yield* sent(name, "failed", startAt)
      yield* sent("f", "delivered", startAt + 1)
      yield* sent("b", "delivered", startAt + 2)
      yield* sent("c", "pending", startAt + 9)
      yield* sent("d", "failed", startAt + 3)
      yield* sent("e", "delivered", startAt + 3, second!)
      const eventsOf = (isFailedOnly: boolean, limit: number) =>
        Effect.gen(function* () {
          const events: Array<string> = []
          let after: DeliveryPlace | null = null
          for (let round = 0; round < 12; round++) {
            const asked = { endpointId: first!, isFailedOnly, from: startAt, to: startAt + 5, after, limit }
            const part: ReadonlyArray<Delivery> = yield* deliveriesIn(tenant, asked)
            events.push(...part.map(({ eventId }) => nameOf.get(eventId) ?? eventId))
            after = part.at(-1) ?? after
          }
          return events
        })
      expectEqual(yield* eventsOf(false, 2), ["a", "b", "c", "d", "e", "f"], "each once")
      expectEqual(yield* eventsOf(true, 1), ["a", "d", "e"], "by what became of all its deliveries to the endpoint")
    }
  }
})
