/** Promises of `InvoiceStore.commitMany`, deliveries aside. */
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { changeOf, creationOf, freshId, fullInvoiceOf, queryOf, refundOf, startAt, withEvent } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const pay = InvoiceCommand.Pay({ paidAt: startAt + 500 })

/** An invoice that is stored. */
const given = Effect.fnUntraced(function* (members: Partial<Invoice> = {}) {
  const creation = creationOf(members)
  yield* InvoiceStore.use((store) => store.insertMany([creation]))
  return creation.invoice
})

const statusesOf = (results: ReadonlyArray<Result.Result<Invoice, { readonly _tag: string }>>) =>
  results.map((result) => (Result.isSuccess(result) ? result.success.status : result.failure._tag))

const receiptOf = (result: Result.Result<Invoice, unknown> | undefined) => Result.getOrThrow(result!).receiptNumber

/** What every storage must do, of “committing changes”. */
export const casesOfCommits = storageSubject("committing changes", {
  *"writes the row and its event, and answers the row as written"() {
    const store = yield* InvoiceStore
    const invoice = yield* given()
    const change = changeOf(invoice, InvoiceCommand.Cancel())
    expectEqual(yield* store.commitMany([change]), [Result.succeed(change.next)], "it answers the next state")
    expectEqual(yield* store.find(invoice.id), Option.some(change.next), "which is what is stored")
    const { events } = yield* store.history("org_shop", invoice.id)
    expectEqual(events[1], change.event, "the event follows the first one")
    expectEqual(events.length, 2, "and is the last one")
  },

  *"keeps every member that a change may alter"() {
    const store = yield* InvoiceStore
    const full = fullInvoiceOf({ status: "new", paidAt: null, receiptNumber: null, late: false })
    yield* store.insertMany([withEvent(full)])
    const { next, ...change } = changeOf(full, InvoiceCommand.Expire())
    const altered: Invoice = {
      ...next,
      connectionId: "con_2",
      providerReference: "P-2",
      providerStatus: "Төленді '1'",
      providerReceiptUrl: null,
      receiptNumber: "R-2",
      qrUrl: null,
      deepLink: "app://other",
      expiresAt: null,
      paidAt: startAt + 7,
      late: true,
      dueAt: startAt + 99
    }
    yield* store.commitMany([{ ...change, next: altered }])
    expectEqual(yield* store.find(full.id), Option.some(altered), "each is written")
  },

  *"writes nothing if another writer was faster"() {
    const store = yield* InvoiceStore
    const invoice = yield* given()
    const refund = refundOf(invoice, 100)
    const late = { ...changeOf(invoice, InvoiceCommand.Cancel()), refund }
    yield* store.commitMany([changeOf(invoice, InvoiceCommand.Expire())])
    expectEqual(statusesOf(yield* store.commitMany([late])), ["InvoiceChanged"], "the second is told")
    const { events, refunds } = yield* store.history("org_shop", invoice.id)
    expectEqual(
      events.map(({ to }) => to),
      ["pending", "expired"],
      "its event was not written"
    )
    expectEqual(refunds, [], "nor its refund")
    const { total } = yield* store.list(queryOf({ statuses: ["cancelled"] }))
    expectEqual(total, 0, "nor was it counted")
  },

  *"lets one of many changes made at once win"() {
    const store = yield* InvoiceStore
    const invoice = yield* given()
    const commands = [InvoiceCommand.Cancel(), InvoiceCommand.Expire(), pay, InvoiceCommand.Fail()]
    const rivals = Array.from({ length: 12 }, (_, index) => changeOf(invoice, commands[index % 4]!))
    const results = yield* Effect.forEach(rivals, (change) => store.commitMany([change]), { concurrency: "unbounded" })
    expectEqual(results.flat().filter(Result.isSuccess).length, 1, "one wins")
    const { events } = yield* store.history("org_shop", invoice.id)
    expectEqual(events.length, 2, "and one event was written")
  },

  *"lets the first of two changes of one invoice win within a batch"() {
    const store = yield* InvoiceStore
    const invoice = yield* given()
    const first = changeOf(invoice, pay)
    const fromTheSame = changeOf(invoice, InvoiceCommand.Cancel())
    const fromTheFirst = changeOf(first.next, InvoiceCommand.Refund({ refund: refundOf(invoice, 100) }))
    const results = yield* store.commitMany([first, fromTheSame, first, fromTheFirst])
    expectEqual(statusesOf(results), ["paid", "InvoiceChanged", "InvoiceChanged", "InvoiceChanged"], "only the first")
    const found = Option.getOrThrow(yield* store.find(invoice.id))
    expectEqual(found.version, 2, "the row has changed once")
  },

  *"answers a mixed batch in its order"() {
    const store = yield* InvoiceStore
    const [a, b, c] = [yield* given(), yield* given(), yield* given({ organizationId: "org_other" })]
    yield* store.commitMany([changeOf(b, InvoiceCommand.Cancel())])
    const unknown = creationOf().invoice
    const changes = [
      changeOf(c, pay),
      changeOf(b, pay),
      changeOf(unknown, InvoiceCommand.Fail()),
      changeOf(a, InvoiceCommand.Expire())
    ]
    expectEqual(
      statusesOf(yield* store.commitMany(changes)),
      ["paid", "InvoiceChanged", "InvoiceChanged", "expired"],
      "each has its own outcome"
    )
    expectEqual(yield* store.commitMany([]), [], "nothing comes of nothing")
  },

  *"writes a refund record under a new version without an event"() {
    const store = yield* InvoiceStore
    const invoice = yield* given({ mode: "live", connectionId: "con_1" })
    const [row] = yield* store.commitMany([changeOf(invoice, pay)])
    const previous = Result.getOrThrow(row!)
    const record = refundOf(previous, 100, { status: "pending", completedAt: null })
    const next = { ...previous, version: previous.version + 1, dueAt: startAt + 5 }
    expectEqual(
      statusesOf(yield* store.commitMany([{ previous, next, event: null, refund: record }])),
      ["paid"],
      "the status stays"
    )
    expectEqual(
      statusesOf(yield* store.commitMany([{ previous, next, event: null, refund: refundOf(previous, 7) }])),
      ["InvoiceChanged"],
      "a second one that began from the same version is not written"
    )
    const settled = { ...record, status: "failed" as const, completedAt: startAt, providerReference: "F-1" }
    const last = { ...next, version: next.version + 1 }
    yield* store.commitMany([{ previous: next, next: last, event: null, refund: settled }])
    const { events, refunds } = yield* store.history(invoice.organizationId, invoice.id)
    expectEqual(refunds, [settled], "the record has become what was written last")
    expectEqual(events.length, 2, "and nothing was announced")
    expectEqual(Option.getOrThrow(yield* store.find(invoice.id)).dueAt, startAt + 5, "but looked at again")
  },

  *"takes large batches"() {
    const store = yield* InvoiceStore
    const creations = Array.from({ length: 300 }, () => creationOf())
    yield* store.insertMany(creations)
    const results = yield* store.commitMany(creations.map(({ invoice }) => changeOf(invoice, pay)))
    expectTrue(results.every(Result.isSuccess), "all are written")
    const { total } = yield* store.list(queryOf({ statuses: ["paid"] }))
    expectEqual(total, 300, "and counted")
    expectEqual((yield* store.list(queryOf({ statuses: ["pending"] }))).total, 0, "under their new status only")
    const newest = creations.map(({ invoice }) => invoice.id).toSorted((a, b) => (a < b ? 1 : -1))
    const [paid, both] = [["paid"] as const, ["paid", "pending"] as const]
    for (const page of [
      { statuses: paid, limit: 300, offset: 0 },
      { statuses: paid, limit: 50, offset: 230 },
      { statuses: both, limit: 50, offset: 230 },
      { statuses: both, limit: 250, offset: 0 }
    ]) {
      const { invoices } = yield* store.list(queryOf(page))
      const wanted = newest.slice(page.offset, page.offset + page.limit)
      expectEqual(
        invoices.map(({ id }) => id),
        wanted,
        `${page.limit} of ${page.statuses} behind ${page.offset}`
      )
    }
  },

  *"does not mind that the watcher has claimed the invoice meanwhile"() {
    const store = yield* InvoiceStore
    const invoice = yield* given()
    expectEqual((yield* store.claim(startAt + 180_000, startAt + 999_999, 10)).length, 1, "it is claimed")
    expectEqual(statusesOf(yield* store.commitMany([changeOf(invoice, pay)])), ["paid"], "and changed nevertheless")
    expectEqual(Option.getOrThrow(yield* store.find(invoice.id)).dueAt, null, "and no longer due")
  },

  *"numbers the receipts of an organization without gaps"() {
    const store = yield* InvoiceStore
    const [a, b, c, d] = [yield* given(), yield* given({ organizationId: "org_other" }), yield* given(), yield* given()]
    const first = yield* store.commitMany([changeOf(a, pay), changeOf(b, pay), changeOf(c, pay)])
    expectEqual(first.map(receiptOf), ["00000001", "00000001", "00000002"], "each organization has its own numbers")
    yield* store.commitMany([changeOf(a, pay)])
    const second = yield* store.commitMany([changeOf(d, pay)])
    expectEqual(second.map(receiptOf), ["00000003"], "a change that loses uses none")
    const found = Option.getOrThrow(yield* store.find(d.id))
    expectEqual(found.receiptNumber, "00000003", "the number is stored")
  },

  *"gives concurrent payments different receipts"() {
    const store = yield* InvoiceStore
    const creations = Array.from({ length: 12 }, () => creationOf())
    yield* store.insertMany(creations)
    const results = yield* Effect.forEach(creations, ({ invoice }) => store.commitMany([changeOf(invoice, pay)]), {
      concurrency: "unbounded"
    })
    const numbers = results.flat().map(receiptOf).sort()
    const expected = Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(8, "0"))
    expectEqual(numbers, expected, "1 to 12, each once")
  },

  *"keeps the receipt number of the provider, and the one it has given"() {
    const store = yield* InvoiceStore
    const invoice = yield* given()
    const { next, ...change } = changeOf(invoice, pay)
    yield* store.commitMany([{ ...change, next: { ...next, receiptNumber: "QR-77" } }])
    expectEqual(Option.getOrThrow(yield* store.find(invoice.id)).receiptNumber, "QR-77", "the provider's wins")
    const other = yield* given()
    const [paid] = yield* store.commitMany([changeOf(other, pay)])
    const row = Result.getOrThrow(paid!)
    yield* store.commitMany([changeOf(row, InvoiceCommand.Refund({ refund: refundOf(row, 100) }))])
    const refunded = Option.getOrThrow(yield* store.find(other.id))
    expectEqual(refunded.receiptNumber, "00000001", "a refund does not touch it")
    const expired = yield* given()
    const [unpaid] = yield* store.commitMany([changeOf(expired, InvoiceCommand.Expire())])
    expectEqual(receiptOf(unpaid), null, "what was not paid has none")
  },

  *"keeps refund records, by age, and what became of them"() {
    const store = yield* InvoiceStore
    const invoice = yield* given()
    const [paid] = yield* store.commitMany([changeOf(invoice, pay)])
    let row = Result.getOrThrow(paid!)
    const first = refundOf(row, 100, { reason: "қайтару", idempotencyKey: "r1", createdAt: startAt + 5000 })
    const pending = refundOf(row, 200, { createdAt: startAt + 4000, status: "pending", completedAt: null })
    for (const refund of [first, pending]) {
      const [result] = yield* store.commitMany([changeOf(row, InvoiceCommand.Refund({ refund }))])
      row = Result.getOrThrow(result!)
    }
    expectEqual(
      (yield* store.history("org_shop", invoice.id)).refunds,
      [pending, first],
      "each as it was given, the older one first"
    )
    const failed = { ...pending, status: "failed" as const, completedAt: startAt + 9000 }
    const { next, ...change } = changeOf(row, InvoiceCommand.Refund({ refund: { ...failed, amount: Tiyn(1) } }))
    yield* store.commitMany([{ ...change, next, refund: failed }])
    expectEqual((yield* store.history("org_shop", invoice.id)).refunds, [failed, first], "a known record is updated")
    expectEqual((yield* store.history("org_other", invoice.id)).refunds, [], "another organization sees nothing")
  },

  *"fails as a whole if one of its events is taken"() {
    const store = yield* InvoiceStore
    const [a, b] = [yield* given(), yield* given()]
    const wrong = changeOf(b, pay)
    const failed = yield* Effect.flip(
      store.commitMany([changeOf(a, pay), { ...wrong, event: { ...wrong.event, sequence: 1, id: freshId("evt") } }])
    )
    expectEqual([failed._tag, failed.outcome], ["StorageError", "nothing_written"], "it says that nothing was written")
    expectEqual(Option.getOrThrow(yield* store.find(a.id)), a, "and its neighbour is as it was")
    const [result] = yield* store.commitMany([changeOf(a, pay)])
    expectEqual(receiptOf(result), "00000001", "and no receipt number was used up")
  }
})
