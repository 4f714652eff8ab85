/** Invoices whose code is made later: when a customer opens the page, or when a run comes to it. Pure. */

import type { Invoice } from "./Invoice.ts"
import type { InvoiceDraft } from "./InvoiceDraft.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"
import * as CreationStages from "./live/CreationStages.ts"
import type { Origin } from "./Origin.ts"
import * as SandboxInvoice from "./SandboxInvoice.ts"

/**
 * The invoice of a draft. Kind qr waits as `new`, without a code, until its page is opened, and expires where nobody
 * opens it in time; kind phone is new until the provider has pushed it, and in the sandbox pending at once. Its origin
 * takes the place of an idempotency key.
 */
export const waitingInvoice = (
  draft: InvoiceDraft,
  facts: {
    readonly id: string
    readonly organizationId: string
    readonly now: number
    readonly connectionId: string | null
    readonly origin: Origin
  },
  settings: InvoiceSettings
): Invoice => {
  const { connectionId, origin, ...rest } = facts
  const common = { ...rest, fingerprint: null }
  const own = { origin, idempotencyKey: null }
  const validUntil = facts.now + settings.waitingMs[origin.kind]
  const waits = { status: "new", making: "waits" } as const
  if (connectionId !== null) {
    const live = { ...CreationStages.liveInvoice(draft, { ...common, connectionId }), ...own, ...waits }
    // A run has a phone's invoice made by itself, whenever the provider takes it.
    const until = draft.kind === "qr" ? validUntil : null
    const countedOn = CreationStages.isCountedWhenMade(live) ? null : live.countedOn
    return { ...live, countedOn, validUntil: until, dueAt: until }
  }
  const links = { qrUrl: "", deepLink: "" }
  const sandbox = { ...SandboxInvoice.sandboxInvoice(draft, { ...common, links }, settings), ...own }
  return draft.kind === "phone"
    ? sandbox
    : { ...sandbox, ...waits, qrUrl: null, deepLink: null, expiresAt: null, validUntil, dueAt: validUntil }
}
