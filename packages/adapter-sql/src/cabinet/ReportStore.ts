/** The core's `ReportStore` in SQL. */
import {
  type DaysQuery,
  type InvoiceSource,
  type ListFilter,
  type Look,
  ReportStore,
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
import { type DeliveryRow, deliveryTable } from "../webhook/DeliveryRow.ts"
import { conditionsOf, type EndRow, endOf, looks, maySkip, mixedDays } from "./InvoiceLooks.ts"

/** The store over the database. */
export const layer: Layer.Layer<ReportStore, never, Database> = Layer.effect(
  ReportStore,
  Effect.map(Database, (database) => ({
    ...pages(database),
    ...sumsOf(database),
    ...days(database),
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
  const { ofTenant, ofDays, ofTime, ofEach, ofPlace } = conditionsOf(database)
  const { looked, matches, edge } = looks(database)

  const sumOfDays = (filter: ListFilter) =>
    sql<SumRow>`
      select i.status, ${sql.literal(addedUp("sum(i.invoice_count)"))} from ${tables.daily_totals} i
      where ${sql.and(ofDays(filter))}
      group by i.status having sum(i.invoice_count) > 0 order by i.status`

  const sumOfRows = (filter: ListFilter) =>
    sql<SumRow>`
      select i.status, ${sql.literal(addedUp("count(*)"))} from ${tables.invoices} i
      where ${sql.and([...ofTenant(filter), ...ofTime(filter), ...ofPlace(filter, null), ...ofEach(filter)])}
      group by i.status order by i.status`

  const mixed = mixedDays(database)

  /** The sums of all that match, if they need no look: of days, or of an order of the merchant's. */
  const whole = Effect.fnUntraced(function* (filter: ListFilter) {
    const isKept = isOfDays(filter) && !(yield* mixed(filter))
    if (!isKept && !isOfDays(filter) && filter.externalOrderId === null) return null
    const select = isKept ? sumOfDays(filter) : sumOfRows(filter)
    return (yield* longRead("ReportStore.sums", lineOf(filter), select)).map(sumOf)
  })

  const sums: Verbs["sums"] = Effect.fnUntraced(function* (filter: ListFilter, look: Look) {
    if (!isFindable(filter)) return nothing
    const found = yield* whole(filter)
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
  const { sql, tables, all, longRead } = database
  const { ofTenant, ofCashiers, ofTime } = conditionsOf(database)
  const mixed = mixedDays(database)
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

  const kept = (query: DaysQuery) => sql<SumRow & { readonly source: InvoiceSource }>`
    select i.source, i.status, ${sql.literal(addedUp("sum(i.invoice_count)"))} from ${tables.daily_totals} i
    where ${sql.and(ofDays(query))} and i.source is not null
    group by i.source, i.status having sum(i.invoice_count) > 0`

  const counted = (filter: ListFilter) => sql<SumRow & { readonly source: InvoiceSource }>`
    select ${sql.literal(sourceOf)} as source, i.status, ${sql.literal(addedUp("count(*)"))}
    from ${tables.invoices} i
    where ${sql.and([...ofTenant(filter), ...ofCashiers(filter), ...ofTime(filter)])}
    group by 1, 2`

  const sources: Verbs["sources"] = Effect.fnUntraced(function* (query: DaysQuery) {
    const filter: ListFilter = { ...unfiltered, ...query, from: startOfDay(query.from), to: endOfDay(query.to) }
    const isMixed = yield* mixed(filter, true)
    const rows = yield* longRead(
      "ReportStore.sources",
      `${query.organizationId} ${query.mode}`,
      isMixed ? counted(filter) : kept(query)
    )
    return rows.map((row) => ({ ...sumOf(row), source: row.source }))
  })

  return { days: ofDay, sources }
}

const unfiltered = {
  statuses: [],
  kind: null,
  source: null,
  minAmount: null,
  maxAmount: null,
  externalOrderId: null,
  search: null
} satisfies Partial<ListFilter>

const deliveries = ({ sql, tables, all }: Database["Service"]): Pick<Verbs, "deliveriesOf" | "deliveriesIn"> => ({
  deliveriesOf: ({ organizationId, invoiceId }, limit) =>
    all(
      "ReportStore.deliveriesOf",
      // Both modes have an index of theirs.
      sql<DeliveryRow>`
        select d.* from (
          select d.id from ${tables.deliveries} d where d.invoice_id = ${invoiceId} and d.mode = 'live'
          union all
          select d.id from ${tables.deliveries} d where d.invoice_id = ${invoiceId} and d.mode = 'sandbox'
        ) as part
        join ${tables.deliveries} d on d.id = part.id
        where d.organization_id = ${organizationId}
        order by d.created_at, d.id limit cast(${limit} as bigint)`,
      deliveryTable.decode
    ),
  deliveriesIn: ({ organizationId, mode }, { endpointId, isFailedOnly, from, to, after, limit }) => {
    // By the index of invoices of the mode, which names it as it is: an event has few deliveries there.
    const siblings = sql`
      select 1 from ${tables.deliveries} e
      where e.invoice_id = d.invoice_id and e.mode = ${sql.literal(mode === "live" ? "'live'" : "'sandbox'")}
        and coalesce(e.endpoint_id, '') = d.endpoint_id and e.event_id = d.event_id`
    const isEarlier = sql`
      coalesce(e.created_at, 0) >= cast(${from} as bigint)
        and (e.created_at < d.created_at or (e.created_at = d.created_at and e.id < d.id))`
    const conditions = [
      sql`d.endpoint_id = ${endpointId}`,
      ...(isFailedOnly ? [sql`d.status = 'failed'`] : []),
      sql`d.created_at >= cast(${after?.createdAt ?? from} as bigint)`,
      sql`d.created_at <= cast(${to} as bigint)`,
      sql`d.organization_id = ${organizationId}`,
      sql`d.mode = ${mode}`,
      sql`d.kind <> 'webhook.test'`,
      ...(after === null ? [] : [sql`(d.created_at > cast(${after.createdAt} as bigint) or d.id > ${after.id})`]),
      ...(isFailedOnly ? [sql`not exists (${siblings} and coalesce(e.status, '') <> 'failed')`] : []),
      sql`not exists (${siblings} and ${isEarlier})`
    ]
    return all(
      "ReportStore.deliveriesIn",
      sql<DeliveryRow>`
        select d.* from ${tables.deliveries} d where ${sql.and(conditions)}
        order by d.created_at, d.id limit cast(${limit} as bigint)`,
      deliveryTable.decode
    )
  }
})
