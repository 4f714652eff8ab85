/** Invoices, events and refunds as answers show them (interface specification, Resources). Pure. */
import { toIso } from "../value/Calendar.ts"
import type { InvoiceId } from "../value/Ids.ts"
import { toTenge } from "../value/Money.ts"
import { withRawMember } from "../value/RawJson.ts"
import type { Invoice, InvoiceEvent } from "./Invoice.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"
import type { Refund } from "./Refund.ts"

/** Address of the invoice's hosted pay page. */
export const payUrl = (id: InvoiceId, settings: InvoiceSettings): string => `${settings.baseUrl}/pay/${id}`

/** Address of the invoice's receipt. */
export const receiptUrl = (id: InvoiceId, settings: InvoiceSettings): string => `${settings.baseUrl}/receipts/${id}`

/** Address of the invoice's QR image. */
const qrImageUrl = (id: InvoiceId, settings: InvoiceSettings): string => `${settings.baseUrl}/pay/${id}/qr.svg`

/** Members of an invoice in the order of the specification: those in front of its metadata. */
const head = (invoice: Invoice, settings: InvoiceSettings) => ({
  id: invoice.id,
  status: invoice.status,
  mode: invoice.mode,
  kind: invoice.kind,
  amount: toTenge(invoice.amount),
  currency: "KZT",
  description: invoice.description,
  externalOrderId: invoice.externalOrderId,
  providerStatus: invoice.providerStatus,
  refundedAmount: toTenge(invoice.refunded),
  receiptNumber: invoice.receiptNumber,
  receiptUrl: invoice.receiptNumber === null ? null : receiptUrl(invoice.id, settings),
  providerReceiptUrl: invoice.providerReceiptUrl,
  customer: invoice.customer
})

/** Those behind it. */
const tail = (invoice: Invoice, settings: InvoiceSettings) => ({
  payUrl: payUrl(invoice.id, settings),
  qrUrl: invoice.qrUrl,
  deepLink: invoice.deepLink,
  qrImageUrl: invoice.qrUrl === null ? null : qrImageUrl(invoice.id, settings),
  expiresAt: isoOrNull(invoice.expiresAt),
  paidAt: isoOrNull(invoice.paidAt),
  createdAt: toIso(invoice.createdAt),
  updatedAt: toIso(changedAt(invoice))
})

// A new one looks as it did when it was made, however often the provider has been asked since.
const changedAt = ({ status, createdAt, updatedAt }: Invoice): number => (status === "new" ? createdAt : updatedAt)

/** An invoice as answers show it: amounts in tenge, instants in ISO 8601 (UTC). */
export type InvoiceObject = ReturnType<typeof head> & { readonly metadata: unknown } & ReturnType<typeof tail>

/** The invoice as an object. Its metadata is parsed, so large digits and the order of members may be lost. */
export const invoiceObject = (invoice: Invoice, settings: InvoiceSettings): InvoiceObject => ({
  ...head(invoice, settings),
  metadata: invoice.metadata === null ? null : JSON.parse(invoice.metadata),
  ...tail(invoice, settings)
})

/**
 * JSON text of an invoice. Its metadata is the text that was sent. `extras` are further members, at the end.
 */
export const renderInvoice = (
  invoice: Invoice,
  settings: InvoiceSettings,
  extras: Readonly<Record<string, unknown>> = {}
): string =>
  withRawMember(head(invoice, settings), "metadata", invoice.metadata ?? "null", {
    ...tail(invoice, settings),
    ...extras
  })

/** An event record (decision of this project: the specification leaves its members open). */
export const eventJson = (event: InvoiceEvent) => ({
  id: event.id,
  sequence: event.sequence,
  type: event.type,
  from: event.from,
  to: event.to,
  source: event.source,
  createdAt: toIso(event.createdAt)
})

/** A refund record (decision of this project: the specification leaves its members open). */
export const refundJson = (refund: Refund) => ({
  id: refund.id,
  amount: toTenge(refund.amount),
  status: refund.status,
  reason: refund.reason,
  createdAt: toIso(refund.createdAt),
  completedAt: isoOrNull(refund.completedAt)
})

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
