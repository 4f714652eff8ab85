/** Promises of `BacklogStore`. */
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import { type Backlog, BacklogStore, backlogKinds } from "@tolem/core/measure/BacklogStore"
import { compared } from "@tolem/core/reconciliation/Reconciliation"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { newWorkItem, resolved } from "@tolem/core/reconciliation/WorkItem"
import { Effect } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, freshId, startAt } from "../fixtures.ts"
import { differenceOf, side } from "./ReconciliationCases.ts"
import { storageSubject } from "./StorageCase.ts"
import { givenSubscription } from "./SubscriptionCases.ts"
import { auditOf } from "./TariffCases.ts"

const day = { organizationId: "org_shop", connectionId: "con_1", day: "2026-01-01" }

/** The kinds of which something waits. */
const waiting = (now: number, maxCounted = 9) =>
  Effect.map(
    BacklogStore.use((store) => store.waiting(now, maxCounted)),
    (found): ReadonlyArray<Backlog> => {
      const kinds = found.map(({ kind }) => kind)
      expectEqual(kinds.toSorted(), [...backlogKinds].sort(), "every kind is told of")
      const nothing = found.filter(({ count, oldestAt }) => count === 0 && oldestAt !== null)
      expectEqual(nothing, [], "nothing has no age")
      return found.filter(({ count }) => count > 0)
    }
  )

/** What every storage must do, of “a backlog”. */
export const casesOfBacklogs = storageSubject("a backlog", {
  *"is what is due, with the age of the oldest"() {
    expectEqual(yield* waiting(startAt), [], "an empty storage has none")
    const store = yield* InvoiceStore
    yield* store.insertMany([5, 3, 8].map((ms) => creationOf({ dueAt: startAt + ms })))
    expectEqual(yield* waiting(startAt + 2), [], "nothing is due yet")
    const some = [{ kind: "invoices", count: 2, oldestAt: startAt + 3 }] as const
    expectEqual(yield* waiting(startAt + 5), some, "those that are due")
    expectEqual(yield* waiting(startAt + 5, 1), [{ ...some[0], count: 1 }], "as many as may be counted")
    yield* store.claim(startAt + 9, startAt + 50, 9)
    expectEqual(yield* waiting(startAt + 9), [], "what an agent has taken does not wait")
  },

  *"has letters, subscriptions, days to compare and open work items"() {
    const invoices = yield* InvoiceStore
    const creation = creationOf({ customer: { name: null, phone: null, email: "a@b.kz" }, dueAt: null })
    yield* invoices.insertMany([creation])
    const mail = NewMail.about(creation.invoice, "receipt", freshId("mai"), startAt + 1)!
    const paid = changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))
    yield* invoices.commitMany([{ ...paid, next: { ...paid.next, dueAt: null }, mail }])
    yield* givenSubscription({ dueAt: startAt + 2, nextRunAt: startAt + 2 })
    const store = yield* ReconciliationStore
    const row = yield* store.ask(day, startAt + 3)
    const due = yield* waiting(startAt + 9)
    const expected: ReadonlyArray<Backlog> = [
      { kind: "letters", count: 1, oldestAt: startAt + 1 },
      { kind: "subscriptions", count: 1, oldestAt: startAt + 2 },
      { kind: "reconciliations", count: 1, oldestAt: startAt + 3 }
    ]
    expectEqual(due, expected, "those that are due")
    const items = [1, 2].map((ms) => newWorkItem(freshId("wki"), day, differenceOf(), startAt + 3 + ms))
    const sums = { here: side, there: side }
    const reconciliation = compared(row, sums, startAt + 4)
    yield* store.settle({ reconciliation, added: items, changed: [], records: [] })
    const ended = resolved(items[0]!, { resolution: "accepted", resolvedBy: null, note: "x", now: startAt + 6 })
    yield* store.replaceItem(ended, auditOf())
    const open = (yield* waiting(startAt + 9)).at(-1)
    expectEqual(open, { kind: "work_items", count: 1, oldestAt: startAt + 5 }, "what is open")
  },

  *"stands beside the size of the database, which grows"() {
    const { size } = yield* BacklogStore
    const before = yield* size
    const description = "x".repeat(100)
    const many = Array.from({ length: 2_000 }, () => creationOf({ description }))
    yield* (yield* InvoiceStore).insertMany(many)
    const after = yield* size
    expectEqual(before > 0 && after > before, true, `bytes: ${before}, then ${after}`)
  }
})
