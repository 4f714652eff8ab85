/** Promises of `RefundListStore`: refunds over all invoices, each once, the newest first, and their sums. */
import {
  type ListedRefund,
  RefundListStore,
  type RefundPlace,
  type RefundQuery
} from "@tolem/core/cabinet/refund/RefundListStore"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { RefundStatus } from "@tolem/core/invoice/Refund"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Result } from "effect"
import { expectEqual } from "../Expectation.ts"
import { changeOf, creationOf, freshId, refundOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const all: RefundQuery = {
  organizationId: "org_shop",
  mode: "live",
  connectionId: null,
  statuses: [],
  from: null,
  to: null
}

interface Wanted {
  readonly status: RefundStatus
  readonly at: number
  readonly amount?: number
  readonly organizationId?: string
  readonly mode?: "live" | "sandbox"
  readonly connectionId?: string | null
}

/** A paid invoice with a refund that was asked for at that time; answers the refund's id. */
const given = Effect.fnUntraced(function* (wanted: Wanted) {
  const { status, at, amount = 5, organizationId = "org_shop", mode = "live", connectionId = "con_1" } = wanted
  const store = yield* InvoiceStore
  const creation = creationOf({ organizationId, mode, connectionId, amount: Tiyn(100), externalOrderId: "order-7" })
  yield* store.insertMany([creation])
  const pay = changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))
  const [paid] = yield* store.commitMany([pay])
  const invoice = Result.getOrThrow(paid!)
  const isMade = status === "succeeded"
  const refund = refundOf(invoice, amount, {
    id: freshId("ref"),
    status,
    createdAt: at,
    completedAt: isMade || status === "failed" ? at : null
  })
  const bare = { ...invoice, updatedAt: at, version: invoice.version + 1 }
  const change = isMade
    ? changeOf(invoice, InvoiceCommand.Refund({ refund }))
    : { previous: invoice, next: bare, event: null, refund }
  Result.getOrThrow((yield* store.commitMany([change]))[0]!)
  return refund.id
})

const idsOf = (found: ReadonlyArray<ListedRefund>) => found.map(({ refund }) => refund.id)

const readAll = Effect.fnUntraced(function* (query: RefundQuery, rows: number, limit: number) {
  const { page } = yield* RefundListStore
  const found: Array<ListedRefund> = []
  let after: RefundPlace | null = null
  for (;;) {
    const part: { readonly found: ReadonlyArray<ListedRefund>; readonly end: RefundPlace | null } = yield* page(
      query,
      { after, rows },
      limit
    )
    found.push(...part.found)
    const next: RefundPlace | null = part.found.length === limit ? part.found.at(-1)!.refund : part.end
    if (next === null) return found
    after = next
  }
})

/** What every storage must do, of “lists of refunds”. */
export const casesOfRefundLists = storageSubject("lists of refunds", {
  *"have each refund of the viewer once, newest first, however little one look takes in"() {
    const mine: Array<string> = []
    for (let n = 0; n < 9; n++) {
      // Refunds of one instant have an order too.
      const at = startAt + Math.floor(n / 2) * 1000
      mine.push(yield* given({ status: "succeeded", at }))
      yield* given({ status: "succeeded", at, mode: "sandbox" })
      yield* given({ status: "succeeded", at, organizationId: "org_other" })
    }
    const expected = mine
      .map((id, n) => ({ id, at: Math.floor(n / 2) }))
      .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
      .map(({ id }) => id)
    for (const [rows, limit] of [
      [1000, 50],
      [1000, 2],
      [3, 50],
      [2, 1]
    ] as const) {
      expectEqual(idsOf(yield* readAll(all, rows, limit)), expected, `looks of ${rows}, pages of ${limit}`)
    }
    const [first] = yield* readAll(all, 1000, 1)
    const { externalOrderId, connectionId } = first!
    expectEqual({ externalOrderId, connectionId }, { externalOrderId: "order-7", connectionId: "con_1" }, "its invoice")
  },

  *"are of a status, a time and some cashiers, and have their sums"() {
    const unknown = yield* given({ status: "unknown", at: startAt + 1, amount: 7 })
    const other = yield* given({ status: "unknown", at: startAt + 2, amount: 9, connectionId: "con_2" })
    const failed = yield* given({ status: "failed", at: startAt + 3 })
    const made = yield* given({ status: "succeeded", at: startAt + 4 })
    const list = (part: Partial<RefundQuery>) => Effect.map(readAll({ ...all, ...part }, 100, 10), idsOf)
    expectEqual(yield* list({ statuses: ["unknown"] }), [other, unknown], "one status")
    expectEqual(yield* list({ statuses: ["unknown", "failed"] }), [failed, other, unknown], "two")
    expectEqual(yield* list({ connectionId: "con_2" }), [other], "a cashier")
    expectEqual(yield* list({ among: ["con_1"] }), [made, failed, unknown], "theirs")
    expectEqual(yield* list({ from: startAt + 2, to: startAt + 3 }), [failed, other], "a time, both ends included")
    const { sums } = yield* RefundListStore
    const { sums: found, isExact } = yield* sums(all, 100)
    expectEqual(
      found.map(({ status, count, amount }) => `${status} ${count} ${amount}`),
      ["failed 1 5", "succeeded 1 5", "unknown 2 16"],
      "sums by status"
    )
    expectEqual(isExact, true, "of all")
    expectEqual((yield* sums({ ...all, among: ["con_2"] }, 100)).sums.length, 1, "of theirs")
    expectEqual((yield* sums(all, 2)).isExact, false, "of a look that takes in less")
    expectEqual(yield* sums({ ...all, organizationId: "org_none" }, 2), { sums: [], isExact: true }, "of none")
  }
})
