/** How reports look at an organization's invoices: so many rows at most, newest first, past days that have none. */
import type { InvoicePlace, ListFilter, Look } from "@tolem/core/cabinet/ReportStore"
import { dayOf } from "@tolem/core/value/Calendar"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { sourceOf } from "../invoice/TotalKinds.ts"

type Conditions = ReadonlyArray<Statement.Fragment>

/**
 * Conditions of a filter, by what they are answered from. What is compared as an expression is looked at in the index
 * of the newest, and is not taken for a reason to read another one, which would have to be sorted.
 */
export const conditionsOf = ({ sql, dialect }: Database["Service"]) => {
  const ofTenant = ({ organizationId, mode }: Tenant): Conditions => [
    sql`i.organization_id = ${organizationId}`,
    sql`i.mode = ${mode}`
  ]
  const ofCashiers = ({ connectionId, among }: Pick<ListFilter, "connectionId" | "among">): Conditions => [
    ...(connectionId === null ? [] : [sql`coalesce(i.connection_id, '') = ${connectionId}`]),
    ...(among === undefined ? [] : [sql`coalesce(i.connection_id, '') in ${sql.in(among)}`])
  ]
  const ofStatuses = ({ statuses }: ListFilter): Conditions =>
    statuses.length === 0 ? [] : [sql`coalesce(i.status, '') in ${sql.in(statuses)}`]
  const ofTime = ({ from, to }: ListFilter): Conditions => [
    ...(from === null ? [] : [sql`i.created_at >= cast(${from} as bigint)`]),
    ...(to === null ? [] : [sql`i.created_at <= cast(${to} as bigint)`])
  ]
  /** What is looked at in each row of a tenant and a time. */
  const ofEach = (filter: ListFilter): Conditions => [
    ...ofCashiers(filter),
    ...ofStatuses(filter),
    ...(filter.kind === null ? [] : [sql`i.kind = ${filter.kind}`]),
    ...(filter.source === null ? [] : [sql`${sql.literal(sourceOf)} = ${filter.source}`]),
    ...(filter.minAmount === null ? [] : [sql`i.amount >= cast(${filter.minAmount} as bigint)`]),
    ...(filter.maxAmount === null ? [] : [sql`i.amount <= cast(${filter.maxAmount} as bigint)`]),
    ...(filter.search === null
      ? []
      : [dialect.contains(sql.literal("i.search_text"), filter.search.toLowerCase(), { byKeys: false })])
  ]
  /** The same of days. */
  const ofDays = (filter: ListFilter): Conditions => [
    ...ofTenant(filter),
    ...ofCashiers(filter),
    ...ofStatuses(filter),
    ...(filter.kind === null ? [] : [sql`i.kind = ${filter.kind}`]),
    ...(filter.source === null ? [] : [sql`i.source = ${filter.source}`]),
    ...(filter.from === null ? [] : [sql`i.day >= ${dayOf(filter.from)}`]),
    ...(filter.to === null ? [] : [sql`i.day <= ${dayOf(filter.to)}`])
  ]
  const ofPlace = ({ externalOrderId }: ListFilter, after: InvoicePlace | null): Conditions => [
    ...(externalOrderId === null ? [] : [sql`i.external_order_id = ${externalOrderId}`]),
    ...(after === null
      ? []
      : [
          // The first says where in the index it begins.
          sql`i.created_at <= cast(${after.createdAt} as bigint)`,
          sql`(i.created_at < cast(${after.createdAt} as bigint) or i.id < ${after.id})`
        ])
  ]
  return { ofTenant, ofCashiers, ofTime, ofEach, ofDays, ofPlace }
}

/** What the index of the newest holds of a row. */
const held = "i.id, i.created_at, i.status, i.kind, i.connection_id, i.origin, i.amount, i.refunded"

/** The parts of statements that look at rows of a tenant. */
export const looks = (database: Database["Service"]) => {
  const { sql, tables, all } = database
  const { ofTenant, ofTime, ofEach, ofDays, ofPlace } = conditionsOf(database)

  /** The rows that are looked at, as `i`, in their order. */
  const looked = (filter: ListFilter, { after, rows }: Look) => {
    const more = filter.search === null ? "" : ", i.search_text"
    return sql`(
      select ${sql.literal(held + more)} from ${tables.invoices} i
      where ${sql.and([...ofTenant(filter), ...ofTime(filter), ...ofPlace(filter, after)])}
      order by i.created_at desc, i.id desc limit cast(${rows} as bigint)
    ) as i`
  }

  const matches = (filter: ListFilter) => {
    const conditions = ofEach(filter)
    return conditions.length === 0 ? sql.literal("true") : sql.and(conditions)
  }

  /** Of `place`: where the look ends before the list does, if `isWanted`. */
  const edge = (filter: ListFilter, { after, rows }: Look, isWanted: Statement.Fragment) => sql`
    select i.created_at as end_at, i.id as end_id from ${tables.invoices} i
    where ${sql.and([...ofTenant(filter), ...ofTime(filter), ...ofPlace(filter, after)])}
    order by i.created_at desc, i.id desc
    limit (case when ${isWanted} then 1 else 0 end) offset cast(${rows - 1} as bigint)`

  /**
   * The newest day that may have one that matches, of those that a look behind `after` comes to; none: there is no such
   * day. So days without any are passed over.
   */
  const newestDay = Effect.fnUntraced(function* (filter: ListFilter, after: InvoicePlace | null) {
    const { from, to, kind, source } = filter
    const last = after === null ? to : Math.min(after.createdAt, to ?? after.createdAt)
    // Rows of all kinds tell nothing of one, so that they may have some.
    const ofKinds = { ...filter, kind: null, source: null, from, to: last }
    const isOne = [
      ...(kind === null ? [] : [sql`i.kind = ${kind}`]),
      ...(source === null ? [] : [sql`i.source = ${source}`])
    ]
    const isCounted = isOne.length === 0 ? sql.literal("true") : sql.and(isOne)
    const rows = yield* all(
      "ReportStore.newestDay",
      sql<{ readonly day: string }>`
        select i.day from ${tables.daily_totals} i where ${sql.and(ofDays(ofKinds))}
        group by i.day having sum(case when ${isCounted} then i.invoice_count else 0 end) > 0
          or max(case when i.kind is null then abs(i.invoice_count) else 0 end) > 0
        order by i.day desc limit 1`,
      ({ day }) => day
    )
    return rows[0]
  })

  return { looked, matches, edge, newestDay }
}

/** Whether there may be days without any that matches, of which what is kept of days tells. */
export const maySkip = ({ statuses, kind, source, connectionId, among, externalOrderId }: ListFilter): boolean =>
  externalOrderId === null &&
  (statuses.length > 0 || kind !== null || source !== null || connectionId !== null || among !== undefined)

/** Where a look has ended, in each row of its answer. */
export interface EndRow {
  readonly end_at: number | null
  readonly end_id: string | null
}

/** The place where a look has ended before the list has. */
export const endOf = (row: EndRow | undefined): InvoicePlace | null =>
  row?.end_at == null || row.end_id === null ? null : { createdAt: row.end_at, id: row.end_id }
