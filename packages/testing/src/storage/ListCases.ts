/** Promises of `InvoiceStore.list` and `claim`. */
import { type Invoice, InvoiceCommand, type InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { type InvoiceQuery, InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, freshId, invoiceOf, queryOf, startAt, withEvent } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const hourMs = 3_600_000

/** Invoices of many kinds, created in no order, several within one millisecond. */
const assorted = (): ReadonlyArray<Invoice> => {
  const statuses: ReadonlyArray<InvoiceStatus> = ["pending", "paid", "failed", "expired", "refunded"]
  return Array.from({ length: 90 }, (_, n) =>
    invoiceOf({
      status: statuses[n % 5]!,
      createdAt: startAt + ((n * 37) % 30) * hourMs,
      mode: n % 7 === 0 ? "live" : "sandbox",
      connectionId: n % 7 === 0 ? `con_${n % 3}` : null,
      organizationId: n % 11 === 0 ? "org_other" : "org_shop",
      externalOrderId: n % 4 === 0 ? `order-${n % 8}` : null,
      description: n % 3 === 0 ? `Кофе №${n}` : null,
      customer: { name: n % 2 === 0 ? "Әлия Қасымова" : null, phone: `7700${n}`, email: `a${n}@Example.KZ` }
    })
  )
}

/** What the list must answer, computed from all invoices. */
const model = (invoices: ReadonlyArray<Invoice>, query: InvoiceQuery): { total: number; ids: Array<string> } => {
  const part = query.search?.toLowerCase()
  const matching = invoices.filter((invoice) => {
    const { name, phone, email } = invoice.customer
    const texts = [invoice.id, invoice.externalOrderId, invoice.description, name, phone, email, invoice.receiptNumber]
    return (
      invoice.organizationId === query.organizationId &&
      invoice.mode === query.mode &&
      (query.connectionId === null || invoice.connectionId === query.connectionId) &&
      (query.statuses.length === 0 || query.statuses.includes(invoice.status)) &&
      (query.externalOrderId === null || invoice.externalOrderId === query.externalOrderId) &&
      (query.from === null || invoice.createdAt >= query.from) &&
      (query.to === null || invoice.createdAt <= query.to) &&
      (part === undefined || texts.some((text) => text?.toLowerCase().includes(part) === true))
    )
  })
  const newest = matching.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
  const page = newest.slice(query.offset, query.offset + query.limit)
  return { total: matching.length, ids: page.map(({ id }) => id) }
}

const queries: ReadonlyArray<Partial<InvoiceQuery>> = [
  {},
  { limit: 7 },
  { limit: 7, offset: 7 },
  { limit: 7, offset: 68 },
  { offset: 1000 },
  { offset: Number.MAX_SAFE_INTEGER },
  { statuses: ["paid"] },
  { statuses: ["paid", "failed", "paid"], limit: 9, offset: 3 },
  { statuses: ["pending", "paid", "failed", "expired", "refunded", "cancelled", "new", "partially_refunded"] },
  { statuses: ["cancelled"] },
  { organizationId: "org_other" },
  { organizationId: "org_nobody" },
  { mode: "live" },
  { mode: "live", connectionId: "con_1" },
  { mode: "live", connectionId: "con_1", statuses: ["paid", "pending"] },
  { mode: "live", connectionId: "con_9" },
  { externalOrderId: "order-4" },
  { externalOrderId: "ORDER-4" },
  { externalOrderId: "order-4", statuses: ["paid", "expired"], from: startAt + hourMs },
  { from: startAt + 5 * hourMs, to: startAt + 9 * hourMs },
  { from: startAt + 9 * hourMs, to: startAt + 5 * hourMs },
  { to: startAt },
  { from: 0, to: Number.MAX_SAFE_INTEGER },
  { search: "кофе №1" },
  { search: "ӘЛИЯ", limit: 5, offset: 5 },
  { search: "example.kz", statuses: ["failed"] },
  { search: "77001" },
  { search: "order-0", to: startAt + 12 * hourMs },
  { search: "nothing like it" },
  { search: "nul\u0000" },
  { externalOrderId: "half\ud800" }
]

/** Descriptions and searches in which a character means something to SQL. */
const special: ReadonlyArray<string> = ["100%", "1_0", "a\\b", "it's", '"quoted"', "[a-z]*?", "%", "_", "\\", "'", ""]

/** What every storage must do, of “listing invoices”. */
export const casesOfLists = storageSubject("listing invoices", {
  *"answers exactly what matches, newest first, with its exact number"() {
    const store = yield* InvoiceStore
    const invoices = assorted()
    yield* store.insertMany(invoices.map(withEvent))
    for (const members of queries) {
      const query = queryOf(members)
      const page = yield* store.list(query)
      const actual = { total: page.total, ids: page.invoices.map(({ id }) => id) }
      expectEqual(actual, model(invoices, query), `the page of ${JSON.stringify(members)}`)
    }
  },

  *"takes every character of a search as it is"() {
    const store = yield* InvoiceStore
    const invoices = [...special, "1000", "1x0", "ab", "A\\B"].map((description) => invoiceOf({ description }))
    yield* store.insertMany(invoices.map(withEvent))
    for (const search of special.filter((text) => text !== "")) {
      const query = queryOf({ search })
      const { total, invoices: found } = yield* store.list(query)
      const actual = { total, ids: found.map(({ id }) => id) }
      expectEqual(actual, model(invoices, query), `the search for ${search}`)
    }
  },

  *"finds by the identifier, and by the receipt number once there is one"() {
    const store = yield* InvoiceStore
    const { invoice, event } = creationOf()
    yield* store.insertMany([{ invoice, event }, creationOf()])
    const found = (search: string) => Effect.map(store.list(queryOf({ search })), ({ total }) => total)
    expectEqual(yield* found(invoice.id.slice(-6).toUpperCase()), 1, "by a part of the identifier")
    expectEqual(yield* found("00000001"), 0, "there is no receipt yet")
    yield* store.commitMany([changeOf(invoice, InvoiceCommand.Pay({ paidAt: startAt }))])
    expectEqual(yield* found("00000001"), 1, "by the receipt number")
  },

  *"counts what changes, whatever day it was created on"() {
    const store = yield* InvoiceStore
    const creations = [0, 5, 19, 24, 24 * 40].map((hours) => creationOf({ createdAt: startAt + hours * hourMs }))
    yield* store.insertMany(creations)
    yield* store.commitMany(creations.slice(1, 4).map(({ invoice }) => changeOf(invoice, InvoiceCommand.Expire())))
    const total = (statuses: ReadonlyArray<InvoiceStatus>) =>
      Effect.map(store.list(queryOf({ statuses, limit: 1 })), (page) => page.total)
    expectEqual(yield* total([]), 5, "all")
    expectEqual(yield* total(["pending"]), 2, "those that are left")
    expectEqual(yield* total(["expired"]), 3, "those that have changed")
    expectEqual(yield* total(["expired", "pending"]), 5, "both")
  },

  *"finds a long number as it stands, and not its parts"() {
    const store = yield* InvoiceStore
    const orders = ["ORD-DB4A35148B", "ORD-48B514-4A3DB4", "ORD-DB4A3X5148B", "77001234567", "7700-01234567"]
    const creations = orders.map((externalOrderId) => creationOf({ externalOrderId }))
    yield* store.insertMany(creations)
    const found = (search: string) =>
      Effect.map(store.list(queryOf({ search })), ({ invoices }) => invoices.map((one) => one.externalOrderId))
    expectEqual(yield* found("db4a35148b"), ["ORD-DB4A35148B"], "in any case")
    expectEqual(yield* found("d-DB4A35148"), ["ORD-DB4A35148B"], "with what stands before it, and a part of it")
    expectEqual(yield* found("77001234567"), ["77001234567"], "a whole text")
    expectEqual(yield* found("db4a35148c"), [], "nothing that is like it")
  },

  *"shows each invoice once when paged through"() {
    const store = yield* InvoiceStore
    const creations = Array.from({ length: 25 }, () => creationOf())
    yield* store.insertMany(creations)
    const pages = yield* Effect.forEach([0, 10, 20], (offset) => store.list(queryOf({ limit: 10, offset })))
    const ids = pages.flatMap(({ invoices }) => invoices.map(({ id }) => id))
    expectEqual(ids, creations.map(({ invoice }) => invoice.id).reverse(), "newest first, none twice, none left out")
  }
})

const dueAt = (due: number | null) => creationOf({ dueAt: due })

/** What every storage must do, of “claiming due invoices”. */
export const casesOfClaims = storageSubject("claiming due invoices", {
  *"leases what is due, oldest first, and nothing else"() {
    const store = yield* InvoiceStore
    const [a, b, c, later, never] = [dueAt(10), dueAt(30), dueAt(20), dueAt(101), dueAt(null)] as const
    yield* store.insertMany([a, b, c, later, never])
    const first = yield* store.claim(100, 500, 2)
    expectEqual(new Set(first.map(({ id }) => id)), new Set([a.invoice.id, c.invoice.id]), "the two oldest")
    expectEqual(
      first.map(({ version }) => version),
      [1, 1],
      "a lease is no change"
    )
    const second = yield* store.claim(100, 500, 10)
    expectEqual(
      second.map(({ id }) => id),
      [b.invoice.id],
      "then the rest"
    )
    expectEqual(yield* store.claim(100, 500, 10), [], "then nothing")
    expectEqual(
      (yield* store.claim(101, 500, 10)).map(({ id }) => id),
      [later.invoice.id],
      "an instant is due at once"
    )
    expectEqual((yield* store.claim(500, 900, 10)).length, 4, "and all again when nobody has settled them")
  },

  *"ends a lease where an invoice is to be looked at at another instant"() {
    const store = yield* InvoiceStore
    const [looked, woken, kept] = [dueAt(10), dueAt(10), dueAt(10)]
    yield* store.insertMany([looked, woken, kept])
    const claim = (now: number) => Effect.map(store.claim(now, 500, 10), (claimed) => claimed.map(({ id }) => id))
    expectEqual((yield* claim(100)).length, 3, "all of them")
    yield* store.rescheduleMany([{ id: looked.invoice.id, version: 1, dueAt: 200, providerStatus: null }])
    const next = { ...woken.invoice, version: 2, scannedAt: startAt, dueAt: 90 }
    yield* store.commitMany([{ previous: woken.invoice, next, event: null, refund: null }])
    expectEqual(yield* claim(199), [woken.invoice.id], "what a change has woken is due at once")
    expectEqual(yield* claim(200), [looked.invoice.id], "the other at its instant")
    expectEqual(yield* claim(499), [], "each is leased again")
  },

  *"gives an invoice to one of many who ask at once"() {
    const store = yield* InvoiceStore
    yield* store.insertMany(Array.from({ length: 40 }, () => dueAt(10)))
    const claims = yield* Effect.forEach(Array.from({ length: 8 }), () => store.claim(100, 500, 10), {
      concurrency: "unbounded"
    })
    const ids = claims.flat().map(({ id }) => id)
    expectEqual(new Set(ids).size, ids.length, "none is given twice")
    const rest = yield* store.claim(100, 500, 100)
    expectEqual(ids.length + rest.length, 40, "and none is lost")
  },

  *"puts off the next look at an unchanged invoice, and leaves a changed one alone"() {
    const store = yield* InvoiceStore
    const [same, changed, done] = [dueAt(10), dueAt(10), dueAt(10)]
    yield* store.insertMany([same, changed, done])
    yield* store.commitMany([changeOf(changed.invoice, InvoiceCommand.Cancel())])
    const look = { version: 1, dueAt: 700, providerStatus: "SCANNED" }
    const looks = [same, changed].map(({ invoice: { id } }) => ({ ...look, id }))
    yield* store.rescheduleMany([...looks, { ...look, id: done.invoice.id, dueAt: null }])
    const found = yield* Effect.forEach([same, changed, done], ({ invoice }) => store.find(invoice.id))
    expectEqual(
      found.map(Option.map(({ dueAt, providerStatus, version }) => [dueAt, providerStatus, version])),
      [Option.some([700, "SCANNED", 1]), Option.some([null, null, 2]), Option.some([null, "SCANNED", 1])],
      "only where the version is the one that was looked at, which stays as it is"
    )
    yield* store.rescheduleMany([])
  },

  *"leaves an invoice alone that is settled"() {
    const store = yield* InvoiceStore
    const { invoice, event } = creationOf({ id: freshId("inv") })
    yield* store.insertMany([{ invoice, event }])
    yield* store.commitMany([changeOf(invoice, InvoiceCommand.Cancel())])
    expectEqual(yield* store.claim(startAt * 2, startAt * 3, 10), [], "it is never due again")
  }
})
