/** A letter to a customer about an invoice, as a row that falls due. */
import type { Mode } from "../value/Mode.ts"

/** `invoice`: here is what to pay. `receipt`: it was paid. */
export type MailKind = "invoice" | "receipt"

/** A letter. There is one of a kind for an invoice, ever. Instants are epoch milliseconds. */
export interface Mail {
  readonly id: string
  readonly kind: MailKind
  readonly organizationId: string
  readonly mode: Mode
  readonly invoiceId: string
  readonly recipient: string
  /**
   * `sending`: it is being handed over; whoever finds it so after its lease cannot know whether it has gone, and makes
   * it `unknown` rather than send it twice. `kept`: it may be looked at, and is never sent; `reason` says why.
   */
  readonly status: "pending" | "sending" | "sent" | "failed" | "unknown" | "kept"
  readonly attempts: number
  /** Why the last attempt failed, or why it is kept; for people. */
  readonly reason: string | null
  readonly dueAt: number | null
  readonly createdAt: number
  readonly completedAt: number | null
}
