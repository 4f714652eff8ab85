/**
 * The invoice and its life: what is owed, which commands it accepts, and what each makes of it. Pure; what was decided
 * is written by `InvoiceStore.commitMany`.
 */

import { Data, Result, Schema } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { ConnectionId, EventId, InvoiceId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { add, subtract, type Tiyn } from "../value/Money.ts"
import type { Origin } from "./Origin.ts"
import type { Refund } from "./Refund.ts"

/** Every status of the interface specification. */
export const InvoiceStatus = Schema.Literals([
  "new",
  "pending",
  "paid",
  "failed",
  "expired",
  "cancelled",
  "refunded",
  "partially_refunded"
])
/** See the schema of the same name. */
export type InvoiceStatus = typeof InvoiceStatus.Type

/** `qr`: a code or link that the customer opens. `phone`: a push into the customer's provider app. */
export const InvoiceKind = Schema.Literals(["qr", "phone"])
/** See the schema of the same name. */
export type InvoiceKind = typeof InvoiceKind.Type

/** Who caused a change. */
export type Source = "api" | "cabinet" | "provider" | "schedule" | "system"

/** The customer as the merchant described them. */
export interface Customer {
  readonly name: string | null
  readonly phone: string | null
  readonly email: string | null
}

/**
 * How far it has come at the provider. `waits`: it was not asked for, and is not before its page is opened or
 * its run comes to it. `asked`: a call is under way, or was when its server went away. `unanswered`: that call has
 * ended without an answer, so that the provider may have it. `made`: it can be paid, or could.
 */
export type CreationStage = "waits" | "asked" | "unanswered" | "made"

/** An invoice as it is stored. Instants are epoch milliseconds. */
export interface Invoice {
  readonly id: InvoiceId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  /** The cashier it is paid through; null in the sandbox. */
  readonly connectionId: ConnectionId | null
  readonly kind: InvoiceKind
  readonly status: InvoiceStatus
  readonly amount: Tiyn
  /** Sum of the succeeded refunds; never over `amount`. */
  readonly refunded: Tiyn
  readonly description: string | null
  readonly externalOrderId: string | null
  readonly customer: Customer
  readonly successUrl: string | null
  readonly failUrl: string | null
  /** JSON text of an object, exactly as it was sent. */
  readonly metadata: string | null
  readonly idempotencyKey: string | null
  /** What it was made for; null: a merchant has asked for it. */
  readonly origin: Origin | null
  /** Digest of the create request, to tell a replay from another request under the same key. */
  readonly fingerprint: string | null
  readonly providerReference: string | null
  readonly providerStatus: string | null
  readonly providerReceiptUrl: string | null
  /** Set when the invoice is paid; the storage numbers it where the provider did not. */
  readonly receiptNumber: string | null
  readonly qrUrl: string | null
  readonly deepLink: string | null
  readonly stage: CreationStage
  /** Until when it waits for its page to be opened; null: it never waits. */
  readonly validUntil: number | null
  readonly expiresAt: number | null
  /** When the customer was first seen to have opened it in their app; null: not yet, or the provider does not tell. */
  readonly scannedAt: number | null
  readonly paidAt: number | null
  readonly createdAt: number
  /** Of its last change; while it is new, of the last call that may have it made. */
  readonly updatedAt: number
  /** The day of Almaty on which it counts in its organization's quota; null: it does not count. */
  readonly countedOn: string | null
  /** Whether the money came after expiry or cancellation. */
  readonly late: boolean
  /** When the watcher has to look at it next; null: never. */
  readonly dueAt: number | null
  /** Sequence of its newest event; the first is 1, without gaps. */
  readonly sequence: number
  /** Grows by one with every change; guards every write. */
  readonly version: number
}

/** What can be asked of an invoice. */
export type InvoiceCommand = Data.TaggedEnum<{
  /** The merchant closes it. */
  Cancel: object
  /** Its window has passed. */
  Expire: object
  /** The provider has made it: it can be paid. */
  Offer: { readonly offer: Offer }
  /** The provider says that it was paid, or the sandbox pretends so. `paidAt` in milliseconds. */
  Pay: { readonly paidAt: number; readonly receipt?: Receipt }
  /** The provider says that it failed, or the sandbox pretends so. */
  Fail: object
  /** A refund has succeeded. */
  Refund: { readonly refund: Refund }
}>
/** Constructors of commands. */
export const InvoiceCommand = Data.taggedEnum<InvoiceCommand>()

/** What the provider has made of a new invoice. */
export interface Offer {
  /** The provider's; null in the sandbox, which has none. */
  readonly reference: string | null
  readonly qrUrl: string | null
  readonly deepLink: string | null
  readonly expiresAt: number
}

/** The provider's proof of a payment. */
export interface Receipt {
  readonly number: string | null
  readonly url: string | null
}

/** A fact of an invoice, kept for ever. */
export interface InvoiceEvent {
  readonly id: EventId
  readonly invoiceId: InvoiceId
  readonly organizationId: OrganizationId
  /** 1, 2, 3 … within the invoice. */
  readonly sequence: number
  readonly type: "invoice.created" | `invoice.${InvoiceStatus}`
  readonly from: InvoiceStatus | null
  readonly to: InvoiceStatus
  readonly source: Source
  /** The invoice's refunded sum after the event. */
  readonly refunded: Tiyn
  /** Whether this is money that came after expiry or cancellation. */
  readonly late: boolean
  readonly createdAt: number
}

/** What a decision yields, to be written as one: the row, its event, its refund record. */
export interface InvoiceChange {
  readonly previous: Invoice
  readonly next: Invoice
  readonly event: InvoiceEvent
  readonly refund: Refund | null
}

/** What a decision needs to know beside the invoice. */
export interface DecisionContext {
  readonly now: number
  readonly eventId: EventId
  readonly source: Source
}

/** The command needs an open invoice (`new` or `pending`), or one that late money can still reach. */
export class InvoiceNotOpen extends Data.TaggedError("InvoiceNotOpen")<{ readonly status: InvoiceStatus }> {
  readonly code = "invoice_not_open"
}

/** Only a paid invoice can be refunded. */
export class InvoiceNotRefundable extends Data.TaggedError("InvoiceNotRefundable")<{ readonly status: InvoiceStatus }> {
  readonly code = "invoice_not_refundable"
}

/** The refund is not a positive amount within what is left of the payment. */
export class InvalidRefundAmount extends refusal("InvalidRefundAmount", "invalid_refund_amount") {}

/** Why a command was refused. */
export type Refusal = InvoiceNotOpen | InvoiceNotRefundable | InvalidRefundAmount

/** Open: not yet settled one way or the other. */
export const isOpen = (status: InvoiceStatus): boolean => status === "new" || status === "pending"

/** Whether late money can still turn this status into paid. */
export const isLatePayable = (status: InvoiceStatus): boolean => status === "expired" || status === "cancelled"

/** Whether a refund can be made. */
export const isRefundable = (status: InvoiceStatus): boolean => status === "paid" || status === "partially_refunded"

/** What can still be refunded. */
export const remainder = (invoice: Invoice): Tiyn => subtract(invoice.amount, invoice.refunded)

/** What `command` makes of `invoice`. Pure: the caller commits the change, or answers the refusal. */
export const decideInvoice = (
  invoice: Invoice,
  command: InvoiceCommand,
  circumstances: DecisionContext
): Result.Result<InvoiceChange, Refusal> => {
  const open = isOpen(invoice.status)
  const notOpen = () => Result.fail(new InvoiceNotOpen({ status: invoice.status }))
  switch (command._tag) {
    case "Cancel":
      return open ? change(invoice, circumstances, { status: "cancelled", dueAt: null }) : notOpen()
    case "Expire":
      return open ? change(invoice, circumstances, { status: "expired", dueAt: null, ...released(invoice) }) : notOpen()
    case "Offer": {
      const { reference, ...links } = command.offer
      return invoice.status === "new"
        ? change(invoice, circumstances, { status: "pending", stage: "made", providerReference: reference, ...links })
        : notOpen()
    }
    case "Fail":
      return open ? change(invoice, circumstances, { status: "failed", dueAt: null, ...released(invoice) }) : notOpen()
    case "Pay": {
      const late = isLatePayable(invoice.status)
      if (!open && !late) return notOpen()
      const { paidAt, receipt } = command
      const proof = receipt === undefined ? {} : { receiptNumber: receipt.number, providerReceiptUrl: receipt.url }
      return change(invoice, circumstances, { status: "paid", paidAt, late, dueAt: null, ...proof })
    }
    case "Refund":
      return refund(invoice, command.refund, circumstances)
  }
}

/**
 * What an invoice gives back that ends before the provider had it: its idempotency key, so that the request may be
 * repeated, and its place in the quota. One of a run keeps its place: the run's other tries tell what became of it. One
 * of a link or hook keeps its key, which says whose successor it is.
 */
const released = ({ status, origin, idempotencyKey }: Invoice): Partial<Invoice> => {
  if (status !== "new" || origin?.kind === "subscription") return {}
  const isRequest = origin === null || origin.kind === "transaction"
  return { idempotencyKey: isRequest ? null : idempotencyKey, countedOn: null }
}

/** The first change of an invoice: there was none before it. */
export const invoiceCreated = (invoice: Invoice, circumstances: DecisionContext): InvoiceEvent => ({
  id: circumstances.eventId,
  invoiceId: invoice.id,
  organizationId: invoice.organizationId,
  sequence: invoice.sequence,
  type: "invoice.created",
  from: null,
  to: invoice.status,
  source: circumstances.source,
  refunded: invoice.refunded,
  late: false,
  createdAt: circumstances.now
})

const refund = (
  invoice: Invoice,
  refund: Refund,
  circumstances: DecisionContext
): Result.Result<InvoiceChange, Refusal> => {
  if (!isRefundable(invoice.status)) return Result.fail(new InvoiceNotRefundable({ status: invoice.status }))
  if (refund.amount <= 0 || refund.amount > remainder(invoice)) return Result.fail(new InvalidRefundAmount())
  const refunded = add(invoice.refunded, refund.amount)
  const status = refunded === invoice.amount ? "refunded" : "partially_refunded"
  return change(invoice, circumstances, { status, refunded }, refund)
}

const change = (
  previous: Invoice,
  { now, eventId, source }: DecisionContext,
  members: Partial<Invoice> & { readonly status: InvoiceStatus },
  refund: Refund | null = null
): Result.Result<InvoiceChange, never> => {
  const next: Invoice = {
    ...previous,
    ...members,
    updatedAt: now,
    sequence: previous.sequence + 1,
    version: previous.version + 1
  }
  const event: InvoiceEvent = {
    id: eventId,
    invoiceId: next.id,
    organizationId: next.organizationId,
    sequence: next.sequence,
    type: `invoice.${next.status}`,
    from: previous.status,
    to: next.status,
    source,
    refunded: next.refunded,
    late: next.status === "paid" && next.late,
    createdAt: now
  }
  return Result.succeed({ previous, next, event, refund })
}
