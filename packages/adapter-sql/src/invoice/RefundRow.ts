/** The refund record as a row. */
import type { Refund } from "@tolem/core/invoice/Refund"
import { once, type RowOf, table } from "../base/Table.ts"

/** The table of refunds. */
export const refundTable = table<Refund>("refunds")({
  id: once("text"),
  invoiceId: once("text"),
  organizationId: once("text"),
  amount: once("bigint"),
  status: "text",
  reason: "text",
  idempotencyKey: once("text"),
  fingerprint: once("text"),
  providerReference: "text",
  createdAt: once("bigint"),
  completedAt: "bigint"
})

/** A row of the table. */
export type RefundRow = RowOf<typeof refundTable>
