/** The event of an invoice as a row. */
import { type InvoiceEvent, InvoiceStatus, type Source } from "@tolem/core/invoice/Invoice"
import { Tiyn } from "@tolem/core/value/Money"
import { checkOf } from "../base/ReadableRows.ts"

/** Columns of the table, in the order in which batches carry them. */
export const columns = {
  invoice_id: "text",
  sequence: "bigint",
  id: "text",
  organization_id: "text",
  type: "text",
  from_status: "text",
  to_status: "text",
  source: "text",
  refunded: "bigint",
  late: "bigint",
  created_at: "bigint",
  announced: "bigint"
} as const

/** A row as the database answers it. */
export interface EventRow {
  readonly invoice_id: string
  readonly sequence: number
  readonly id: string
  readonly organization_id: string
  readonly type: InvoiceEvent["type"]
  readonly from_status: InvoiceStatus | null
  readonly to_status: InvoiceStatus
  readonly source: Source
  readonly refunded: number
  readonly late: number
  readonly created_at: number
  /** To how many endpoints; null: it was written before this was counted. */
  readonly announced: number | null
}

/** The row of an event that so many deliveries announce. */
export const toRow = (event: InvoiceEvent, announced = 0): EventRow => ({
  invoice_id: event.invoiceId,
  sequence: event.sequence,
  id: event.id,
  organization_id: event.organizationId,
  type: event.type,
  from_status: event.from,
  to_status: event.to,
  source: event.source,
  refunded: event.refunded,
  late: event.late ? 1 : 0,
  created_at: event.createdAt,
  announced
})

/** The event of a row. */
export const fromRow = (row: EventRow): InvoiceEvent => ({
  id: row.id,
  invoiceId: row.invoice_id,
  organizationId: row.organization_id,
  sequence: row.sequence,
  type: row.type,
  from: row.from_status,
  to: row.to_status,
  source: row.source,
  refunded: Tiyn(row.refunded),
  late: row.late === 1,
  createdAt: row.created_at
})

/** Throws if a column of the row cannot be read. */
export const check = checkOf(columns, {
  words: {
    from_status: InvoiceStatus.literals,
    to_status: InvoiceStatus.literals,
    source: ["api", "cabinet", "provider", "schedule", "system"]
  }
})

/** The event of a row that was read with `Dialect.exact`. Throws if a column cannot be read. */
export const read = (row: EventRow): InvoiceEvent => {
  check(row)
  return fromRow(row)
}
