/** Verbs of reports, called with fixed values. */
import { type ListFilter, ReportStore } from "@tolem/core/cabinet/ReportStore"
import { filterOf, startAt } from "@tolem/testing/fixtures"
import { Effect } from "effect"

const shop = { organizationId: "org_shop", mode: "live" as const }

const all = filterOf(shop)

const some: ListFilter = {
  ...all,
  connectionId: "con_1",
  among: ["con_1", "con_2"],
  statuses: ["paid"],
  kind: "qr",
  source: "request",
  minAmount: 100,
  maxAmount: 200,
  externalOrderId: "order",
  search: "tea",
  from: startAt,
  to: startAt + 1
}

const days = { ...shop, connectionId: null, from: "2026-01-01", to: "2026-01-07" }

export const reports = Effect.map(ReportStore, (store) => ({
  "page of invoices": store.page(all, null, { limit: 50, offset: 10 }),
  "page of invoices behind a place": store.page(all, { createdAt: startAt, id: "inv_1" }, { limit: 50, offset: 10 }),
  "page of some invoices": store.page(some, null, { limit: 50, offset: 10 }),
  "sums of days": store.sums({ ...all, statuses: ["paid"] }),
  "sums of rows": store.sums({ ...all, minAmount: 100 }),
  "sums of some invoices": store.sums(some),
  "days of reports": store.days(days),
  "sources of reports": store.sources(days),
  "deliveries of an invoice": store.deliveriesOf({ organizationId: "org_shop", invoiceId: "inv_1" }, 10),
  "deliveries of a time": store.deliveriesIn(shop, {
    endpointId: "whe_1",
    isFailedOnly: true,
    from: startAt,
    to: startAt + 1,
    after: { createdAt: startAt, id: "dlv_1" },
    limit: 10
  }),
  "all deliveries of a time": store.deliveriesIn(
    { ...shop, mode: "sandbox" },
    { endpointId: "whe_1", isFailedOnly: false, from: startAt, to: startAt + 1, after: null, limit: 10 }
  )
}))
