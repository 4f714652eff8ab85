/** The invoices that subscriptions make. Pure. */
import type { Invoice } from "../invoice/Invoice.ts"
import type { InvoiceDraft } from "../invoice/InvoiceDraft.ts"
import { waitingInvoice } from "../invoice/NewInvoice.ts"
import type { ConnectionId, InvoiceId } from "../value/Ids.ts"
import { withMembers } from "../value/RawJson.ts"
import type { Subscription } from "./Subscription.ts"
import type { SubscriptionSettings } from "./SubscriptionSettings.ts"

/** Which invoice of a subscription: the run, and the try of it, 0 for the first. */
export interface RunPlace {
  readonly run: number
  readonly attempt: number
}

/**
 * The invoice. Kind qr waits as `new`, without a code, until a person asks for it; kind phone is new until the provider
 * has pushed it, and in the sandbox pending at once.
 */
export const runInvoice = (
  subscription: Subscription,
  place: RunPlace,
  facts: { readonly id: InvoiceId; readonly now: number; readonly connectionId: ConnectionId | null },
  settings: SubscriptionSettings
): Invoice => {
  const { id, now, connectionId } = facts
  const { organizationId, kind, amount, description, customer } = subscription
  const metadata = withMembers(subscription.metadata ?? "{}", { subscriptionId: subscription.id, run: place.run })
  const draft: InvoiceDraft = {
    kind,
    amount,
    description,
    externalOrderId: null,
    customer,
    successUrl: null,
    failUrl: null,
    metadata,
    idempotencyKey: null
  }
  const origin = { kind: "subscription", id: subscription.id, ...place } as const
  return waitingInvoice(draft, { id, organizationId, now, connectionId, origin }, settings)
}
