/** The core's `ReportStore` in SQL. */
import {
  type DaysQuery,
  type InvoicePlace,
  type InvoiceSource,
  type ListFilter,
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
import { type DeliveryRow, deliveryTable } from "../webhook/DeliveryRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<ReportStore, never, Database> = Layer.effect(
  ReportStore,
  Effect.map(Database, (database) => ({ ...invoices(database), ...days(database), ...deliveries(database) }))
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

/** Where an invoice comes from, by what its origin begins with. */
const sourceOf = `case substr(coalesce(i.origin, ''), 1, 8)
  when 'subscrip' then 'subscription' when 'payment-' then 'payment-link' when 'form-hoo' then 'form-hook'
  else 'request' end`

type Conditions = ReadonlyArray<Statement.Fragment>

// What is compared as an expression is looked at in the index of the newest, and is not taken for a reason to read
// another one, which would have to be sorted.
const conditionsOf = ({ sql, dialect }: Database["Service"]) => {
  const ofViewer = ({ organizationId, mode, connectionId, among }: Viewer & Pick<ListFilter, "among">): Conditions => [
    sql`i.organization_id = ${organizationId}`,
    sql`i.mode = ${mode}`,
    ...(connectionId === null ? [] : [sql`coalesce(i.connection_id, '') = ${connectionId}`]),
    ...(among === undefined ? [] : [sql`coalesce(i.connection_id, '') in ${sql.in(among)}`])
  ]
  const ofStatuses = ({ statuses }: ListFilter): Conditions =>
    statuses.length === 0 ? [] : [sql`coalesce(i.status, '') in ${sql.in(statuses)}`]
  const ofRows = (filter: ListFilter): Conditions => [
    ...ofViewer(filter),
    ...ofStatuses(filter),
    ...(filter.kind === null ? [] : [sql`i.kind = ${filter.kind}`]),
    ...(filter.source === null ? [] : [sql`${sql.literal(sourceOf)} = ${filter.source}`]),
    ...(filter.minAmount === null ? [] : [sql`i.amount >= cast(${filter.minAmount} as bigint)`]),
    ...(filter.maxAmount === null ? [] : [sql`i.amount <= cast(${filter.maxAmount} as bigint)`]),
    ...(filter.externalOrderId === null ? [] : [sql`i.external_order_id = ${filter.externalOrderId}`]),
    ...(filter.from === null ? [] : [sql`i.created_at >= cast(${filter.from} as bigint)`]),
    ...(filter.to === null ? [] : [sql`i.created_at <= cast(${filter.to} as bigint)`]),
    ...(filter.search === null ? [] : [dialect.contains(sql.literal("i.search_text"), filter.search.toLowerCase())])
  ]
  return { ofViewer, ofStatuses, ofRows }
}

const isFindable = ({ externalOrderId, search }: ListFilter): boolean =>
  isStorable(externalOrderId ?? "") && isStorable(search ?? "")

/** Whether what is kept of days says all of it: only whole days, cashiers and statuses are asked for. */
const isOfDays = ({ kind, source, minAmount, maxAmount, externalOrderId, search, from, to }: ListFilter): boolean =>
  [kind, source, minAmount, maxAmount, externalOrderId, search].every((each) => each === null) &&
  (from === null || from === startOfDay(dayOf(from))) &&
  (to === null || to === endOfDay(dayOf(to)))

const invoices = (database: Database["Service"]): Pick<Verbs, "page" | "sums"> => {
  const { sql, tables, longRead } = database
  const { ofViewer, ofStatuses, ofRows } = conditionsOf(database)
  const lineOf = ({ organizationId, mode }: Viewer) => `${organizationId} ${mode}`

  const page: Verbs["page"] = Effect.fnUntraced(function* (
    filter: ListFilter,
    after: InvoicePlace | null,
    { limit, offset }: PageBounds
  ) {
    if (!isFindable(filter)) return []
    const behind =
      after === null
        ? []
        : [
            // The first says where in the index it begins.
            sql`i.created_at <= cast(${after.createdAt} as bigint)`,
            sql`(i.created_at < cast(${after.createdAt} as bigint) or i.id < ${after.id})`
          ]
    const rows = yield* longRead(
      "ReportStore.page",
      lineOf(filter),
      sql<InvoiceRow>`
        select i.* from (
          select i.id from ${tables.invoices} i where ${sql.and([...ofRows(filter), ...behind])}
          order by i.created_at desc, i.id desc limit cast(${limit} as bigint) offset cast(${offset} as bigint)
        ) as newest
        join ${tables.invoices} i on i.id = newest.id
        order by i.created_at desc, i.id desc`
    )
    return rows.map(invoiceTable.decode)
  })

  const ofDays = (filter: ListFilter) => {
    const bounds = [
      ...(filter.from === null ? [] : [sql`i.day >= ${dayOf(filter.from)}`]),
      ...(filter.to === null ? [] : [sql`i.day <= ${dayOf(filter.to)}`])
    ]
    return sql<SumRow>`
      select i.status, ${sql.literal(addedUp("sum(i.invoice_count)"))} from ${tables.daily_totals} i
      where ${sql.and([...ofViewer(filter), ...ofStatuses(filter), ...bounds])}
      group by i.status having sum(i.invoice_count) > 0 order by i.status`
  }

  const sums: Verbs["sums"] = Effect.fnUntraced(function* (filter: ListFilter) {
    if (!isFindable(filter)) return []
    const select = isOfDays(filter)
      ? ofDays(filter)
      : sql<SumRow>`
          select i.status, ${sql.literal(addedUp("count(*)"))} from ${tables.invoices} i
          where ${sql.and(ofRows(filter))} group by i.status order by i.status`
    return (yield* longRead("ReportStore.sums", lineOf(filter), select)).map(sumOf)
  })

  return { page, sums }
}

const days = (database: Database["Service"]): Pick<Verbs, "days" | "sources"> => {
  const { sql, tables, all, longRead } = database
  const { ofViewer } = conditionsOf(database)

  const ofDay: Verbs["days"] = (query) =>
    all(
      "ReportStore.days",
      sql<SumRow & { readonly day: string; readonly connection_id: string }>`
        select i.day, i.connection_id, i.status, ${sql.literal(addedUp("sum(i.invoice_count)"))}
        from ${tables.daily_totals} i
        where ${sql.and([...ofViewer(query), sql`i.day >= ${query.from}`, sql`i.day <= ${query.to}`])}
        group by i.day, i.connection_id, i.status having sum(i.invoice_count) > 0`,
      (row) => ({ ...sumOf(row), day: row.day, connectionId: row.connection_id === "" ? null : row.connection_id })
    )

  const sources: Verbs["sources"] = Effect.fnUntraced(function* (query: DaysQuery) {
    const [from, to] = [startOfDay(query.from), endOfDay(query.to)]
    const rows = yield* longRead(
      "ReportStore.sources",
      `${query.organizationId} ${query.mode}`,
      sql<SumRow & { readonly source: InvoiceSource }>`
        select ${sql.literal(sourceOf)} as source, i.status, ${sql.literal(addedUp("count(*)"))}
        from ${tables.invoices} i
        where ${sql.and(ofViewer(query))}
          and i.created_at >= cast(${from} as bigint) and i.created_at <= cast(${to} as bigint)
        group by 1, 2`
    )
    return rows.map((row) => ({ ...sumOf(row), source: row.source }))
  })

  return { days: ofDay, sources }
}

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
