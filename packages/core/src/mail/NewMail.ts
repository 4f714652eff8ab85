/** Letters before they are handed over. Pure. */

import type { MailId } from "../value/Ids.ts"
import type { Tenant } from "../value/Tenant.ts"
import type { Mail, MailKind } from "./Mail.ts"

/** What a letter needs to know of its invoice. */
export interface MailSubject extends Tenant {
  readonly id: string
  readonly customer: { readonly email: string | null }
}

/** The letter about an invoice, due at once; null if the customer has no address. */
export const about = (invoice: MailSubject, kind: MailKind, id: MailId, now: number): Mail | null => {
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
    resent: 0,
    reason: null,
    dueAt: now,
    createdAt: now,
    completedAt: null
  }
}
