/** Invoices of the sandbox: made here, because the sandbox never calls a provider. Pure. */

import type { Links } from "../provider/SandboxLinks.ts"
import { zero } from "../value/Money.ts"
import type { Invoice } from "./Invoice.ts"
import type { InvoiceDraft } from "./InvoiceDraft.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"

/** The invoice that the sandbox makes of a draft: payable at once, by nobody but the simulation. */
export const sandboxInvoice = (
  draft: InvoiceDraft,
  facts: {
    readonly id: string
    readonly organizationId: string
    readonly now: number
    readonly fingerprint: string | null
    readonly links: Links
  },
  settings: InvoiceSettings
): Invoice => {
  const qr = draft.kind === "qr"
  const expiresAt = facts.now + (qr ? settings.qrWindowMs : settings.phoneWindowMs)
  return {
    ...draft,
    id: facts.id,
    organizationId: facts.organizationId,
    mode: "sandbox",
    connectionId: null,
    origin: null,
    status: "pending",
    making: "made",
    validUntil: null,
    countedOn: null,
    refunded: zero,
    fingerprint: facts.fingerprint,
    providerReference: null,
    providerStatus: null,
    providerReceiptUrl: null,
    receiptNumber: null,
    qrUrl: qr ? facts.links.qrUrl : null,
    deepLink: qr ? facts.links.deepLink : null,
    expiresAt,
    paidAt: null,
    createdAt: facts.now,
    updatedAt: facts.now,
    late: false,
    dueAt: expiresAt,
    sequence: 1,
    version: 1
  }
}
