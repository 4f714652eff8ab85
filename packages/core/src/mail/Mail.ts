/** A letter to a customer about an invoice, as a row that falls due. Pure. */
import type { Invoice } from "../invoice/Invoice.ts"
import type { Mode } from "../Mode.ts"

/** `invoice`: here is what to pay. `receipt`: it was paid. */
export type Kind = "invoice" | "receipt"

/** A letter. There is one of a kind for an invoice, ever. Instants are epoch milliseconds. */
export interface Mail {
  readonly id: string
  readonly kind: Kind
  readonly organizationId: string
  readonly mode: Mode
  readonly invoiceId: string
  readonly recipient: string
  /**
   * `sending`: it is being handed over; whoever finds it so after its lease cannot know whether it has gone, and makes
   * it `unknown` rather than send it twice.
   */
  readonly status: "pending" | "sending" | "sent" | "failed" | "unknown"
  readonly attempts: number
  /** Why the last attempt failed, for people. */
  readonly reason: string | null
  readonly dueAt: number | null
  readonly createdAt: number
  readonly completedAt: number | null
}

/** The letter about an invoice, due at once; null where the customer has no address. */
export const about = (invoice: Invoice, kind: Kind, id: string, now: number): Mail | null => {
  const { email } = invoice.customer
  if (email === null) return null
  return {
    id,
    kind,
    organizationId: invoice.organizationId,
    mode: invoice.mode,
    invoiceId: invoice.id,
    recipient: email,
    status: "pending",
    attempts: 0,
    reason: null,
    dueAt: now,
    createdAt: now,
    completedAt: null
  }
}
