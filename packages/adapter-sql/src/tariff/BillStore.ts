/** The core's `BillStore` in SQL. */
import { type BillInvoice, BillStore, type TariffBill } from "@tolem/core/billing/BillStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { paysForOrder } from "./OrderInvoice.ts"
import { type OrderRow, orderTable } from "./OrderRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<BillStore, never, Database> = Layer.effect(
  BillStore,
  Effect.map(Database, (database) => ({ list: list(database) }))
)

interface BillRow extends OrderRow {
  readonly applied_at: number | null
  readonly invoice_id: string | null
  readonly invoice_status: BillInvoice["status"] | null
  readonly invoice_receipt: string | null
}

const toBill = (row: BillRow): TariffBill => ({
  order: orderTable.decode(row),
  appliedAt: row.applied_at,
  invoice:
    row.invoice_id === null || row.invoice_status === null
      ? null
      : { id: row.invoice_id, status: row.invoice_status, receiptNumber: row.invoice_receipt }
})

const list =
  ({ sql, tables, all }: Database["Service"]): BillStore["Service"]["list"] =>
  (organizationId, after, limit) => {
    const conditions = [
      sql`o.organization_id = ${organizationId}`,
      ...(after === null ? [] : [sql`(o.created_at, o.id) < (cast(${after.createdAt} as bigint), ${after.id})`])
    ]
    const select = sql<BillRow>`
      select o.*, i.id as invoice_id, i.status as invoice_status, i.receipt_number as invoice_receipt
      from ${tables.tariff_orders} o left join ${tables.invoices} i on ${sql.literal(paysForOrder)}
      where ${sql.and(conditions)}
      order by o.created_at desc, o.id desc limit cast(${limit} as bigint)`
    return all("BillStore.list", select, toBill)
  }
