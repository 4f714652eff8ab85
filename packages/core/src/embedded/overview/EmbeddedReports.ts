/** What a merchant is shown of many things at once, as promises; see `createEngine`. */
import type { AttentionOfKind } from "../../attention/Attention.ts"
import { attentionJson } from "../../attention/AttentionJson.ts"
import { outlookOf } from "../../cabinet/Desks.ts"
import { lookJson, sumsJson, totalsJson } from "../../cabinet/ReportJson.ts"
import type { InvoiceSource } from "../../cabinet/ReportStore.ts"
import type { Page } from "../../cabinet/Reports.ts"
import { shiftJson, statementJson } from "../../cabinet/statement/StatementJson.ts"
import type { Engine } from "../../engine/Engine.ts"
import type { InvoiceKind } from "../../invoice/Invoice.ts"
import { type InvoiceObject, invoiceObject } from "../../invoice/InvoiceJson.ts"
import type { Viewer } from "../../value/Tenant.ts"
import { faceOf, type RunPromise } from "../Faces.ts"
import { type InvoiceFilter, type ListPage, queried } from "../Filters.ts"

/** Some of the invoices, from where an earlier request has ended. */
export interface ReportFilter extends InvoiceFilter {
  readonly kind?: InvoiceKind | undefined
  /** Those of this cashier. */
  readonly connectionId?: string | null | undefined
  /** What they came from. */
  readonly source?: InvoiceSource | undefined
  /** In tenge, this included. */
  readonly minAmount?: number | undefined
  /** In tenge, this included. */
  readonly maxAmount?: number | undefined
  /** `next` of an earlier answer. */
  readonly after?: string | null | undefined
}

/** A period of days in Almaty, `YYYY-MM-DD`, both included: 366 at most; the last seven if nothing is said. */
export interface ReportPeriod {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Of this cashier. */
  readonly connectionId?: string | null | undefined
}

/** Two instants in ISO 8601, or days of Almaty, both included: today if nothing is said. */
export interface ReportTime {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Of this cashier. */
  readonly connectionId?: string | null | undefined
}

/** Invoices by cursor, sums and totals. */
export interface EmbeddedReports {
  /**
   * A page of invoices, newest first. `next` begins the next one; null: there is none. `lookedTo`: how far back was
   * looked, if one request looks no further and the page is not full.
   */
  readonly page: (filter?: ReportFilter) => Promise<
    ListPage &
      ReturnType<typeof lookJson> & {
        /** Whether there are no more than `total`. */
        readonly totalIsExact: boolean
        readonly invoices: ReadonlyArray<InvoiceObject>
      }
  >
  /** The sums by status of what matches, in tenge. If `next` is not null there is more behind it: add the next sums. */
  readonly sums: (filter?: ReportFilter) => Promise<ReturnType<typeof sumsJson>>
  /** Totals of a period by day, cashier and source, in tenge, with those of the period before it. */
  readonly totals: (period?: ReportPeriod) => Promise<ReturnType<typeof totalsJson>>
  /**
   * What was paid and given back in a period, by the day on which money moved, in tenge: this month up to today if
   * nothing is said.
   */
  readonly statement: (period?: ReportPeriod) => Promise<ReturnType<typeof statementJson>>
  /** The same of a till between two instants, with its first and last payment. */
  readonly shift: (time?: ReportTime) => Promise<ReturnType<typeof shiftJson>>
}

/** What needs attention. */
export interface EmbeddedAttention {
  /**
   * What a person has to look at, the worst first: refunds of unknown outcome, late money, cashiers whose session was
   * lost, endpoints that are paused. It ends when its cause does.
   */
  readonly list: () => Promise<ReturnType<typeof attentionJson>>
}

const asked = ({ minAmount, maxAmount, ...filter }: ReportFilter) => ({
  ...queried(filter),
  minAmount: minAmount?.toString(),
  maxAmount: maxAmount?.toString()
})

/** Invoices by cursor, sums and totals, as promises. */
export const reportsOf = (
  { reports, statements, settings }: Engine["Service"],
  viewer: Viewer,
  run: RunPromise
): EmbeddedReports => {
  const outlook = outlookOf(viewer)
  const verbs = {
    page: (filter: ReportFilter = {}) => reports.page(outlook, asked(filter)),
    sums: (filter: ReportFilter = {}) => reports.sums(outlook, asked(filter)),
    totals: (period: ReportPeriod = {}) => reports.totals(outlook, period),
    statement: (period: ReportPeriod = {}) => statements.statement(outlook, period),
    shift: (time: ReportTime = {}) => statements.shift(outlook, time)
  }
  return faceOf<EmbeddedReports>()(run)(verbs, {
    page: ({ total, limit, offset, invoices, next, lookedTo }: Page) => ({
      total: total.count,
      totalIsExact: total.isExact,
      limit,
      offset,
      ...lookJson(next, lookedTo),
      invoices: invoices.map((invoice) => invoiceObject(invoice, settings))
    }),
    sums: sumsJson,
    totals: totalsJson,
    statement: statementJson,
    shift: shiftJson
  })
}

/** What needs attention, as promises. */
export const attentionOf = ({ attention }: Engine["Service"], viewer: Viewer, run: RunPromise): EmbeddedAttention =>
  faceOf<EmbeddedAttention>()(run)(
    { list: () => attention.list(outlookOf(viewer)) },
    { list: (kinds: ReadonlyArray<AttentionOfKind>) => attentionJson(kinds) }
  )
