/** The core's `ReportStore` in SQL. */
import {
  type DaysQuery,
  type InvoiceSource,
  type ListFilter,
  type Look,
  ReportStore,
  type SourceSum,
  type Sum
} from "@tolem/core/cabinet/ReportStore"
import type { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { dayOf, endOfDay, startOfDay } from "@tolem/core/value/Calendar"
import { isStorable } from "@tolem/core/value/Checks"
import type { PageBounds } from "@tolem/core/value/QueryChecks"
import type { Viewer } from "@tolem/core/value/Tenant"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../base/Database.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import { sourceOf } from "../invoice/TotalKinds.ts"
import { deliveries } from "./DeliveryReports.ts"
import { conditionsOf, type EndRow, endOf, looks, maySkip } from "./InvoiceLooks.ts"
import { linkDays } from "./LinkDays.ts"
import { type MixedDays, mixedDays } from "./MixedDays.ts"

/** The store over the database. */
export const layer: Layer.Layer<ReportStore, never, Database> = Layer.effect(
  ReportStore,
  Effect.map(Database, (database) => ({
    ...pages(database),
    ...sumsOf(database),
    ...days(database),
    ...linkDays(database),
    ...deliveries(database)
  }))
)

type Verbs = ReportStore["Service"]

/** A sum as the database answers it: of many invoices it may be more than a number holds. */
interface SumRow {
  readonly status: InvoiceStatus
  readonly invoice_count: number
  readonly amount: string
  readonly refunded: string
}

/** The same of a source. */
interface SourceRow extends SumRow {
  readonly source: InvoiceSource
}

const sumOf = ({
  status,
  invoice_count: count,
  amount,
  refunded
}: SumRow): Sum & { readonly status: InvoiceStatus } => ({
  status,
  count,
  amount: BigInt(amount),
  refunded: BigInt(refunded)
})

const addedUp = (count: string) =>
  `cast(${count} as bigint) as invoice_count,
    cast(sum(i.amount) as text) as amount, cast(sum(i.refunded) as text) as refunded`

type Conditions = ReadonlyArray<Statement.Fragment>

const isFindable = ({ externalOrderId, search }: ListFilter): boolean =>
  isStorable(externalOrderId ?? "") && isStorable(search ?? "")

/** Whether what is kept of days says all of it: what is asked for is whole days, and what they are counted by. */
const isOfDays = ({ minAmount, maxAmount, externalOrderId, search, from, to }: ListFilter): boolean =>
  [minAmount, maxAmount, externalOrderId, search].every((each) => each === null) &&
  (from === null || from === startOfDay(dayOf(from))) &&
  (to === null || to === endOfDay(dayOf(to)))

const spanOf = ({ from, to }: ListFilter) => ({
  from: from === null ? null : dayOf(from),
  to: to === null ? null : dayOf(to)
})

const lineOf = ({ organizationId, mode }: Viewer) => `${organizationId} ${mode}`

const nothing = { found: [], end: null }

const pages = (database: Database["Service"]): Pick<Verbs, "page"> => {
  const { sql, tables, longRead } = database
  const { looked, matches, edge, newestDay } = looks(database)

  const page: Verbs["page"] = Effect.fnUntraced(function* (asked: ListFilter, look: Look, bounds: PageBounds) {
    if (!isFindable(asked)) return nothing
    const { limit, offset } = bounds
    const day = maySkip(asked) ? yield* newestDay(asked, look.after) : null
    if (day === undefined) return nothing
    const filter = day === null ? asked : { ...asked, to: Math.min(endOfDay(day), asked.to ?? endOfDay(day)) }
    // The first of those that are looked at come first, as they are read in their order: sorted, all would be read.
    const some = sql`
      select i.id, i.created_at from ${looked(filter, look)} where ${matches(filter)}
      limit cast(${limit} as bigint) offset cast(${offset} as bigint)`
    const isEnded = sql`(select count(*) from page) < cast(${limit} as bigint)`
    const rows = yield* longRead(
      "ReportStore.page",
      lineOf(filter),
      sql<InvoiceRow & EndRow>`
        with page as materialized (${some}), edge as (${edge(filter, look, isEnded)})
        select i.*, edge.end_at, edge.end_id
        from (select 1 as one) as part left join edge on true left join page on true
        left join ${tables.invoices} i on i.id = page.id
        order by page.created_at desc, page.id desc`
    )
    const isEmpty = (rows[0]?.id ?? null) === null
    return { found: isEmpty ? [] : rows.map(invoiceTable.decode), end: endOf(rows[0]) }
  })

  return { page }
}

const sumsOf = (database: Database["Service"]): Pick<Verbs, "sums" | "count"> => {
  const { sql, tables, longRead } = database
  const { ofDays } = conditionsOf(database)
  const { looked, matches, edge } = looks(database)

  const sumOfDays = (filter: ListFilter) =>
    sql<SumRow>`
      select i.status, ${sql.literal(addedUp("sum(i.invoice_count)"))} from ${tables.daily_totals} i
      where ${sql.and(ofDays(filter))}
      group by i.status having sum(i.invoice_count) > 0 order by i.status`

  const { isMixed } = mixedDays(database)

  /** The sums of all that match, from what is kept of days, or null if that does not tell them. */
  const whole = Effect.fnUntraced(function* (filter: ListFilter) {
    if (!isOfDays(filter) || (yield* isMixed(filter, spanOf(filter)))) return null
    return (yield* longRead("ReportStore.sums", lineOf(filter), sumOfDays(filter))).map(sumOf)
  })

  const sums: Verbs["sums"] = Effect.fnUntraced(function* (filter: ListFilter, look: Look) {
    if (!isFindable(filter)) return nothing
    // What goes on from a place is a part, and so are those before it and behind it.
    const found = look.after === null ? yield* whole(filter) : null
    if (found !== null) return { found, end: null }
    const rows = yield* longRead(
      "ReportStore.sums",
      lineOf(filter),
      sql<SumRow & EndRow>`
        with edge as (${edge(filter, look, sql.literal("true"))}), summed as (
          select i.status, ${sql.literal(addedUp("count(*)"))}
          from ${looked(filter, look)} where ${matches(filter)} group by i.status
        )
        select summed.*, edge.end_at, edge.end_id
        from (select 1 as one) as part left join edge on true left join summed on true order by summed.status`
    )
    return { found: rows.filter(({ status }) => status !== null).map(sumOf), end: endOf(rows[0]) }
  })

  const count: Verbs["count"] = Effect.fnUntraced(function* (
    filter: ListFilter,
    most: { rows: number; count: number }
  ) {
    if (!isFindable(filter)) return { count: 0, isExact: true }
    const found = yield* whole(filter)
    if (found !== null) return { count: found.reduce((sum, each) => sum + each.count, 0), isExact: true }
    const look = { after: null, rows: most.rows }
    const [row] = yield* longRead(
      "ReportStore.count",
      lineOf(filter),
      sql<EndRow & { readonly n: number }>`
        with edge as (${edge(filter, look, sql.literal("true"))})
        select (select count(*) from (
            select 1 as one from ${looked(filter, look)} where ${matches(filter)}
            limit cast(${most.count + 1} as bigint)
          ) as chosen) as n, edge.end_at, edge.end_id
        from (select 1 as one) as part left join edge on true`
    )
    const n = row?.n ?? 0
    return { count: Math.min(n, most.count), isExact: n <= most.count && endOf(row) === null }
  })

  return { sums, count }
}

const days = (database: Database["Service"]): Pick<Verbs, "days" | "sources"> => {
  const { sql, dialect, tables, all, longRead } = database
  const { ofTenant, ofCashiers } = conditionsOf(database)
  const { told } = mixedDays(database)
  const spanSource = dialect.source("s", { from_at: "bigint", to_at: "bigint" })
  const ofDays = ({ from, to, ...viewer }: DaysQuery): Conditions => [
    ...ofTenant(viewer),
    ...ofCashiers(viewer),
    sql`i.day >= ${from}`,
    sql`i.day <= ${to}`
  ]

  const ofDay: Verbs["days"] = (query) =>
    all(
      "ReportStore.days",
      sql<SumRow & { readonly day: string; readonly connection_id: string }>`
        select i.day, i.connection_id, i.status, ${sql.literal(addedUp("sum(i.invoice_count)"))}
        from ${tables.daily_totals} i
        where ${sql.and(ofDays(query))}
        group by i.day, i.connection_id, i.status having sum(i.invoice_count) > 0`,
      (row) => ({ ...sumOf(row), day: row.day, connectionId: row.connection_id === "" ? null : row.connection_id })
    )

  const kept = (query: DaysQuery, { counted, left, leftTo }: MixedDays) => {
    const mixed = [...counted, ...left]
    const conditions = [
      ...ofDays(query),
      sql`i.source is not null`,
      ...(mixed.length === 0 ? [] : [sql`i.day not in ${sql.in(mixed)}`]),
      ...(leftTo === null ? [] : [sql`i.day > ${leftTo}`])
    ]
    return sql<SourceRow>`
      select i.source, i.status, ${sql.literal(addedUp("sum(i.invoice_count)"))} from ${tables.daily_totals} i
      where ${sql.and(conditions)} group by i.source, i.status having sum(i.invoice_count) > 0`
  }

  const counted = (query: DaysQuery, dates: ReadonlyArray<string>) => {
    const spans = dates.map((day) => ({ from_at: startOfDay(day), to_at: endOfDay(day) }))
    return sql<SourceRow>`
      select ${sql.literal(sourceOf)} as source, i.status, ${sql.literal(addedUp("count(*)"))}
      from ${spanSource(spans)} cross join ${tables.invoices} i
      where ${sql.and([...ofTenant(query), ...ofCashiers(query)])}
        and i.created_at >= s.from_at and i.created_at <= s.to_at
      group by 1, 2`
  }

  const sources: Verbs["sources"] = Effect.fnUntraced(function* (query: DaysQuery, rows: number) {
    const mixed = yield* told(query, query, rows)
    const line = lineOf(query)
    const ofKept = yield* longRead("ReportStore.sources", line, kept(query, mixed))
    const ofRows =
      mixed.counted.length === 0 ? [] : yield* longRead("ReportStore.sources", line, counted(query, mixed.counted))
    const isExact = mixed.left.length === 0 && mixed.leftTo === null
    return { found: addUp([...ofKept, ...ofRows].map((row) => ({ ...sumOf(row), source: row.source }))), isExact }
  })

  return { days: ofDay, sources }
}

/** A sum of each source and status. */
const addUp = (sums: ReadonlyArray<SourceSum>): ReadonlyArray<SourceSum> => {
  const byKey = new Map<string, SourceSum>()
  for (const sum of sums) {
    const { source, status, count, amount, refunded } = sum
    const key = `${source} ${status}`
    const to = byKey.get(key) ?? { count: 0, amount: 0n, refunded: 0n }
    byKey.set(key, {
      source,
      status,
      count: to.count + count,
      amount: to.amount + amount,
      refunded: to.refunded + refunded
    })
  }
  return [...byKey.values()]
}
