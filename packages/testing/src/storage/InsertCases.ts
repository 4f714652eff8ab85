/** Promises of `InvoiceStore.insertMany`, `find`, `details` and `history`. */
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { Insertion, InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect, Option, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import {
  changeOf,
  creationOf,
  freshId,
  fullInvoiceOf,
  invoiceOf,
  queryOf,
  refundOf,
  startAt,
  withEvent
} from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const told = (insertions: ReadonlyArray<Insertion>) =>
  insertions.map((one) => [one._tag, one._tag === "OverQuota" ? one.code : "invoice" in one ? one.invoice.id : "none"])

const storedEqual = Effect.fnUntraced(function* (invoice: Invoice, promise: string) {
  const store = yield* InvoiceStore
  expectEqual(yield* store.find(invoice.id), Option.some(invoice), promise)
})

const totalOf = (organizationId: OrganizationId) =>
  InvoiceStore.use((store) => Effect.map(store.list(queryOf({ organizationId })), ({ total }) => total))

/** Texts that come back as they went, member order, digits and escapes included. */
const metadataTexts: ReadonlyArray<string> = [
  "{}",
  '{"__proto__":{"admin":true},"constructor":1}',
  '{"nul":"\\u0000","half":"\\ud800","pair":"\\ud83d\\ude00"}',
  '{"big":12345678901234567890,"huge":1e400,"float":1.0,"small":-0.0}',
  '{"b":1,"a":2,"b":3}',
  '{ "spaces" :\n[ 1,\t2 ] }',
  '{"text":"қазақша 😀 \\" \\\\ \\/ %_"}',
  `{"long":"${"x".repeat(16_000)}"}`
]

const awkwardTexts: ReadonlyArray<string> = [
  "",
  " ",
  "'; drop table invoices; --",
  '"double" \\back\\slash\\',
  "100 % _under_",
  "line\nbreak\ttab\u0001\u001f",
  "қазақ тілі 😀",
  "null",
  "12",
  "1e5",
  '{"json":1}'
]

/** What every storage must do, of “inserting invoices”. */
export const casesOfInserts = storageSubject("inserting invoices", {
  *"keeps every member, in reads by id and in lists"() {
    const store = yield* InvoiceStore
    const full = fullInvoiceOf()
    const bare = invoiceOf({ expiresAt: null, dueAt: null })
    expectEqual(
      told(yield* store.insertMany([withEvent(full), withEvent(bare)])),
      [
        ["Created", full.id],
        ["Created", bare.id]
      ],
      "both are created"
    )
    yield* storedEqual(full, "the full invoice is found as it was given")
    yield* storedEqual(bare, "the bare invoice is found as it was given")
    const { invoices } = yield* store.list(queryOf({ mode: "live" }))
    expectEqual(invoices, [full], "the list shows it as it was given")
  },

  *"keeps metadata to the last byte"() {
    const store = yield* InvoiceStore
    const creations = metadataTexts.map((metadata) => creationOf({ metadata }))
    yield* store.insertMany(creations)
    for (const { invoice } of creations) {
      const found = Option.getOrThrow(yield* store.find(invoice.id))
      expectEqual(found.metadata, invoice.metadata, "the text comes back as it went")
    }
  },

  *"keeps any text, whatever it looks like"() {
    const store = yield* InvoiceStore
    const creations = awkwardTexts.map((text) =>
      creationOf({ description: text, externalOrderId: text, customer: { name: text, phone: null, email: null } })
    )
    yield* store.insertMany(creations)
    for (const { invoice } of creations) yield* storedEqual(invoice, "the invoice is found as it was given")
  },

  *"writes the first event, which only its organization sees"() {
    const store = yield* InvoiceStore
    const { invoice, event } = creationOf()
    yield* store.insertMany([{ invoice, event }])
    const history = yield* store.history(invoice.organizationId, invoice.id)
    expectEqual(history, { events: [event], refunds: [] }, "the history is the first event")
    const foreign = yield* store.history("org_other", invoice.id)
    expectEqual(foreign, { events: [], refunds: [] }, "another organization sees nothing")
  },

  *"answers many invoices at once, each with its own events and refunds, in the order asked for"() {
    const store = yield* InvoiceStore
    const [first, second] = [creationOf(), creationOf()]
    yield* store.insertMany([first, second])
    const paid = changeOf(first.invoice, InvoiceCommand.Pay({ paidAt: startAt }))
    const [row] = yield* store.commitMany([paid])
    const invoice = Result.getOrThrow(row!)
    const refund = refundOf(invoice, 100)
    yield* store.commitMany([changeOf(invoice, InvoiceCommand.Refund({ refund }))])
    const ids = [second.invoice.id, freshId("inv"), first.invoice.id, second.invoice.id, "\u0000"]
    const found = yield* store.details(ids)
    expectEqual(found.map(Option.isSome), [true, false, true, true, false], "those that exist, in order")
    const [other, , own] = found.map(Option.getOrUndefined)
    expectEqual(
      own?.events.map(({ type }) => type),
      ["invoice.created", "invoice.paid", "invoice.partially_refunded"],
      ""
    )
    expectEqual(own?.refunds, [refund], "the refund is its own")
    expectEqual(other, { invoice: second.invoice, events: [second.event], refunds: [] }, "the other has no more")
    expectEqual(yield* store.details([]), [], "nothing for nothing")
    const versions = [
      [first.invoice.id, 3],
      [second.invoice.id, 1]
    ] as const
    expectEqual(yield* store.versions(ids), new Map(versions), "the versions of those that exist")
    expectEqual(yield* store.versions([]), new Map(), "no version for nothing")
  },

  *"finds nothing under an unknown id"() {
    const store = yield* InvoiceStore
    expectEqual(yield* store.find(freshId("inv")), Option.none(), "there is none")
    for (const text of ["'", "", "\u0000", "\ud800"]) {
      expectEqual(yield* store.find(text), Option.none(), "there is none, whatever the text")
    }
  },

  *"answers the earlier invoice for a key that is taken, and writes nothing"() {
    const store = yield* InvoiceStore
    const first = creationOf({ idempotencyKey: "key", description: "first" })
    const second = creationOf({ idempotencyKey: "key", description: "second" })
    yield* store.insertMany([first])
    const [answer] = yield* store.insertMany([second])
    expectEqual(told([answer!]), [["Replayed", first.invoice.id]], "it is replayed")
    expectEqual(answer, Insertion.Replayed({ invoice: first.invoice }), "with the earlier invoice, whole")
    const { organizationId } = first.invoice
    const found = yield* store.findKey({ organizationId, mode: "sandbox" }, "key")
    expectEqual(found, Option.some(first.invoice), "which is found by its key")
    expectEqual(yield* store.findKey({ organizationId, mode: "live" }, "key"), Option.none(), "in its mode")
    const others = yield* store.findKey({ organizationId: "org_none", mode: "sandbox" }, "key")
    expectEqual(others, Option.none(), "and its organization")
    expectEqual(yield* store.find(second.invoice.id), Option.none(), "the second was not written")
    const { events } = yield* store.history("org_shop", second.invoice.id)
    expectEqual(events, [], "nor was its event")
    expectEqual(yield* totalOf("org_shop"), 1, "nor was it counted")
  },

  *"lets the second of one batch replay the first, also when they differ"() {
    const store = yield* InvoiceStore
    const first = creationOf({ idempotencyKey: "key", description: "first" })
    const second = creationOf({ idempotencyKey: "key", description: "second" })
    const answers = yield* store.insertMany([first, second])
    expectEqual(
      told(answers),
      [
        ["Created", first.invoice.id],
        ["Replayed", first.invoice.id]
      ],
      "the first one wins"
    )
    yield* storedEqual(first.invoice, "the first is stored")
    expectEqual(yield* totalOf("org_shop"), 1, "one was written")
  },

  *"answers a mixed batch in its order"() {
    const store = yield* InvoiceStore
    const old = creationOf({ idempotencyKey: "z" })
    yield* store.insertMany([old])
    const [a, b, c, d, e] = [
      creationOf({ idempotencyKey: "m" }),
      creationOf({ idempotencyKey: "z" }),
      creationOf(),
      creationOf({ idempotencyKey: "m" }),
      creationOf({ idempotencyKey: "a" })
    ] as const
    expectEqual(
      told(yield* store.insertMany([a, b, c, d, e])),
      [
        ["Created", a.invoice.id],
        ["Replayed", old.invoice.id],
        ["Created", c.invoice.id],
        ["Replayed", a.invoice.id],
        ["Created", e.invoice.id]
      ],
      "each has its own outcome"
    )
    expectEqual(yield* totalOf("org_shop"), 4, "three were added to the one")
  },

  *"keeps keys of organizations and modes apart, and lets invoices without key be many"() {
    const store = yield* InvoiceStore
    const answers = yield* store.insertMany([
      creationOf({ idempotencyKey: "key" }),
      creationOf({ idempotencyKey: "key", mode: "live" }),
      creationOf({ idempotencyKey: "key", organizationId: "org_other" }),
      creationOf({ idempotencyKey: "KEY" }),
      creationOf(),
      creationOf()
    ])
    expectTrue(
      answers.every(({ _tag }) => _tag === "Created"),
      "none is a replay"
    )
  },

  *"lets one of many callers create at once, and the others replay"() {
    const store = yield* InvoiceStore
    const rivals = Array.from({ length: 20 }, () => creationOf({ idempotencyKey: "race" }))
    const answers = yield* Effect.forEach(rivals, (rival) => store.insertMany([rival]), { concurrency: "unbounded" })
    const all = told(answers.flat())
    const created = all.filter(([tag]) => tag === "Created")
    expectEqual(created.length, 1, "one is created")
    expectTrue(
      all.every(([, id]) => id === created[0]![1]),
      "all are told of that one"
    )
    expectEqual(yield* totalOf("org_shop"), 1, "one was written")
  },

  *"takes batches of any size"() {
    const store = yield* InvoiceStore
    expectEqual(yield* store.insertMany([]), [], "nothing comes of nothing")
    for (const size of [1, 2, 500]) {
      const batch = Array.from({ length: size }, () => creationOf({ organizationId: `org_${size}` }))
      const answers = yield* store.insertMany(batch)
      expectEqual(
        told(answers),
        batch.map(({ invoice }) => ["Created", invoice.id]),
        `all ${size} are created, in order`
      )
      expectEqual(yield* totalOf(`org_${size}`), size, "all were written")
    }
  },

  *"writes all of a batch or nothing"() {
    const store = yield* InvoiceStore
    const existing = creationOf()
    yield* store.insertMany([existing])
    const neighbour = creationOf()
    const failed = yield* Effect.flip(store.insertMany([neighbour, creationOf({ id: existing.invoice.id })]))
    expectEqual(failed._tag, "StorageError", "an id that is taken is a failure of the store")
    expectEqual(failed.outcome, "nothing_written", "which says that nothing was written")
    expectEqual(failed.retryable, false, "and that trying again will not help")
    expectEqual(yield* store.find(neighbour.invoice.id), Option.none(), "its neighbour was not written")
    expectEqual(yield* totalOf("org_shop"), 1, "and not counted")
  }
})
