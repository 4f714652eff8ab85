/** The refund record as a row. */
import type { Refund, RefundStatus } from "@tolem/core/invoice/Refund"
import { Tiyn } from "@tolem/core/value/Money"

/** Columns of the table, in the order in which batches carry them. */
export const columns = {
  id: "text",
  invoice_id: "text",
  organization_id: "text",
  amount: "bigint",
  status: "text",
  reason: "text",
  idempotency_key: "text",
  fingerprint: "text",
  provider_reference: "text",
  created_at: "bigint",
  completed_at: "bigint"
} as const

/** A row as the database answers it. */
export interface RefundRow {
  readonly id: string
  readonly invoice_id: string
  readonly organization_id: string
  readonly amount: number
  readonly status: RefundStatus
  readonly reason: string | null
  readonly idempotency_key: string | null
  readonly fingerprint: string | null
  readonly provider_reference: string | null
  readonly created_at: number
  readonly completed_at: number | null
}

/** The row of a refund. */
export const toRow = (refund: Refund): RefundRow => ({
  id: refund.id,
  invoice_id: refund.invoiceId,
  organization_id: refund.organizationId,
  amount: refund.amount,
  status: refund.status,
  reason: refund.reason,
  idempotency_key: refund.idempotencyKey,
  fingerprint: refund.fingerprint,
  provider_reference: refund.providerReference,
  created_at: refund.createdAt,
  completed_at: refund.completedAt
})

/** The refund of a row. */
export const fromRow = (row: RefundRow): Refund => ({
  id: row.id,
  invoiceId: row.invoice_id,
  organizationId: row.organization_id,
  amount: Tiyn(row.amount),
  status: row.status,
  reason: row.reason,
  idempotencyKey: row.idempotency_key,
  fingerprint: row.fingerprint,
  providerReference: row.provider_reference,
  createdAt: row.created_at,
  completedAt: row.completed_at
})
