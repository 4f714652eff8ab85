/** The core's `RefundListStore` in SQL: the newest refunds of an organization from their index, with their invoices. */
import {
  type ListedRefund,
  RefundListStore,
  type RefundQuery,
  type RefundSum
} from "@tolem/core/cabinet/refund/RefundListStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { type RefundRow, refundTable } from "../invoice/RefundRow.ts"
import { conditionsOf, type EndRow } from "./InvoiceLooks.ts"

/** The store over the database. */
export const layer: Layer.Layer<RefundListStore, never, Database> = Layer.effect(
  RefundListStore,
  Effect.map(Database, (database) => verbs(database))
)

interface ListedRow extends RefundRow, EndRow {
  readonly connection_id: string | null
  readonly external_order_id: string | null
  readonly description: string | null
  readonly receipt_number: string | null
}

interface SumRow {
  readonly status: RefundSum["status"] | null
  readonly refund_count: number | null
  readonly amount: string | null
  readonly looked: number
}

const listed = (row: ListedRow): ListedRefund => ({
  refund: refundTable.decode(row),
  connectionId: row.connection_id,
  externalOrderId: row.external_order_id,
  description: row.description,
  receiptNumber: row.receipt_number
})

const verbs = (database: Database["Service"]): RefundListStore["Service"] => {
  const { sql, tables, longRead } = database
  const { ofTenant, ofCashiers } = conditionsOf(database)
  const { invoices, refunds } = tables

  type Place = Parameters<RefundListStore["Service"]["page"]>[1]["after"]

  /** The refunds that are looked at, in their order. One status alone has a smaller index, if it is the unknown one. */
  const looked = ({ organizationId, statuses, from, to }: RefundQuery, after: Place, rows: number) => {
    const isUnknown = statuses.length === 1 && statuses[0] === "unknown"
    const conditions = [
      sql`r.organization_id = ${organizationId}`,
      ...(isUnknown ? [sql`r.status = 'unknown'`] : []),
      ...(from === null ? [] : [sql`r.created_at >= cast(${from} as bigint)`]),
      ...(to === null ? [] : [sql`r.created_at <= cast(${to} as bigint)`]),
      ...(after === null ? [] : [sql`(r.created_at, r.id) < (cast(${after.createdAt} as bigint), ${after.id})`])
    ]
    return sql`select r.id, r.created_at, r.invoice_id, r.status from ${refunds} r where ${sql.and(conditions)}
      order by r.created_at desc, r.id desc limit cast(${rows} as bigint)`
  }

  /** What is looked at in each of them, so that rare ones are not looked for without end. */
  const matches = (query: RefundQuery) =>
    sql.and([
      // A cross join keeps the order: the invoices of the refunds, never the refunds of all invoices.
      sql`i.id = looked.invoice_id`,
      ...ofTenant(query),
      ...ofCashiers(query),
      ...(query.statuses.length === 0 ? [] : [sql`looked.status in ${sql.in(query.statuses)}`])
    ])

  const page: RefundListStore["Service"]["page"] = Effect.fnUntraced(function* (query, { after, rows }, limit) {
    const found = yield* longRead(
      "RefundListStore.page",
      lineOf(query),
      sql<ListedRow>`
        with looked as materialized (${looked(query, after, rows)}),
        page as materialized (
          select looked.id, looked.created_at from looked cross join ${invoices} i
          where ${matches(query)}
          order by looked.created_at desc, looked.id desc limit cast(${limit} as bigint)
        ),
        edge as (
          select looked.created_at as end_at, looked.id as end_id from looked order by looked.created_at, looked.id
          limit (case when (select count(*) from page) < cast(${limit} as bigint)
            and (select count(*) from looked) = cast(${rows} as bigint) then 1 else 0 end)
        )
        select r.*, i.connection_id, i.external_order_id, i.description, i.receipt_number, edge.end_at, edge.end_id
        from (select 1 as one) as part left join edge on true left join page on true
        left join ${refunds} r on r.id = page.id left join ${invoices} i on i.id = r.invoice_id
        order by page.created_at desc, page.id desc`
    )
    const [first] = found
    const end = first?.end_at == null || first.end_id === null ? null : { createdAt: first.end_at, id: first.end_id }
    return { found: (first?.id ?? null) === null ? [] : found.map(listed), end }
  })

  const sums: RefundListStore["Service"]["sums"] = Effect.fnUntraced(function* (query, rows) {
    const found = yield* longRead(
      "RefundListStore.sums",
      lineOf(query),
      sql<SumRow>`
        with looked as materialized (${looked(query, null, rows)})
        select summed.status, summed.refund_count, summed.amount, counted.looked
        from (select cast(count(*) as bigint) as looked from looked) as counted left join (
          select r.status, cast(count(*) as bigint) as refund_count, cast(sum(r.amount) as text) as amount
          from looked cross join ${refunds} r cross join ${invoices} i
          where r.id = looked.id and ${matches(query)}
          group by r.status
        ) as summed on true order by summed.status`
    )
    return {
      sums: found.flatMap(({ status, refund_count: count, amount }) =>
        status === null || count === null || amount === null ? [] : [{ status, count, amount: BigInt(amount) }]
      ),
      isExact: (found[0]?.looked ?? 0) < rows
    }
  })

  return { page, sums }
}

const lineOf = ({ organizationId, mode }: RefundQuery): string => `${organizationId} ${mode}`
