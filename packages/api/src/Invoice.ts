/** Invoices as the wire carries them (interface specification, Resources). */

import { InvoiceKind, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { invoiceBounds } from "@tolem/core/invoice/InvoiceDraft"
import { maxReason } from "@tolem/core/invoice/InvoiceRequests"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import {
  amount,
  customer,
  customerInput,
  DateTime,
  id,
  idempotencyKey,
  metadata,
  money,
  optional,
  page,
  pageFields,
  text,
  upTo,
  url,
  whole,
  withDefault
} from "./Members.ts"

export { DateTime } from "./Members.ts"

const invoiceFields = {
  id: id("inv"),
  status: InvoiceStatus,
  mode: Mode,
  kind: InvoiceKind,
  amount: money,
  currency: Schema.Literal("KZT"),
  description: text,
  externalOrderId: text,
  providerStatus: text,
  refundedAmount: money,
  receiptNumber: text,
  receiptUrl: url,
  providerReceiptUrl: url,
  customer,
  metadata,
  payUrl: Schema.String.annotate({ format: "uri", description: "Hosted pay page" }),
  qrUrl: text.annotate({ description: "What the QR code says" }),
  deepLink: text.annotate({ description: "Opens the provider's app on the customer's phone" }),
  qrImageUrl: url.annotate({ description: "The QR code as an SVG image" }),
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
  id: id("evt"),
  sequence: whole(1).annotate({ description: "1 for the first event of the invoice" }),
  type: Schema.String.annotate({
    description: "`invoice.created`, or `invoice.` and the status that it came to",
    pattern: "^invoice\\.",
    examples: ["invoice.paid"]
  }),
  from: Schema.NullOr(InvoiceStatus),
  to: InvoiceStatus,
  source: Schema.Literals(["api", "cabinet", "provider", "schedule", "system"]),
  /** The money came after expiry or cancellation. */
  late: Schema.optionalKey(Schema.Literal(true)),
  createdAt: DateTime
}).annotate({ identifier: "InvoiceEvent" })

/** A refund record of an invoice. */
export const Refund = Schema.Struct({
  id: id("ref"),
  amount: money,
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
  ...pageFields,
  invoices: Schema.Array(Invoice)
}).annotate({ identifier: "InvoicePage" })

/** A create request. The server checks it by the core's rules and answers the core's codes. */
export const InvoiceCreate = Schema.Struct({
  amount,
  kind: withDefault(InvoiceKind, "qr"),
  description: optional(
    upTo(invoiceBounds.description.qr).annotate({
      description: `Shown to the customer. Of kind phone at most ${invoiceBounds.description.phone} characters`
    })
  ),
  externalOrderId: optional(upTo(invoiceBounds.externalOrderId)),
  customer: customerInput,
  successUrl: optional(page),
  failUrl: optional(page),
  metadata: Schema.optionalKey(metadata),
  idempotencyKey: optional(idempotencyKey)
}).annotate({
  identifier: "InvoiceCreate",
  examples: [
    {
      amount: 1500,
      description: "Order 1001",
      externalOrderId: "1001",
      customer: { name: "Aliya", email: "aliya@example.kz" },
      successUrl: "https://shop.example.kz/thanks",
      metadata: { cart: [17, 4] }
    }
  ]
})
/** See the schema of the same name. */
export type InvoiceCreate = typeof InvoiceCreate.Type

/** A bulk request: 1 to 100 create requests, each judged by itself. */
export const BulkCreate = Schema.Struct({
  invoices: Schema.Array(InvoiceCreate).annotate({ minItems: 1, "x-setting": "bulk" })
}).annotate({
  identifier: "BulkCreate",
  examples: [
    {
      invoices: [
        { amount: 1500, externalOrderId: "1002" },
        { amount: 990.5, externalOrderId: "1003" }
      ]
    }
  ]
})

/** What became of each element of a bulk request, in their order. */
export const BulkResult = Schema.Struct({
  total: whole(0),
  created: whole(0),
  results: Schema.Array(
    Schema.Struct({
      index: whole(0),
      ok: Schema.Boolean,
      invoice: Schema.optionalKey(Schema.Union([InvoiceReplay, Invoice])),
      error: Schema.optionalKey(Schema.String.annotate({ description: "A code, as of a single create" })),
      message: Schema.optionalKey(Schema.String)
    })
  )
})
  .annotate({ identifier: "BulkResult" })
  .pipe(HttpApiSchema.status(207))

/** A refund request; without an amount the whole remainder is refunded. */
export const RefundCreate = Schema.Struct({
  amount: optional(
    Schema.Finite.annotate({
      description: "Tenge (KZT), at most two decimals and what is left of the payment; absent: all of that",
      exclusiveMinimum: 0
    })
  ),
  reason: optional(upTo(maxReason))
}).annotate({ identifier: "RefundCreate", examples: [{ amount: 500, reason: "One item was sold out" }] })

/** What the sandbox is to pretend. */
export const Simulation = Schema.Struct({ status: Schema.Literals(["paid", "failed", "expired"]) }).annotate({
  identifier: "Simulation",
  examples: [{ status: "paid" }]
})
