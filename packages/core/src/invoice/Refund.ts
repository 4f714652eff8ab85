/** A refund gives back all or part of a payment. */
import { recordOf } from "../audit/Audit.ts"
import type { MadeRefund } from "../provider/Payment.ts"
import type { Ids, InvoiceId, OrganizationId, RefundId } from "../value/Ids.ts"
import { type Tiyn, toTenge } from "../value/Money.ts"

/** `unknown`: the provider gave no answer, so it may or may not have moved the money. */
export type RefundStatus = "pending" | "succeeded" | "failed" | "unknown"

/** Whether its outcome is still unknown. */
export const isUnresolved = ({ status }: Refund): boolean => status === "pending" || status === "unknown"

/** A refund record. Instants are epoch milliseconds. */
export interface Refund {
  readonly id: RefundId
  readonly invoiceId: InvoiceId
  readonly organizationId: OrganizationId
  readonly amount: Tiyn
  readonly status: RefundStatus
  readonly reason: string | null
  /** A repeated request with the same key finds this record instead of making another; see `holderOf`. */
  readonly idempotencyKey: string | null
  /** Digest of the request, to tell a replay from another request under the same key; null if it is not known. */
  readonly fingerprint: string | null
  /** The provider's own reference, if it has made the refund. */
  readonly providerReference: string | null
  readonly createdAt: number
  readonly completedAt: number | null
}

/** What became of a refund: the provider has made it, has not, or does not say. */
export type RefundVerdict = MadeRefund | "failed" | "unknown"

/**
 * The record after a verdict, at `now`; null if that changes nothing. What was refused may turn out to be made after
 * all; nothing else follows an end. Pure.
 */
export const decideRefund = (record: Refund, verdict: RefundVerdict, now: number): Refund | null => {
  if (typeof verdict !== "string") {
    // The provider's clock may be behind ours, and another server's ahead of it.
    const completedAt = Math.max(verdict.at, record.createdAt)
    return record.status === "succeeded"
      ? null
      : { ...record, status: "succeeded", providerReference: verdict.reference, completedAt }
  }
  if (!isUnresolved(record) || record.status === verdict) return null
  return { ...record, status: verdict, completedAt: verdict === "failed" ? Math.max(now, record.createdAt) : null }
}

/**
 * The record that a repeated request finds again. One that has failed gave its key back: no money has moved, and the
 * request begins another. At most one record of an invoice holds a key.
 */
export const holderOf = (idempotencyKey: string | null, refunds: ReadonlyArray<Refund>): Refund | undefined =>
  idempotencyKey === null
    ? undefined
    : refunds.find((record) => record.idempotencyKey === idempotencyKey && record.status !== "failed")

/** What the audit log says of a refund that was asked for. */
export const askedFor = (ids: Ids["Service"], { id, invoiceId, organizationId, amount }: Refund) =>
  recordOf(ids, {
    action: "refund.requested",
    organizationId,
    subject: invoiceId,
    detail: JSON.stringify({ refundId: id, amount: toTenge(amount) })
  })

/** What the audit log says of a refund whose outcome is said by hand. */
export const resolvedAs = (
  ids: Ids["Service"],
  { id, invoiceId, organizationId }: Refund,
  verdict: RefundVerdict,
  note: string | null
) => {
  const said = typeof verdict === "string" ? { made: false } : { made: true, reference: verdict.reference }
  const detail = JSON.stringify({ refundId: id, ...said, ...(note !== null && { note }) })
  return recordOf(ids, { action: "refund.resolved", organizationId, subject: invoiceId, detail })
}
