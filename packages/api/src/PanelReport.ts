/** Pages, sums and totals as members are shown them. */

import { invoiceSources } from "@tolem/core/cabinet/ReportStore"
import { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Schema } from "effect"
import { Invoice } from "./Invoice.ts"
import { DateTime, money, text, whole } from "./Members.ts"

/** Why a filter of invoices is refused. */
export const filterCodes = [
  "invalid_status",
  "invalid_external_order_id",
  "invalid_search",
  "invalid_from",
  "invalid_to",
  "invalid_kind",
  "invalid_connection_id",
  "invalid_source",
  "invalid_amount"
] as const

const look = {
  next: text.annotate({ description: "The `after` that goes on; null: there are no more" }),
  lookedTo: Schema.NullOr(DateTime).annotate({
    description: "How far back a request has looked that ended before the list; with `next` the next one goes on"
  })
}

/**
 * A page of invoices, newest first. `total`: of all that the filter lets through, wherever the page begins. A page that
 * ends before it is full, even without any, has a `next` if there is more to look at.
 */
export const PanelInvoicePage = Schema.Struct({
  total: whole(0),
  totalIsExact: Schema.Boolean.annotate({ description: "false: there are at least `total`" }),
  limit: whole(1),
  offset: whole(0),
  ...look,
  invoices: Schema.Array(Invoice)
}).annotate({ identifier: "PanelInvoicePage" })

const sum = { count: whole(0), amount: money, refunded: money }

/** The sums of what a filter lets through: of all where `next` is null, else of what was looked at. */
export const InvoiceSums = Schema.Struct({
  ...sum,
  statuses: Schema.Array(Schema.Struct({ status: InvoiceStatus, ...sum })),
  ...look
}).annotate({ identifier: "InvoiceSums" })

const figures = {
  created: whole(0).annotate({ description: "Invoices that were made in it" }),
  paid: whole(0).annotate({ description: "Those of them that are paid, whatever went back since" }),
  amount: money.annotate({ description: "Of those that are paid" }),
  refunded: money.annotate({ description: "What went back of that" })
}
const day = Schema.String.annotate({ format: "date" })
const period = { from: day, to: day }

/** Totals of a period by the day of Almaty on which invoices were made, with those of as many days before it. */
export const PanelTotals = Schema.Struct({
  ...period,
  ...figures,
  before: Schema.Struct({ ...period, ...figures }),
  days: Schema.Array(Schema.Struct({ day, ...figures })).annotate({ description: "Those with invoices, in order" }),
  cashiers: Schema.Array(Schema.Struct({ connectionId: text, ...figures })),
  sources: Schema.Array(Schema.Struct({ source: Schema.Literals(invoiceSources), ...figures })),
  sourcesAreExact: Schema.Boolean.annotate({
    description: "false: a day is left out of the sources, as a server of an earlier version has counted on it"
  })
}).annotate({ identifier: "PanelTotals" })

const moved = {
  payments: whole(0),
  paid: money,
  latePayments: whole(0).annotate({ description: "Those of the payments that came after their invoice had ended" }),
  late: money,
  refunds: whole(0),
  refunded: money,
  net: Schema.Finite.annotate({ description: "In tenge: `paid` less `refunded`; below zero if more went back" })
}

const byCashier = Schema.Array(Schema.Struct({ connectionId: text, ...moved }))
const bySource = Schema.Array(Schema.Struct({ source: Schema.Literals(invoiceSources), ...moved }))

/** What was paid and given back in a period, by the Almaty day on which money moved. Each part adds up to the sums. */
export const PanelStatement = Schema.Struct({
  ...period,
  ...moved,
  days: Schema.Array(Schema.Struct({ day, ...moved })).annotate({ description: "Those with movements, in order" }),
  months: Schema.Array(Schema.Struct({ month: Schema.String, ...moved })),
  cashiers: byCashier,
  sources: bySource
}).annotate({ identifier: "PanelStatement" })

const payment = Schema.NullOr(
  Schema.Struct({
    invoiceId: Schema.String,
    amount: money,
    receiptNumber: text,
    late: Schema.Boolean,
    paidAt: DateTime
  })
)

/** Whether a member has the statement of each month by letter. */
export const StatementLetterChoice = Schema.Struct({
  wanted: Schema.Boolean,
  email: text.annotate({ description: "Where it goes: the address of the member" }),
  month: text.annotate({ description: "Of which the next letter is, as `2026-03`; it goes when that has ended" }),
  sentMonth: text.annotate({ description: "Of which the last letter was that has gone" }),
  reason: text.annotate({ description: "Why the last one has not gone" })
}).annotate({ identifier: "StatementLetterChoice" })

/** The choice. */
export const StatementLetterWish = Schema.Struct({ wanted: Schema.Boolean }).annotate({
  identifier: "StatementLetterWish"
})

/** The report of a till between two instants, both included. */
export const PanelShift = Schema.Struct({
  from: DateTime,
  to: DateTime,
  connectionId: text,
  ...moved,
  cashiers: byCashier,
  sources: bySource,
  first: payment,
  last: payment
}).annotate({ identifier: "PanelShift" })
