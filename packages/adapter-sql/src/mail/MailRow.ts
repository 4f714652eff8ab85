/** The letter as a row. */
import type { Mail } from "@tolem/core/mail/Mail"
import { oneOf, type RowOf, table } from "../base/Table.ts"

/** The table of letters. */
export const mailTable = table<Mail>("mails")({
  id: "text",
  kind: oneOf(["invoice", "receipt"]),
  organizationId: "text",
  mode: oneOf(["live", "sandbox"]),
  invoiceId: "text",
  recipient: "text",
  status: oneOf(["pending", "sending", "sent", "failed", "unknown", "kept"]),
  attempts: "bigint",
  resent: "bigint",
  reason: "text",
  dueAt: "bigint",
  createdAt: "bigint",
  completedAt: "bigint"
})

/** A row of the table. */
export type MailRow = RowOf<typeof mailTable>
