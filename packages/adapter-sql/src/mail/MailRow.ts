/** The letter as a row. */
import type { Mail, MailKind } from "@tolem/core/mail/Mail"
import type { Mode } from "@tolem/core/value/Mode"
import { checkOf } from "../base/ReadableRows.ts"

/** Columns of the table, in the order in which batches carry them. */
export const columns = {
  id: "text",
  kind: "text",
  organization_id: "text",
  mode: "text",
  invoice_id: "text",
  recipient: "text",
  status: "text",
  attempts: "bigint",
  reason: "text",
  due_at: "bigint",
  created_at: "bigint",
  completed_at: "bigint"
} as const

/** A row as the database answers it. */
export interface MailRow {
  readonly id: string
  readonly kind: MailKind
  readonly organization_id: string
  readonly mode: Mode
  readonly invoice_id: string
  readonly recipient: string
  readonly status: Mail["status"]
  readonly attempts: number
  readonly reason: string | null
  readonly due_at: number | null
  readonly created_at: number
  readonly completed_at: number | null
}

/** The row of a letter. */
export const toRow = (mail: Mail): MailRow => ({
  id: mail.id,
  kind: mail.kind,
  organization_id: mail.organizationId,
  mode: mail.mode,
  invoice_id: mail.invoiceId,
  recipient: mail.recipient,
  status: mail.status,
  attempts: mail.attempts,
  reason: mail.reason,
  due_at: mail.dueAt,
  created_at: mail.createdAt,
  completed_at: mail.completedAt
})

/** The letter of a row. */
export const fromRow = (row: MailRow): Mail => ({
  id: row.id,
  kind: row.kind,
  organizationId: row.organization_id,
  mode: row.mode,
  invoiceId: row.invoice_id,
  recipient: row.recipient,
  status: row.status,
  attempts: row.attempts,
  reason: row.reason,
  dueAt: row.due_at,
  createdAt: row.created_at,
  completedAt: row.completed_at
})

/** Throws if a column of the row cannot be read. */
export const check = checkOf(columns, {
  words: {
    mode: ["live", "sandbox"],
    kind: ["invoice", "receipt"],
    status: ["pending", "sending", "sent", "failed", "unknown", "kept"]
  }
})

/** The letter of a row that was read with `Dialect.exact`. Throws if a column cannot be read. */
export const read = (row: MailRow): Mail => {
  check(row)
  return fromRow(row)
}
