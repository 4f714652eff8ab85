/** Letters before anybody has handed them over. Pure. */
import type { Invoice } from "../invoice/Invoice.ts"
import type { Kind, Mail } from "./Mail.ts"

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
