/**
 * The core's `MovementStore` in SQL. Payments are read from an index that holds all that is summed, refunds from one
 * that is small beside it: so nothing is kept of them that could differ from the rows.
 */
import {
  type Moved,
  type MovedSums,
  type Movement,
  type MovementPlace,
  type MovementQuery,
  MovementStore
} from "@tolem/core/cabinet/statement/MovementStore"
import { dayOf, endOfDay, startOfDay } from "@tolem/core/value/Calendar"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { sourceOf } from "../invoice/TotalKinds.ts"
import { conditionsOf } from "./InvoiceLooks.ts"

/** The store over the database. */
export const layer: Layer.Layer<MovementStore, never, Database> = Layer.effect(
  MovementStore,
  Effect.map(Database, (database) => ({ ...sumsOf(database), ...pagesOf(database) }))
)

type Verbs = MovementStore["Service"]

interface SumRow {
  readonly axis: "day" | "cashier" | "source"
  readonly name: string
  readonly n: number
  readonly payments: number
  readonly paid: string
  readonly late_payments: number
  readonly late: string
  readonly refunds: number
  readonly refunded: string
}

interface MovementRow {
  readonly kind: Movement["kind"]
  readonly id: string
  readonly at: number
  readonly invoice_id: string
  readonly amount: Movement["amount"]
  readonly late: number
  readonly connection_id: string | null
  readonly source: Movement["source"]
  readonly receipt_number: string | null
  readonly external_order_id: string | null
  readonly description: string | null
  readonly customer_name: string | null
  readonly reference: string | null
  readonly reason: string | null
}

const dayMs = 86_400_000

/** Days of one length, one after the other, and what of them is asked for. */
interface Span {
  readonly first: string
  readonly base_at: number
  readonly day_ms: number
  readonly from_at: number
  readonly to_at: number
}

/** A time as days of equal length: of one length only, unless the clocks of Almaty were changed within it. */
const spansOf = ({ from, to }: Pick<MovementQuery, "from" | "to">): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  for (let at = from; at <= to; ) {
    const first = dayOf(at)
    const [base, end] = [startOfDay(first), endOfDay(first)]
    const last = spans.at(-1)
    const length = end + 1 - base
    const until = Math.min(end, to)
    if (last !== undefined && last.day_ms === length) spans[spans.length - 1] = { ...last, to_at: until }
    else spans.push({ first, base_at: base, day_ms: length, from_at: at, to_at: until })
    at = end + 1
  }
  return spans
}

/** The day at the place `n` of a span that begins with the day `first`. */
const dayAt = (first: string, n: number): string => dayOf(startOfDay(first) + dayMs / 2 + n * dayMs)

const figures = ["payments", "paid", "late_payments", "late", "refunds", "refunded"]

const movedOf = ({ payments, paid, late_payments: latePayments, late, refunds, refunded }: SumRow): Moved => ({
  payments,
  paid: BigInt(paid),
  latePayments,
  late: BigInt(late),
  refunds,
  refunded: BigInt(refunded)
})

const sumsOf = (database: Database["Service"]): Pick<Verbs, "sums"> => {
  const { sql, dialect, tables, longRead } = database
  const { ofTenant, ofCashiers } = conditionsOf(database)
  const spanSource = dialect.source("s", {
    first: "text",
    base_at: "bigint",
    day_ms: "bigint",
    from_at: "bigint",
    to_at: "bigint"
  })
  const key = (at: string) =>
    sql.literal(`s.first, (${at} - s.base_at) / s.day_ms as n, coalesce(i.connection_id, '') as connection_id,
      ${sourceOf} as source`)
  const added = (casts: ReadonlyArray<string>) => sql.literal(casts.join(", "))
  const counts = figures.map((name) =>
    name.endsWith("payments") || name === "refunds"
      ? `cast(sum(${name}) as bigint) as ${name}`
      : `cast(sum(${name}) as text) as ${name}`
  )

  const select = (query: MovementQuery) => {
    const spans = spansOf(query)
    const conditions = [...ofTenant(query), ...ofCashiers(query)]
    return sql<SumRow>`
      with moved as (
        select ${key("i.paid_at")}, count(*) as payments, sum(i.amount) as paid, sum(i.late) as late_payments,
          sum(case when i.late = 1 then i.amount else 0 end) as late, 0 as refunds, 0 as refunded
        from ${spanSource(spans)} cross join ${tables.invoices} i
        where ${sql.and([...conditions, sql`i.paid_at is not null`])}
          and i.paid_at >= s.from_at and i.paid_at <= s.to_at
        group by 1, 2, 3, 4
        union all
        select ${key("r.completed_at")}, 0, 0, 0, 0, count(*), sum(r.amount)
        from ${spanSource(spans)} cross join ${tables.refunds} r join ${tables.invoices} i on i.id = r.invoice_id
        where r.organization_id = ${query.organizationId} and r.status = 'succeeded' and ${sql.and(conditions)}
          and r.completed_at >= s.from_at and r.completed_at <= s.to_at
        group by 1, 2, 3, 4
      )
      select 'day' as axis, first as name, n, ${added(counts)} from moved group by first, n
      union all
      select 'cashier' as axis, connection_id as name, 0 as n, ${added(counts)} from moved group by connection_id
      union all
      select 'source' as axis, source as name, 0 as n, ${added(counts)} from moved group by source`
  }

  const sums: Verbs["sums"] = Effect.fnUntraced(function* (query: MovementQuery) {
    const line = `${query.organizationId} ${query.mode}`
    const rows = yield* longRead("MovementStore.sums", line, select(query))
    const of = (axis: SumRow["axis"]) => rows.filter((row) => row.axis === axis)
    return {
      days: of("day")
        .map((row) => ({ day: dayAt(row.name, Number(row.n)), ...movedOf(row) }))
        .toSorted((a, b) => (a.day < b.day ? -1 : 1)),
      cashiers: of("cashier").map((row) => ({ connectionId: row.name === "" ? null : row.name, ...movedOf(row) })),
      sources: of("source").map((row) => ({ source: row.name as Movement["source"], ...movedOf(row) }))
    } satisfies MovedSums
  })

  return { sums }
}

const movementOf = (row: MovementRow): Movement => ({
  kind: row.kind,
  id: row.id,
  at: row.at,
  invoiceId: row.invoice_id,
  amount: row.amount,
  late: row.late === 1,
  connectionId: row.connection_id,
  source: row.source,
  receiptNumber: row.receipt_number,
  externalOrderId: row.external_order_id,
  description: row.description,
  customerName: row.customer_name,
  providerReference: row.reference,
  reason: row.reason
})

const pagesOf = (database: Database["Service"]): Pick<Verbs, "page" | "edges"> => {
  const { sql, tables, all, longRead } = database
  const { ofTenant, ofCashiers } = conditionsOf(database)
  const { invoices, refunds } = tables
  const shown =
    sql.literal(`i.connection_id, ${sourceOf} as source, i.receipt_number, i.external_order_id, i.description,
    i.customer_name`)

  const payments = (query: MovementQuery, after: MovementPlace | null, tail: string, limit: number) => sql`
    select 'payment' as kind, i.id, i.paid_at as at, i.id as invoice_id, i.amount, i.late, ${shown},
      i.provider_reference as reference, null as reason
    from ${invoices} i
    where ${sql.and([...ofTenant(query), ...ofCashiers(query), sql`i.paid_at is not null`])}
      and i.paid_at >= cast(${query.from} as bigint) and i.paid_at <= cast(${query.to} as bigint)
      ${after === null ? sql.literal("") : sql`and (i.paid_at, i.id) > (cast(${after.at} as bigint), ${after.id})`}
    ${sql.literal(tail)} limit cast(${limit} as bigint)`

  // Each part by itself, so that its index is read in order and no further than needed.
  const page: Verbs["page"] = (query, after, limit) => {
    const select = sql<MovementRow>`
      select moved.* from (
        select * from (${payments(query, after, "order by i.paid_at, i.id", limit)}) as paid
        union all
        select * from (
          select 'refund' as kind, r.id, r.completed_at as at, r.invoice_id, r.amount, 0 as late, ${shown},
            r.provider_reference as reference, r.reason
          from ${refunds} r join ${invoices} i on i.id = r.invoice_id
          where r.organization_id = ${query.organizationId} and r.status = 'succeeded'
            and ${sql.and([...ofTenant(query), ...ofCashiers(query)])}
            and r.completed_at >= cast(${query.from} as bigint) and r.completed_at <= cast(${query.to} as bigint)
            ${
              after === null
                ? sql.literal("")
                : sql`and (r.completed_at, r.id) > (cast(${after.at} as bigint), ${after.id})`
            }
          order by r.completed_at, r.id limit cast(${limit} as bigint)
        ) as given
      ) as moved order by moved.at, moved.id limit cast(${limit} as bigint)`
    const line = `${query.organizationId} ${query.mode}`
    return Effect.map(longRead("MovementStore.page", line, select), (rows) => rows.map(movementOf))
  }

  const edges: Verbs["edges"] = (query) =>
    all(
      "MovementStore.edges",
      sql<MovementRow>`
        select edge.* from (
          select * from (${payments(query, null, "order by i.paid_at, i.id", 1)}) as first_one
          union
          select * from (${payments(query, null, "order by i.paid_at desc, i.id desc", 1)}) as last_one
        ) as edge order by edge.at, edge.id`,
      movementOf
    )

  return { page, edges }
}
