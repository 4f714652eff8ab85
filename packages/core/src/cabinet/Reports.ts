/** Use-cases of what members are shown of many invoices: pages, sums, and totals of periods. It changes nothing. */
import { Clock, Context, Effect, Layer } from "effect"
import { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { type Desk, isNarrow, viewerOf } from "./Desks.ts"
import {
  checkFilter,
  checkPlace,
  checkTotals,
  type FilterRequest,
  type Period,
  type PlaceRequest,
  type Sight
} from "./InvoiceFilters.ts"
import { type DaySum, ReportStore, type SourceSum } from "./ReportStore.ts"

/** The totals of a period by day, cashier and source, with those of the period before it. */
export interface Totals {
  readonly period: Period
  readonly before: Period
  readonly days: ReadonlyArray<DaySum>
  readonly daysBefore: ReadonlyArray<DaySum>
  readonly sources: ReadonlyArray<SourceSum>
}

const make = Effect.gen(function* () {
  const store = yield* ReportStore
  const settings = yield* InvoiceSettings
  const { entering } = yield* SandboxClocks

  const page = Effect.fn("Reports.page")(function* (desk: Desk, request: PlaceRequest) {
    const filter = yield* Effect.fromResult(checkFilter(sightOf(desk), request))
    const { after, limit, offset } = yield* Effect.fromResult(checkPlace(request, settings))
    if (isEmpty(filter)) return { total: 0, limit, offset, invoices: [], hasMore: false }
    // One more tells whether there are more.
    const found = yield* store.page(filter, after, { limit: limit + 1, offset })
    const hasMore = found.length > limit
    // What fits on the first page needs no count.
    const isAll = !hasMore && after === null && offset === 0
    const sums = isAll ? [] : yield* store.sums(filter)
    const total = sums.reduce((sum, { count }) => sum + count, isAll ? found.length : 0)
    return { total, limit, offset, invoices: found.slice(0, limit), hasMore }
  })

  const sums = Effect.fn("Reports.sums")(function* (desk: Desk, request: FilterRequest) {
    const filter = yield* Effect.fromResult(checkFilter(sightOf(desk), request))
    return isEmpty(filter) ? [] : yield* store.sums(filter)
  })

  const totals = Effect.fn("Reports.totals")(function* (wanted: Sight, asked: FilterRequest) {
    const now = yield* Clock.currentTimeMillis
    const { period, before, sight } = yield* Effect.fromResult(checkTotals(wanted, asked, now))
    if (isEmpty(sight)) return { period, before, days: [], daysBefore: [], sources: [] } satisfies Totals
    const days = yield* store.days({ ...sight, ...period })
    const daysBefore = yield* store.days({ ...sight, ...before })
    const sources = yield* store.sources({ ...sight, ...period })
    return { period, before, days, daysBefore, sources } satisfies Totals
  })

  return {
    /**
     * Those that are theirs to see, newest first, from where an earlier page ended, and the number of all that match.
     */
    page,
    /** The sums of all that match, by status. */
    sums,
    /** Totals of a period, by the clock of the mode. */
    totals: (desk: Desk, asked: FilterRequest) => entering(totals)(sightOf(desk), asked)
  }
})

/** The use-cases of reports. */
export class Reports extends Context.Service<Reports, Effect.Success<typeof make>>()("@tolem/core/Reports") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Reports, make)
}

const sightOf = (desk: Desk): Sight => ({
  ...viewerOf(desk),
  among: isNarrow(desk) ? desk.connectionIds : undefined
})

const isEmpty = ({ among }: Sight): boolean => among?.length === 0
