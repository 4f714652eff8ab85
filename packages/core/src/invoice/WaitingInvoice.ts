/** Invoices whose code is made later: when a customer opens the page, or when a run comes to it. Pure. */
import type { Settings } from "../Settings.ts"
import type { Invoice } from "./Invoice.ts"
import type { Draft } from "./InvoiceDraft.ts"
import * as LiveInvoice from "./LiveInvoice.ts"
import * as SandboxInvoice from "./SandboxInvoice.ts"

/**
 * The invoice of a draft. Kind qr waits as `new`, without a code, until its page is opened; kind phone is new until the
 * provider has pushed it, and in the sandbox pending at once. The draft's idempotency key must be nobody else's, since
 * there is no fingerprint to compare by.
 */
export const make = (
  draft: Draft,
  facts: {
    readonly id: string
    readonly organizationId: string
    readonly now: number
    readonly connectionId: string | null
  },
  settings: Settings
): Invoice => {
  const { connectionId, ...rest } = facts
  const common = { ...rest, fingerprint: null }
  if (connectionId !== null) return { ...LiveInvoice.make(draft, { ...common, connectionId }), dueAt: null }
  const links = { qrUrl: "", deepLink: "" }
  const sandbox = SandboxInvoice.make(draft, { ...common, links }, settings)
  return draft.kind === "phone"
    ? sandbox
    : { ...sandbox, status: "new", qrUrl: null, deepLink: null, expiresAt: null, dueAt: null }
}
