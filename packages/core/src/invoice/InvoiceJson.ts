/** Invoices, events and refunds as answers show them (interface specification, Resources). Pure. */
import { Result } from "effect"
import { type Code, entry } from "../error/ErrorCatalog.ts"
import { toIso } from "../value/Calendar.ts"
import type { JsonObject } from "../value/Checks.ts"
import type { InvoiceId } from "../value/Ids.ts"
import { toTenge } from "../value/Money.ts"
import { asText, type JsonText, withRawMember } from "../value/RawJson.ts"
import type { Invoice, InvoiceEvent, InvoiceStatus } from "./Invoice.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"
import type { InvoiceDetail } from "./InvoiceStore.ts"
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
  currency: "KZT" as const,
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
export type InvoiceObject = ReturnType<typeof head> & { readonly metadata: JsonObject | null } & ReturnType<typeof tail>

/** The invoice as an object. Its metadata is parsed, so large digits and the order of members may be lost. */
export const invoiceObject = (invoice: Invoice, settings: InvoiceSettings): InvoiceObject => ({
  ...head(invoice, settings),
  metadata: invoice.metadata === null ? null : JSON.parse(invoice.metadata),
  ...tail(invoice, settings)
})

/**
 * JSON text of an invoice. Its metadata is the text that was sent. `extras` are further members, at the end.
 */
export const renderInvoice = <Extras extends object = object>(
  invoice: Invoice,
  settings: InvoiceSettings,
  extras: Extras = {} as Extras
): JsonText<InvoiceObject & Extras> =>
  withRawMember(head(invoice, settings), "metadata", asText<JsonObject | null>(invoice.metadata ?? "null"), {
    ...tail(invoice, settings),
    ...extras
  })

/** The invoice as it was when the event happened, as far as receivers are told of it. */
export const asOf = (invoice: Invoice, event: InvoiceEvent): Invoice => {
  const paid = isPaid(event.to)
  return {
    ...invoice,
    status: event.to,
    refunded: event.refunded,
    updatedAt: event.createdAt,
    sequence: event.sequence,
    paidAt: paid ? invoice.paidAt : null,
    receiptNumber: paid ? invoice.receiptNumber : null,
    providerReceiptUrl: paid ? invoice.providerReceiptUrl : null
  }
}

const isPaid = (status: InvoiceStatus): boolean =>
  status === "paid" || status === "refunded" || status === "partially_refunded"

/** An event record (decision of this project: the specification leaves its members open). */
export const eventJson = (event: InvoiceEvent) => ({
  id: event.id,
  sequence: event.sequence,
  type: event.type,
  from: event.from,
  to: event.to,
  source: event.source,
  ...(event.late && { late: true as const }),
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

/** What an invoice is shown with by itself: its events and refunds, oldest first. */
export const detailExtras = ({ events, refunds }: Pick<InvoiceDetail, "events" | "refunds">) => ({
  events: events.map(eventJson),
  refunds: refunds.map(refundJson)
})

/** What an answer says in addition where an earlier request with the same idempotency key has made the thing. */
export const replayExtras = ({ replayed }: { readonly replayed: boolean }): { readonly idempotentReplay?: true } =>
  replayed ? { idempotentReplay: true } : {}

/**
 * What a cancel says in addition: a qr invoice that was scanned before it was cancelled, which was its last change, can
 * still be paid while its window is open.
 */
export const cancelExtras = ({
  kind,
  expiresAt,
  updatedAt
}: Invoice): { readonly stillPayableUntil?: string | null } =>
  kind === "qr" ? { stillPayableUntil: expiresAt !== null && expiresAt > updatedAt ? toIso(expiresAt) : null } : {}

/** What became of one of many creates; `Shown` is its invoice as the face shows one. */
export type BulkResult<Shown> =
  | { readonly index: number; readonly ok: true; readonly invoice: Shown }
  | { readonly index: number; readonly ok: false; readonly error: Code; readonly message: string }

/** The answer to many creates at once, in their order. An element that is no object has no outcome: null. */
export const bulkJson = <Made extends { readonly replayed: boolean }, Shown>(
  outcomes: ReadonlyArray<Result.Result<Made, { readonly code: Code }> | null>,
  show: (made: Made) => Shown
): { readonly total: number; readonly created: number; readonly results: ReadonlyArray<BulkResult<Shown>> } => {
  const refused = (index: number, error: Code) => ({ index, ok: false, error, message: entry(error).kk }) as const
  const results = outcomes.map((outcome, index): BulkResult<Shown> => {
    if (outcome === null) return refused(index, "invalid_invoices")
    if (Result.isFailure(outcome)) return refused(index, outcome.failure.code)
    return { index, ok: true, invoice: show(outcome.success) }
  })
  const made = outcomes.filter((one) => one !== null && Result.isSuccess(one) && !one.success.replayed)
  return { total: outcomes.length, created: made.length, results }
}

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
