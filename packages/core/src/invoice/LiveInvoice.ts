/** Live invoices before the provider knows of them. Pure. */
import { zero } from "../Money.ts"
import { defaultTimeoutMs } from "../provider/Deadline.ts"
import type { Invoice } from "./Invoice.ts"
import type { Draft } from "./InvoiceDraft.ts"

/** When somebody else looks at a create that has not ended: its own call has ended long before. */
export const firstLookMs = defaultTimeoutMs + 2_000

/** Whether it waits for somebody to have it made: for a customer who opens its page, or for a subscription's run. */
export const isWaiting = ({ status, dueAt }: Invoice): boolean => status === "new" && dueAt === null

/** Whether somebody has it made, should the provider not have taken it: see `Subscription`. */
export const isMadeLater = ({ idempotencyKey, fingerprint }: Invoice): boolean =>
  idempotencyKey !== null && fingerprint === null

/** The invoice as it is stored before the provider is asked: new, with nothing to pay at yet. */
export const make = (
  draft: Draft,
  facts: {
    readonly id: string
    readonly organizationId: string
    readonly connectionId: string
    readonly now: number
    readonly fingerprint: string | null
  }
): Invoice => {
  const { now, ...identity } = facts
  return {
    ...draft,
    ...identity,
    mode: "live",
    status: "new",
    refunded: zero,
    providerReference: null,
    providerStatus: null,
    providerReceiptUrl: null,
    receiptNumber: null,
    qrUrl: null,
    deepLink: null,
    expiresAt: null,
    paidAt: null,
    createdAt: now,
    updatedAt: now,
    late: false,
    dueAt: now + firstLookMs,
    sequence: 1,
    version: 1
  }
}
