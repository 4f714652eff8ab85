/** Letters before they are handed over. Pure. */

import type { MailId } from "../value/Ids.ts"
import type { Tenant } from "../value/Tenant.ts"
import type { Mail, MailKind } from "./Mail.ts"
import { mailDefaults as defaults, type MailSettings } from "./MailSettings.ts"

/** What a letter needs to know of its invoice. */
export interface MailSubject extends Tenant {
  readonly id: string
  readonly customer: { readonly email: string | null }
}

/** The letter about an invoice, due at once or kept; null if the customer has no address. */
export const about = (
  invoice: MailSubject,
  kind: MailKind,
  id: MailId,
  now: number,
  { sandbox }: Pick<MailSettings, "sandbox"> = defaults
): Mail | null => {
  const { email } = invoice.customer
  if (email === null) return null
  const reason = keptBecause({ mode: invoice.mode, recipient: email }, sandbox)
  return {
    id,
    kind,
    organizationId: invoice.organizationId,
    mode: invoice.mode,
    invoiceId: invoice.id,
    recipient: email,
    status: reason === null ? "pending" : "kept",
    attempts: 0,
    reason,
    dueAt: reason === null ? now : null,
    createdAt: now,
    completedAt: reason === null ? null : now
  }
}

/**
 * Why a letter must not leave: a sandbox writes to its own people only, or any test key could have the
 * operator's server write to strangers. Null where it may.
 */
export const keptBecause = (
  { mode, recipient }: Pick<Mail, "mode" | "recipient">,
  { mailTo }: MailSettings["sandbox"]
): string | null => {
  if (mode === "live" || mailTo === null) return null
  const address = recipient.toLowerCase()
  const isAllowed = mailTo.some((one) => address === one.toLowerCase() || isOfDomain(address, one.toLowerCase()))
  return isAllowed ? null : "letters of the sandbox go to the operator's test addresses only"
}

/** `@example.kz` stands for all addresses there. */
const isOfDomain = (address: string, domain: string): boolean => domain.startsWith("@") && address.endsWith(domain)
