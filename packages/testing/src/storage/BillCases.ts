/** Promises about the bills of tariffs. */
import { type BillPlace, BillStore, type TariffBill } from "@tolem/core/billing/BillStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { invoiceKeyOf, TariffStore } from "@tolem/core/tariff/TariffStore"
import { expectEqual } from "../Expectation.ts"
import { creationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { ordered, orderedBy, tariffOrderOf } from "./TariffCases.ts"

/** What every storage must do, of “orders of tariffs”. */
export const casesOfBills = storageSubject("orders of tariffs", {
  *"are billed to the organization that ordered, newest first, with no more of an invoice than it may know"() {
    const store = yield* TariffStore
    const bills = yield* BillStore
    // Orders of one instant have an order too.
    const orders = Array.from({ length: 5 }, (_, n) =>
      tariffOrderOf("org_shop", { createdAt: startAt + Math.floor(n / 2) })
    )
    for (const [n, order] of orders.entries()) yield* ordered(order, n === 0)
    const bare = tariffOrderOf("org_shop", { createdAt: startAt - 1, tariff: "scale" })
    yield* store.addOrder(bare, null, orderedBy(bare))
    yield* ordered(tariffOrderOf("org_other"), true)
    // An invoice of another organization with the key of the order pays for nothing.
    const alike = creationOf({
      mode: "live",
      connectionId: "con_1",
      organizationId: "org_thief",
      idempotencyKey: invoiceKeyOf(bare)
    })
    yield* InvoiceStore.use((invoices) => invoices.insertMany([alike]))
    const expected = orders
      .toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
      .concat(bare)
      .map(({ id }) => id)
    const found = yield* bills.list("org_shop", null, 50)
    expectEqual(
      found.map(({ order }) => order.id),
      expected,
      "all of theirs, and none of others"
    )
    const read: Array<string> = []
    for (let after: BillPlace | null = null; ; ) {
      const page: ReadonlyArray<TariffBill> = yield* bills.list("org_shop", after, 2)
      read.push(...page.map(({ order }) => order.id))
      after = page.at(-1)?.order ?? null
      if (after === null) break
    }
    expectEqual(read, expected, "page by page")
    const first = found.find(({ order }) => order.id === orders[0]?.id)
    expectEqual(first?.order, orders[0], "as it was ordered")
    expectEqual(
      [first?.invoice?.status, Object.keys(first?.invoice ?? {})],
      ["paid", ["id", "status", "receiptNumber"]],
      "with its invoice"
    )
    expectEqual(found.at(-1), { order: bare, appliedAt: null, invoice: null }, "without one")
    expectEqual(yield* bills.list("org_none", null, 50), [], "of none")
  }
})
