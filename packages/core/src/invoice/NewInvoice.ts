/** Invoices as they begin: in the sandbox, live, and waiting for their page to be opened. Pure. */
import { dayOf } from "../value/Calendar.ts"
import type { ConnectionId, InvoiceId, OrganizationId } from "../value/Ids.ts"
import { type Tiyn, zero } from "../value/Money.ts"
import type { Tenant } from "../value/Tenant.ts"
import type { Invoice, InvoiceKind } from "./Invoice.ts"
import type { InvoiceDraft } from "./InvoiceDraft.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"
import { firstLookMs, isCountedWhenMade } from "./live/CreationStages.ts"
import type { Origin } from "./Origin.ts"

/** A pending invoice of an amount, of which nothing else is known. */
export const blankInvoice = (
  facts: Tenant & { readonly id: InvoiceId; readonly kind: InvoiceKind; readonly amount: Tiyn; readonly now: number }
): Invoice => ({
  id: facts.id,
  organizationId: facts.organizationId,
  mode: facts.mode,
  connectionId: null,
  kind: facts.kind,
  status: "pending",
  amount: facts.amount,
  refunded: zero,
  description: null,
  externalOrderId: null,
  customer: { name: null, phone: null, email: null },
  successUrl: null,
  failUrl: null,
  metadata: null,
  idempotencyKey: null,
  origin: null,
  fingerprint: null,
  providerReference: null,
  providerStatus: null,
  providerReceiptUrl: null,
  receiptNumber: null,
  qrUrl: null,
  deepLink: null,
  stage: "made",
  validUntil: null,
  scannedAt: null,
  expiresAt: null,
  paidAt: null,
  createdAt: facts.now,
  updatedAt: facts.now,
  countedOn: null,
  late: false,
  dueAt: null,
  sequence: 1,
  version: 1
})

interface Facts {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly now: number
  readonly fingerprint: string | null
}

/** The invoice that the sandbox makes of a draft: payable at once, by simulation only. */
export const sandboxInvoice = (
  draft: InvoiceDraft,
  { links, fingerprint, ...facts }: Facts & { readonly links: { readonly qrUrl: string; readonly deepLink: string } },
  settings: InvoiceSettings
): Invoice => {
  const qr = draft.kind === "qr"
  const expiresAt = facts.now + (qr ? settings.qrWindowMs : settings.phoneWindowMs)
  return {
    ...blankInvoice({ ...draft, ...facts, mode: "sandbox" }),
    ...draft,
    fingerprint,
    qrUrl: qr ? links.qrUrl : null,
    deepLink: qr ? links.deepLink : null,
    expiresAt,
    dueAt: expiresAt
  }
}

/** The invoice as it is stored before the provider is asked: new, with nothing to pay at yet. */
export const liveInvoice = (
  draft: InvoiceDraft,
  { connectionId, fingerprint, ...facts }: Facts & { readonly connectionId: ConnectionId }
): Invoice => ({
  ...blankInvoice({ ...draft, ...facts, mode: "live" }),
  ...draft,
  connectionId,
  fingerprint,
  status: "new",
  stage: "asked",
  countedOn: dayOf(facts.now),
  dueAt: facts.now + firstLookMs
})

/** A live invoice of a transaction of the application: due at once, which an agent sees when that is committed. */
export const ofTransaction = (invoice: Invoice, settings: InvoiceSettings): Invoice => ({
  ...invoice,
  origin: { kind: "transaction" },
  stage: "waits",
  validUntil: invoice.createdAt + settings.waitingMs.transaction,
  dueAt: invoice.createdAt
})

/**
 * The invoice of a draft. Kind qr waits as `new`, without a code, until a person asks for one on its page, and expires
 * if no one does in time; kind phone is new until the provider has pushed it, and in the sandbox pending at once. Its
 * origin takes the place of an idempotency key.
 */
export const waitingInvoice = (
  draft: InvoiceDraft,
  facts: {
    readonly id: InvoiceId
    readonly organizationId: OrganizationId
    readonly now: number
    readonly connectionId: ConnectionId | null
    readonly origin: Origin
  },
  settings: InvoiceSettings
): Invoice => {
  const { connectionId, origin, ...rest } = facts
  const common = { ...rest, fingerprint: null }
  const own = { origin, idempotencyKey: null }
  const validUntil = facts.now + settings.waitingMs[origin.kind]
  const waits = { status: "new", stage: "waits" } as const
  if (connectionId !== null) {
    const live = { ...liveInvoice(draft, { ...common, connectionId }), ...own, ...waits }
    // A run has a phone's invoice made by itself, whenever the provider takes it.
    const until = draft.kind === "qr" ? validUntil : null
    const countedOn = isCountedWhenMade(live) ? null : live.countedOn
    return { ...live, countedOn, validUntil: until, dueAt: until }
  }
  const links = { qrUrl: "", deepLink: "" }
  const sandbox = { ...sandboxInvoice(draft, { ...common, links }, settings), ...own }
  return draft.kind === "phone"
    ? sandbox
    : { ...sandbox, ...waits, qrUrl: null, deepLink: null, expiresAt: null, validUntil, dueAt: validUntil }
}
