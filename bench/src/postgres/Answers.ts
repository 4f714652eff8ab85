/** An invoice as the peer answers it: the members of ours, and its metadata as the text that was sent. */
import type { InvoiceRow } from "./Statements.ts"

const base = "http://localhost:3000"

/** JSON text of the invoice, with further members in front of its metadata. */
export const render = (row: InvoiceRow, extras: object = {}): string => {
  const text = JSON.stringify({
    id: row.id,
    status: row.status,
    mode: row.mode,
    kind: row.kind,
    amount: row.amount / 100,
    currency: "KZT",
    description: row.description,
    externalOrderId: row.external_order_id,
    providerStatus: row.provider_status,
    refundedAmount: row.refunded / 100,
    receiptNumber: row.receipt_number,
    receiptUrl: row.receipt_number === null ? null : `${base}/receipts/${row.id}`,
    providerReceiptUrl: row.provider_receipt_url,
    customer: { name: row.customer_name, phone: row.customer_phone, email: row.customer_email },
    payUrl: `${base}/pay/${row.id}`,
    qrUrl: row.qr_url,
    deepLink: row.deep_link,
    qrImageUrl: row.qr_url === null ? null : `${base}/pay/${row.id}/qr.svg`,
    expiresAt: isoOrNull(row.expires_at),
    paidAt: isoOrNull(row.paid_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    ...extras
  })
  return `${text.slice(0, -1)},"metadata":${row.metadata ?? "null"}}`
}

/** The columns of an event as `json_agg` answers them. */
export interface EventRow {
  readonly id: string
  readonly sequence: number
  readonly type: string
  readonly from_status: string | null
  readonly to_status: string
  readonly source: string
  readonly created_at: number
}

/** The columns of a refund as `json_agg` answers them. */
export interface RefundRow {
  readonly id: string
  readonly amount: number
  readonly status: string
  readonly reason: string | null
  readonly created_at: number
  readonly completed_at: number | null
}

/** An event record. */
export const eventJson = (row: EventRow) => ({
  id: row.id,
  sequence: row.sequence,
  type: row.type,
  from: row.from_status,
  to: row.to_status,
  source: row.source,
  createdAt: iso(row.created_at)
})

/** A refund record. */
export const refundJson = (row: RefundRow) => ({
  id: row.id,
  amount: row.amount / 100,
  status: row.status,
  reason: row.reason,
  createdAt: iso(row.created_at),
  completedAt: isoOrNull(row.completed_at)
})

const iso = (at: number): string => new Date(at).toISOString()
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at))
