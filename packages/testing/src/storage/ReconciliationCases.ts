/** Promises of `ReconciliationStore`. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { compared, newReconciliation } from "@tolem/core/reconciliation/Reconciliation"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { type Difference, newWorkItem, resolved } from "@tolem/core/reconciliation/WorkItem"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, freshId, refundOf, startAt } from "../fixtures.ts"
import { connectionOf } from "./ConnectionCases.ts"
import { opened } from "./DirectoryCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf } from "./TariffCases.ts"

const day = "2026-01-01"

/** A live organization with a cashier who is logged in. */
const cashier = Effect.gen(function* () {
  const { organization } = yield* opened()
  const connection = connectionOf({ id: freshId("con"), organizationId: organization.id, status: "active" })
  yield* (yield* ConnectionStore).add(connection)
  yield* (yield* MerchantStore).setMode(organization.id, "live", auditOf())
  return { organizationId: organization.id, connectionId: connection.id, day }
})

/** Sums of one payment. */
export const side = { payments: 1, paid: 500, refunds: 0, refunded: 0 }
const sums = { here: side, there: { ...side, paid: 501 } }

/** A payment whose amounts differ. */
export const differenceOf = (members: Partial<Difference> = {}): Difference => ({
  subject: `payment ${freshId("rct")}`,
  kind: "amount_differs",
  cause: "amounts",
  payment: "p-1",
  invoiceId: "inv_1",
  refundId: null,
  amountHere: Tiyn(500),
  amountThere: Tiyn(501),
  ...members
})

const noted = Effect.map(
  AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 })),
  (records) => records.length
)

const allDays = { from: "2000-01-01", to: "2100-01-01" }

/** What every storage must do, of “reconciliations”. */
export const casesOfReconciliations = storageSubject("reconciliations", {
  *"begin once for each active cashier of live organizations, and are leased by one"() {
    const store = yield* ReconciliationStore
    const { organizationId, connectionId } = yield* cashier
    yield* (yield* ConnectionStore).add(connectionOf({ id: freshId("con"), organizationId, status: "expired" }))
    const { organization: sandbox } = yield* opened()
    const other = connectionOf({ id: freshId("con"), organizationId: sandbox.id, status: "active" })
    yield* (yield* ConnectionStore).add(other)
    const enrol = store.enrol(day, startAt, "", 9)
    const both = yield* Effect.all([enrol, enrol], {
      concurrency: "unbounded"
    })
    expectEqual(both.flat(), [connectionId], "of two at once one adds it")
    expectEqual((yield* store.claim(startAt - 1, startAt + 5, 9)).length, 0, "not before it is due")
    const claims = yield* Effect.all([store.claim(startAt, startAt + 5, 9), store.claim(startAt, startAt + 5, 9)], {
      concurrency: "unbounded"
    })
    const expected = { ...newReconciliation({ organizationId, connectionId, day }, startAt), dueAt: startAt + 5 }
    expectEqual(claims.flat(), [expected], "one has it")
    expectEqual((yield* store.claim(startAt + 5, startAt + 9, 9)).length, 1, "after its lease another one")
  },

  *"are asked for again, and written if they are as they were read"() {
    const store = yield* ReconciliationStore
    const of = yield* cashier
    const first = yield* store.ask(of, startAt, auditOf())
    expectEqual(first, newReconciliation(of, startAt), "a new day")
    const done = compared(first, sums, startAt + 7)
    expectEqual(yield* store.replace(done), true, "written")
    expectEqual(yield* store.replace(done), false, "once")
    expectEqual(yield* store.days(of.organizationId, { from: day, to: day }, 9), [done], "as it was written")
    expectEqual(yield* store.days("org_none", { from: day, to: day }, 9), [], "for its organization only")
    const again = yield* store.ask(of, startAt + 9)
    const members = { status: "waiting", dueAt: startAt + 9, version: 3 } as const
    expectEqual(again, { ...done, ...members }, "with what was compared before")
  },

  *"are written with their items and records, all of it or nothing"() {
    const store = yield* ReconciliationStore
    const of = yield* cashier
    const row = yield* store.ask(of, startAt)
    const [one, two] = [freshId("wki"), freshId("wki")].map((id) => newWorkItem(id, of, differenceOf(), startAt))
    const before = yield* noted
    const next = compared(row, sums, startAt + 1)
    const write = { reconciliation: next, added: [one!, two!], changed: [], records: [auditOf(), auditOf()] }
    const both = yield* Effect.all([store.settle(write), store.settle(write)], { concurrency: "unbounded" })
    expectEqual([...both].sort(), [false, true], "of two at once one")
    expectEqual((yield* noted) - before, 2, "its records")
    expectEqual((yield* store.itemsOf(of)).length, 2, "its items")
    const ending = { resolution: "accepted", resolvedBy: "acc_1", note: "Нақты", now: startAt + 3 } as const
    const accepted = resolved(one!, ending)
    expectEqual(yield* store.replaceItem(accepted, auditOf()), true, "a person ends one")
    expectEqual(yield* store.replaceItem(accepted, auditOf()), false, "once")
    const gone = resolved(one!, { ...ending, resolution: "gone" })
    const late = { reconciliation: compared(next, sums, startAt + 9), added: [], changed: [gone], records: [auditOf()] }
    expectEqual(yield* store.settle(late), false, "a comparison that did not know of it")
    expectEqual((yield* noted) - before, 3, "wrote no record")
    const found = yield* store.days(of.organizationId, allDays, 9)
    expectEqual(found, [next], "and left the day as it was")
    expectEqual(yield* store.item(of.organizationId, one!.id), Option.some(accepted), "as the person has written it")
    expectEqual(yield* store.item("org_none", one!.id), Option.none(), "for its organization only")
  },

  *"list their items, open ones first, and count them"() {
    const store = yield* ReconciliationStore
    const of = yield* cashier
    const row = yield* store.ask(of, startAt)
    const items = [1, 2, 3].map((n) => newWorkItem(`${freshId("wki")}${n}`, of, differenceOf(), startAt))
    yield* store.settle({ reconciliation: compared(row, sums, startAt), added: items, changed: [], records: [] })
    const ended = resolved(items[2]!, { resolution: "accepted", resolvedBy: null, note: "x", now: startAt })
    yield* store.replaceItem(ended, auditOf())
    const asked = { organizationId: of.organizationId, ...allDays, limit: 2, offset: 0 }
    const first = yield* store.items({ ...asked, status: null })
    expectEqual(first, { total: 3, items: [items[1]!, items[0]!] }, "the first page")
    const second = yield* store.items({ ...asked, status: null, offset: 2 })
    expectEqual(second, { total: 3, items: [ended] }, "the second page")
    expectEqual((yield* store.items({ ...asked, status: "open" })).total, 2, "the open ones")
    expectEqual((yield* store.items({ ...asked, status: null, to: "2025-12-31" })).total, 0, "of other days")
    const { organizationId, connectionId, day } = of
    expectEqual(yield* store.openCounts(organizationId, allDays), [{ connectionId, day, count: 2 }], "by the day")
    const earlier = { from: "2000-01-01", to: "2025-12-31" }
    expectEqual(yield* store.openCounts(organizationId, earlier), [], "none of other days")
    expectEqual(yield* store.openCounts("org_none", allDays), [], "none of others")
  },

  *"read what moved by its instants, page by page, of one cashier and one organization"() {
    const [store, invoices] = [yield* ReconciliationStore, yield* InvoiceStore]
    const { organizationId, connectionId } = yield* cashier
    const live = { organizationId, connectionId, mode: "live", stage: "made" } as const
    const paid = (id: string, paidAt: number, more: object = {}) =>
      Effect.gen(function* () {
        const created = creationOf({ ...live, id, providerReference: `p-${id}`, ...more })
        yield* invoices.insertMany([created])
        const [written] = yield* invoices.commitMany([changeOf(created.invoice, InvoiceCommand.Pay({ paidAt }))])
        return Result.getOrThrow(written!)
      })
    const [a, b, c, d] = [1, 2, 3, 4].map((n) => `${freshId("inv")}${n}`)
    yield* paid(b!, startAt + 20)
    const first = yield* paid(a!, startAt + 10)
    yield* paid(c!, startAt + 20)
    yield* paid(d!, startAt + 15, { connectionId: "con_other" })
    yield* paid(freshId("inv"), startAt + 15, { mode: "sandbox", connectionId: null })
    const back = {
      id: freshId("ref"),
      status: "succeeded",
      completedAt: startAt + 20,
      providerReference: "r-1"
    } as const
    const refund = refundOf(first, 7, back)
    const failed = refundOf(first, 8, { id: freshId("ref"), status: "failed", completedAt: startAt + 21 })
    yield* invoices.commitMany([changeOf(first, InvoiceCommand.Refund({ refund }))])
    const refunded = Option.getOrThrow(yield* invoices.find(first.id))
    yield* invoices.commitMany([{ previous: refunded, next: { ...refunded, version: 4 }, event: null, refund: failed }])
    const query = { organizationId, connectionId, from: startAt, until: startAt + 21, after: null, limit: 9 }
    const all = yield* store.own(query)
    expectEqual(
      all.map(({ kind, id, at, amount }) => `${kind} ${id} ${at - startAt} ${amount}`),
      [
        `payment ${a} 10 ${first.amount}`,
        ...[`payment ${b} 20 ${first.amount}`, `payment ${c} 20 ${first.amount}`, `refund ${refund.id} 20 7`]
      ],
      "by instant and id"
    )
    const [given] = all.filter(({ kind }) => kind === "refund")
    expectEqual([given?.reference, given?.payment, given?.invoiceId], ["r-1", `p-${a}`, a], "what the refund names")
    const last = all[1]!
    const rest = yield* store.own({ ...query, after: { at: last.at, id: last.id } })
    expectEqual(rest, all.slice(2), "goes on behind a place")
    expectEqual(yield* store.own({ ...query, until: startAt + 10 }), [], "before its end")
    const names = { invoiceIds: [d!], refundIds: [refund.id], references: [`p-${b}`] }
    const span = { from: startAt - 9, until: startAt + 9 }
    const known = yield* store.known({ organizationId, connectionId, ...span, ...names })
    expectEqual([...known.map(({ id }) => id)].sort(), [a!, b!, d!], "invoices that are named")
    const { refunds } = known.find(({ id }) => id === a)!
    expectEqual(
      refunds.map(({ id, status }) => `${id} ${status}`).sort(),
      [`${failed.id} failed`, `${refund.id} succeeded`].sort(),
      "with their refunds"
    )
    const others = yield* store.known({ organizationId: "org_none", connectionId, ...span, ...names })
    expectEqual(others, [], "of the organization only")
  }
})
