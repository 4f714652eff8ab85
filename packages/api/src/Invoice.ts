/** Invoices as the wire carries them (interface specification, Resources). */
import { InvoiceKind, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { amount, customer, customerInput, DateTime, metadata, optionalText, text } from "./Members.ts"

export { DateTime } from "./Members.ts"

const invoiceFields = {
  id: Schema.String.annotate({ description: "`inv_` and an opaque identifier" }),
  status: InvoiceStatus,
  mode: Mode,
  kind: InvoiceKind,
  amount,
  currency: Schema.Literal("KZT"),
  description: text,
  externalOrderId: text,
  providerStatus: text,
  refundedAmount: Schema.Finite,
  receiptNumber: text,
  receiptUrl: text,
  providerReceiptUrl: text,
  customer,
  metadata,
  payUrl: Schema.String.annotate({ description: "Hosted pay page" }),
  qrUrl: text,
  deepLink: text,
  qrImageUrl: text,
  expiresAt: Schema.NullOr(DateTime),
  paidAt: Schema.NullOr(DateTime),
  createdAt: DateTime,
  updatedAt: DateTime
}

/** An invoice. */
export const Invoice = Schema.Struct(invoiceFields).annotate({ identifier: "Invoice" })
/** See the schema of the same name. */
export type Invoice = typeof Invoice.Type

/** The answer to a create request whose idempotency key an earlier one has used. */
export const InvoiceReplay = Schema.Struct({
  ...invoiceFields,
  idempotentReplay: Schema.Literal(true)
}).annotate({ identifier: "InvoiceReplay" })

/** A cancelled invoice; one of kind qr tells until when money can still arrive. */
export const CancelledInvoice = Schema.Struct({
  ...invoiceFields,
  stillPayableUntil: Schema.optionalKey(Schema.NullOr(DateTime))
}).annotate({ identifier: "CancelledInvoice" })

/** A fact of an invoice. */
export const InvoiceEvent = Schema.Struct({
  id: Schema.String,
  sequence: Schema.Int,
  type: Schema.String,
  from: Schema.NullOr(InvoiceStatus),
  to: InvoiceStatus,
  source: Schema.Literals(["api", "cabinet", "provider", "schedule", "system"]),
  /** The money came after expiry or cancellation. */
  late: Schema.optionalKey(Schema.Literal(true)),
  createdAt: DateTime
}).annotate({ identifier: "InvoiceEvent" })

/** A refund record of an invoice. */
export const Refund = Schema.Struct({
  id: Schema.String,
  amount,
  status: Schema.Literals(["pending", "succeeded", "failed", "unknown"]),
  reason: text,
  createdAt: DateTime,
  completedAt: Schema.NullOr(DateTime)
}).annotate({ identifier: "Refund" })

/** An invoice with everything that is kept about it. */
export const InvoiceDetail = Schema.Struct({
  ...invoiceFields,
  events: Schema.Array(InvoiceEvent),
  refunds: Schema.Array(Refund)
}).annotate({ identifier: "InvoiceDetail" })
/** See the schema of the same name. */
export type InvoiceDetail = typeof InvoiceDetail.Type

/** A page of invoices, newest first. */
export const InvoicePage = Schema.Struct({
  total: Schema.Int,
  limit: Schema.Int,
  offset: Schema.Int,
  invoices: Schema.Array(Invoice)
}).annotate({ identifier: "InvoicePage" })

/** A create request. The server checks it by the core's rules and answers the core's codes. */
export const InvoiceCreate = Schema.Struct({
  amount,
  kind: Schema.optionalKey(Schema.NullOr(InvoiceKind)),
  description: optionalText,
  externalOrderId: optionalText,
  customer: customerInput,
  successUrl: optionalText,
  failUrl: optionalText,
  metadata: Schema.optionalKey(metadata),
  idempotencyKey: optionalText
}).annotate({ identifier: "InvoiceCreate" })
/** See the schema of the same name. */
export type InvoiceCreate = typeof InvoiceCreate.Type

/** A bulk request: 1 to 100 create requests, each judged by itself. */
export const BulkCreate = Schema.Struct({ invoices: Schema.Array(InvoiceCreate) }).annotate({
  identifier: "BulkCreate"
})

/** What became of each element of a bulk request, in their order. */
export const BulkResult = Schema.Struct({
  total: Schema.Int,
  created: Schema.Int,
  results: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      ok: Schema.Boolean,
      invoice: Schema.optionalKey(Schema.Union([InvoiceReplay, Invoice])),
      error: Schema.optionalKey(Schema.String),
      message: Schema.optionalKey(Schema.String)
    })
  )
})
  .annotate({ identifier: "BulkResult" })
  .pipe(HttpApiSchema.status(207))

/** A refund request; without an amount the whole remainder is refunded. */
export const RefundCreate = Schema.Struct({
  amount: Schema.optionalKey(Schema.NullOr(amount)),
  reason: optionalText
}).annotate({ identifier: "RefundCreate" })

/** What the sandbox is to pretend. */
export const Simulation = Schema.Struct({ status: Schema.Literals(["paid", "failed", "expired"]) }).annotate({
  identifier: "Simulation"
})
