/** The payment link as a row. */
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { once, table } from "../base/Table.ts"

/** The table of payment links. */
export const paymentLinkTable = table<PaymentLink>("payment_links")({
  id: once("text"),
  organizationId: once("text"),
  mode: once("text"),
  connectionId: once("text"),
  slug: "text",
  title: "text",
  description: "text",
  amount: "bigint",
  successUrl: "text",
  failUrl: "text",
  status: "text",
  createdAt: once("bigint"),
  updatedAt: "bigint",
  version: "bigint"
})
