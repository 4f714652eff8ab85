/** A refund of a live invoice, from its record to what became of it. Pure. */

import { Data, Result } from "effect"
import { refusal } from "../../error/Refusal.ts"
import type { RefundId } from "../../value/Ids.ts"
import { add, subtract, type Tiyn } from "../../value/Money.ts"
import {
  type DecisionContext,
  decideInvoice,
  InvalidRefundAmount,
  type Invoice,
  type InvoiceChange,
  InvoiceCommand,
  InvoiceNotRefundable,
  isRefundable,
  type Refusal,
  remainder
} from "../Invoice.ts"
import type { Write } from "../InvoiceStore.ts"
import { decideRefund, isUnresolved, type Refund, type RefundVerdict } from "../Refund.ts"

/** The provider refused the refund. No money has moved. */
export class RefundFailed extends Data.TaggedError("RefundFailed")<{ readonly refundId: RefundId | null }> {
  readonly code = "refund_failed"
}

/** The provider gave no answer: the money may or may not be on its way back. */
export class RefundUnknown extends Data.TaggedError("RefundUnknown")<{ readonly refundId: RefundId }> {
  readonly code = "refund_unknown"
}

/** The provider holds refunds that we did not know of. They are known now. */
export class RefundStateConflict extends refusal("RefundStateConflict", "refund_state_conflict") {}

/** What became of an earlier refund of this invoice is not known yet, so none may follow. */
export class RefundPendingUnknown extends refusal("RefundPendingUnknown", "refund_pending_unknown") {}

/** Those who ask may not give back so much of this invoice. Nothing was done. */
export class RefundNotAllowed extends Data.TaggedError("RefundNotAllowed")<{
  /** What would have been given back of it in all. */
  readonly total: Tiyn
}> {
  readonly code = "refund_not_allowed"
}

/** What a refund request answers. */
export interface RefundRun {
  readonly invoice: Invoice
  readonly record: Refund
  /** An earlier request with the same idempotency key has made it. */
  readonly replayed: boolean
}

/** A refund to be begun. */
export interface RefundDraft {
  readonly id: RefundId
  /** Null: all that is left. */
  readonly amount: Tiyn | null
  readonly reason: string | null
  readonly idempotencyKey: string | null
  readonly fingerprint: string | null
  /** What may be given back of the invoice in all, with what was before. Absent: all that was paid. */
  readonly most?: number
}

/**
 * The record to be written before the provider is called. The invoice's version grows, so that of two refunds that
 * begin at once one is refused, and no third begins while this one is unresolved.
 */
export const begin = (
  invoice: Invoice,
  refunds: ReadonlyArray<Refund>,
  asked: RefundDraft,
  now: number
): Result.Result<
  { readonly write: Write; readonly record: Refund },
  RefundNotAllowed | RefundPendingUnknown | InvoiceNotRefundable | InvalidRefundAmount
> => {
  const amount = asked.amount ?? remainder(invoice)
  // Many small refunds are a large one. The version guards the sum, too.
  const total = add(invoice.refunded, amount)
  if (total > (asked.most ?? Number.POSITIVE_INFINITY)) return Result.fail(new RefundNotAllowed({ total }))
  if (refunds.some(isUnresolved)) return Result.fail(new RefundPendingUnknown())
  if (!isRefundable(invoice.status)) return Result.fail(new InvoiceNotRefundable({ status: invoice.status }))
  if (amount <= 0 || subtract(remainder(invoice), amount) < 0) return Result.fail(new InvalidRefundAmount())
  const record: Refund = {
    id: asked.id,
    invoiceId: invoice.id,
    organizationId: invoice.organizationId,
    amount,
    status: "pending",
    reason: asked.reason,
    idempotencyKey: asked.idempotencyKey,
    fingerprint: asked.fingerprint,
    providerReference: null,
    createdAt: now,
    completedAt: null
  }
  return Result.succeed({ record, write: recordOnly(invoice, record, now) })
}

/** The provider has made it. */
export const succeed = (
  invoice: Invoice,
  record: Refund,
  circumstances: DecisionContext
): Result.Result<InvoiceChange, Refusal> =>
  decideInvoice(invoice, InvoiceCommand.Refund({ refund: record }), circumstances)

/**
 * The write of what became of a refund; null if it changes nothing. A refund whose money counts already, under the same
 * reference in another record, or has no place in what was paid, stays unknown: people must look at it.
 */
export const settlement = (
  invoice: Invoice,
  refunds: ReadonlyArray<Refund>,
  record: Refund,
  verdict: RefundVerdict,
  circumstances: DecisionContext
): { readonly write: Write; readonly contradiction: string | null } | null => {
  const own = refunds.find(({ id }) => id === record.id) ?? record
  const unmoved = (said: "failed" | "unknown", contradiction: string | null = null) => {
    const next = decideRefund(own, said, circumstances.now)
    return next === null ? null : { write: recordOnly(invoice, next, circumstances.now), contradiction }
  }
  if (typeof verdict === "string") return unmoved(verdict)
  const counted = refunds.some(({ id, providerReference }) => id !== own.id && providerReference === verdict.reference)
  if (counted) return unmoved("unknown", "its money counts already, as that of another")
  const next = decideRefund(own, verdict, circumstances.now)
  if (next === null) return null
  const change = succeed(invoice, next, circumstances)
  return Result.isSuccess(change)
    ? { write: change.success, contradiction: null }
    : unmoved("unknown", change.failure._tag)
}

/** Writes a record that moves no money. The invoice's status stays, so that there is no event; its version grows. */
export const recordOnly = (previous: Invoice, refund: Refund, now: number): Write => ({
  previous,
  next: { ...previous, updatedAt: now, version: previous.version + 1 },
  event: null,
  refund
})
