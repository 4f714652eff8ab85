/** When the provider is asked about a live invoice next. Pure; all numbers are settings. */
import { type Invoice, isLatePayable, isOpen } from "../Invoice.ts"
import type { InvoiceSettings, PollInterval } from "../InvoiceSettings.ts"
import { isUnresolved, type Refund } from "../Refund.ts"

/** What the schedule depends on. */
export interface ScheduleFacts {
  readonly invoice: Invoice
  /** Its refunds, as far as any may be unresolved. */
  readonly refunds: ReadonlyArray<Refund>
  readonly now: number
}

/**
 * The instant of the next look, or null for never. Open invoices are asked about every few seconds, and once when their
 * window ends; closed ones ever more slowly, for as long as late money is expected; paid ones now and then, for refunds
 * that the merchant makes in the provider's own app; unresolved refunds after their own waits.
 */
export const nextLookAt = ({ invoice, refunds, now }: ScheduleFacts, { live }: InvoiceSettings): number | null => {
  const unresolved = refunds.filter(isUnresolved)
  const looks = [lookAtPayment(invoice, now, live), ...unresolved.map((one) => resolveAt(one, now, live))]
  const due = looks.filter((at) => at !== null)
  return due.length === 0 ? null : Math.min(...due)
}

/**
 * The same after an unanswered question: not before `waitMs` have passed. A watch ends with an answer, so
 * it goes on if there is none, ever more slowly: nothing is forgotten, however long a cashier is away.
 */
export const nextTryAt = (facts: ScheduleFacts, waitMs: number, settings: InvoiceSettings): number | null => {
  const { invoice, now } = facts
  const planned = nextLookAt(facts, settings)
  if (planned !== null) return Math.max(planned, now + waitMs)
  const isWatched =
    isLatePayable(invoice.status) || invoice.status === "paid" || invoice.status === "partially_refunded"
  const slowest = settings.live.closedIntervals.at(-1)?.everyMs ?? 0
  const age = now - invoice.updatedAt
  return isWatched ? now + Math.max(waitMs, slowest, Math.round(age / slowdown)) : null
}

/** An invoice waits a hundredth of its age for the next try. */
const slowdown = 100

const lookAtPayment = (invoice: Invoice, now: number, live: InvoiceSettings["live"]): number | null => {
  const { status, stage, createdAt, updatedAt, expiresAt, paidAt } = invoice
  // The provider knows nothing of it, so it cannot have been paid.
  if (stage === "waits") return null
  if (isOpen(status)) {
    const next = now + intervalOf(live.openIntervals, now - createdAt)
    return expiresAt !== null && expiresAt > now ? Math.min(next, expiresAt) : next
  }
  if (isLatePayable(status)) {
    const age = now - updatedAt
    return age >= live.lateMs ? null : now + intervalOf(live.closedIntervals, age)
  }
  const isPaid = status === "paid" || status === "partially_refunded"
  return isPaid && paidAt !== null ? firstAfter(paidAt, live.paidCheckDelaysMs, now) : null
}

/** When to ask what became of a refund. Null when it has been asked for the last time. */
const resolveAt = ({ createdAt }: Refund, now: number, live: InvoiceSettings["live"]): number | null =>
  firstAfter(createdAt, live.refundCheckDelaysMs, now)

/** How often the provider was asked by itself about an unresolved refund, and when it is asked next; null: no more. */
export interface RefundChecks {
  readonly asked: number
  readonly nextAt: number | null
}

/** The plan of those questions at `now`; null if nothing is unclear. Other looks at the invoice may come between. */
export const refundChecks = (refund: Refund, now: number, { live }: InvoiceSettings): RefundChecks | null =>
  isUnresolved(refund)
    ? {
        asked: live.refundCheckDelaysMs.filter((wait) => refund.createdAt + wait <= now).length,
        nextAt: resolveAt(refund, now, live)
      }
    : null

const firstAfter = (start: number, waits: ReadonlyArray<number>, now: number): number | null =>
  waits.map((wait) => start + wait).find((at) => at > now) ?? null

const intervalOf = (intervals: ReadonlyArray<PollInterval>, age: number): number =>
  (intervals.find(({ untilMs }) => age < untilMs) ?? intervals.at(-1))?.everyMs ?? 0
