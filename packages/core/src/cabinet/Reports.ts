/** Use-cases of what members are shown of many invoices: pages, sums, and totals of periods. It changes nothing. */
import { Clock, Context, Effect, Layer } from "effect"
import type { Invoice } from "../invoice/Invoice.ts"
import { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import type { PageBounds } from "../value/QueryChecks.ts"
import { isNarrow, type Outlook, viewerOf } from "./Desks.ts"
import {
  checkAfter,
  checkFilter,
  checkPlace,
  checkTotals,
  type FilterRequest,
  type PlaceRequest,
  type Sight
} from "./InvoiceFilters.ts"
import type { Period } from "./Periods.ts"
import { type Count, type DaySum, type InvoicePlace, ReportStore, type SourceSums } from "./ReportStore.ts"

/** The totals of a period by day, cashier and source, with those of the period before it. */
export interface Totals {
  readonly period: Period
  readonly before: Period
  readonly days: ReadonlyArray<DaySum>
  readonly daysBefore: ReadonlyArray<DaySum>
  readonly sources: SourceSums
}

/** A page of the list. */
export interface Page extends PageBounds {
  /** Of all that match, wherever the page begins. */
  readonly total: Count
  readonly invoices: ReadonlyArray<Invoice>
  /** Where the next page begins; null: there is none. */
  readonly next: InvoicePlace | null
  /** How far back was looked, where a request looks no further and the page is not full. */
  readonly lookedTo: number | null
}

const nothing: Count = { count: 0, isExact: true }

const make = Effect.gen(function* () {
  const store = yield* ReportStore
  const settings = yield* InvoiceSettings
  const { rowsPerLook: rows, maxCounted: counted } = settings
  const { entering } = yield* SandboxClocks

  const page = Effect.fn("Reports.page")(function* (desk: Outlook, request: PlaceRequest) {
    const filter = yield* Effect.fromResult(checkFilter(sightOf(desk), request))
    const { after, limit, offset } = yield* Effect.fromResult(checkPlace(request, settings))
    const bounds = { limit, offset }
    if (isEmpty(filter)) return { total: nothing, ...bounds, invoices: [], next: null, lookedTo: null } satisfies Page
    // One more tells whether there are more.
    const { found, end } = yield* store.page(filter, { after, rows }, { limit: limit + 1, offset })
    const invoices = found.slice(0, limit)
    const isFull = found.length > limit
    const next = isFull ? (invoices.at(-1) ?? null) : end
    // What fits on the first page needs no count.
    const isAll = next === null && after === null && offset === 0
    const total = isAll ? { count: found.length, isExact: true } : yield* store.count(filter, { rows, count: counted })
    return { total, ...bounds, invoices, next, lookedTo: isFull ? null : (end?.createdAt ?? null) } satisfies Page
  })

  const sums = Effect.fn("Reports.sums")(function* (desk: Outlook, request: PlaceRequest) {
    const filter = yield* Effect.fromResult(checkFilter(sightOf(desk), request))
    const after = yield* Effect.fromResult(checkAfter(request.after))
    return isEmpty(filter) ? { found: [], end: null } : yield* store.sums(filter, { after, rows })
  })

  const totals = Effect.fn("Reports.totals")(function* (wanted: Sight, asked: FilterRequest) {
    const now = yield* Clock.currentTimeMillis
    const { period, before, sight } = yield* Effect.fromResult(checkTotals(wanted, asked, now))
    if (isEmpty(sight))
      return { period, before, days: [], daysBefore: [], sources: { found: [], isExact: true } } satisfies Totals
    const days = yield* store.days({ ...sight, ...period })
    const daysBefore = yield* store.days({ ...sight, ...before })
    const sources = yield* store.sources({ ...sight, ...period }, rows)
    return { period, before, days, daysBefore, sources } satisfies Totals
  })

  return {
    /**
     * Those that are theirs to see, newest first, from where an earlier page ended, and the number of all that match.
     */
    page,
    /** The sums by status, of all that match or of as many rows as one request looks at. */
    sums,
    /** Totals of a period, by the clock of the mode. */
    totals: (desk: Outlook, asked: FilterRequest) => entering(totals)(sightOf(desk), asked)
  }
})

/** The use-cases of reports. */
export class Reports extends Context.Service<Reports, Effect.Success<typeof make>>()("@tolem/core/Reports") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Reports, make)
}

/** Whose invoices are seen. Pure. */
export const sightOf = (desk: Outlook): Sight => ({
  ...viewerOf(desk),
  among: isNarrow(desk) ? desk.connectionIds : undefined
})

/** Whether they see none. Pure. */
export const isEmpty = ({ among }: Sight): boolean => among?.length === 0
