/** What it takes to make an invoice of a run: a tariff, a cashier, and the letter that goes with it. */
import { Clock, Effect, Option } from "effect"
import type { UsableConnection } from "../connection/Connection.ts"
import type { ConnectionNotActive, ProviderSessionExpired } from "../connection/ConnectionErrors.ts"
import { Connections } from "../connection/Connections.ts"
import type { NotLive, ProviderSessionNotConfigured } from "../error/Refusals.ts"
import { invoiceCreated, type Source } from "../invoice/Invoice.ts"
import { Mailer } from "../mail/Mailer.ts"
import * as NewMail from "../mail/NewMail.ts"
import type { Quota } from "../tariff/Tariff.ts"
import { type QuotaError, Tariffs } from "../tariff/Tariffs.ts"
import { realNow } from "../time/SandboxClocks.ts"
import { Ids } from "../value/Ids.ts"
import * as RunInvoice from "./RunInvoice.ts"
import type { Subscription } from "./Subscription.ts"
import { SubscriptionSettings } from "./SubscriptionSettings.ts"

/** Why no run can be made: there is no live mode, no usable cashier, or no tariff that allows it. */
export type NoMeans = NotLive | ProviderSessionNotConfigured | ConnectionNotActive | ProviderSessionExpired | QuotaError

interface Means {
  readonly cashier: UsableConnection | null
  readonly quota: Quota | null
}

/** When another server asks the provider for a run whose server has crashed. */
const firstIssueMs = 20_000

/** Looks for what an invoice needs, and makes it. */
export const make = Effect.gen(function* () {
  const connections = yield* Connections
  const tariffs = yield* Tariffs
  const ids = yield* Ids
  const settings = yield* SubscriptionSettings
  const mails = Option.isSome(yield* Effect.serviceOption(Mailer))

  /** What an invoice needs: a tariff that allows it, and, where it is live, a cashier who works. */
  const meansOf = Effect.fnUntraced(function* (subscription: Subscription) {
    const { mode, organizationId, connectionId } = subscription
    const quota = yield* tariffs.quota(subscription)
    if (mode === "sandbox") return { cashier: null, quota }
    return { cashier: yield* connections.forCreate(organizationId, connectionId), quota }
  })

  /** The invoice of a run, to be written with it. */
  const invoiceOf = Effect.fnUntraced(function* (
    subscription: Subscription,
    place: RunInvoice.RunPlace,
    { cashier, quota }: Means,
    source: Source
  ) {
    const now = yield* Clock.currentTimeMillis
    const facts = { id: yield* ids.next("inv"), now, connectionId: cashier?.id ?? null }
    const invoice = RunInvoice.runInvoice(subscription, place, facts, settings)
    const event = invoiceCreated(invoice, { now, eventId: yield* ids.next("evt"), source })
    const isMailed = mails && invoice.kind === "qr"
    const mail = isMailed ? NewMail.about(invoice, "invoice", yield* ids.next("mai"), yield* realNow) : null
    const issueAt = invoice.mode === "live" && invoice.kind === "phone" ? now + firstIssueMs : null
    return { creation: { invoice, event, quota }, mail, issueAt }
  })

  return { meansOf, invoiceOf }
})
