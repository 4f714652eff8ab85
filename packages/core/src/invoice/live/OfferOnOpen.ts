/** Has an invoice made that waits: for a person who asks for its code, or for the commit of a transaction. */
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { Connections } from "../../connection/Connections.ts"
import { SandboxLinks } from "../../provider/SandboxLinks.ts"
import type { OverQuota } from "../../tariff/Tariff.ts"
import { type QuotaError, Tariffs } from "../../tariff/Tariffs.ts"
import { SandboxClocks } from "../../time/SandboxClocks.ts"
import { Ids } from "../../value/Ids.ts"
import { Commits } from "../Commits.ts"
import type { LinkSoldOut } from "../changes/LinkShare.ts"
import { decideInvoice, type Invoice, InvoiceCommand } from "../Invoice.ts"
import { payUrl } from "../InvoiceJson.ts"
import { InvoiceSettings } from "../InvoiceSettings.ts"
import { InvoiceStore } from "../InvoiceStore.ts"
import * as Succession from "../succession/Succession.ts"
import { isOnDemand } from "./CreationStages.ts"
import { LivePayments } from "./LivePayments.ts"

/** Why a code is not made: there is no live mode here, no quota left, or no place. The invoice waits as before. */
export type OpenError = QuotaError | OverQuota | LinkSoldOut

const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const commits = yield* Commits
  const payments = yield* LivePayments
  const connections = yield* Connections
  const { entering } = yield* SandboxClocks
  const tariffs = yield* Tariffs
  const sandboxLinks = yield* SandboxLinks
  const ids = yield* Ids
  const settings = yield* InvoiceSettings

  const inSandbox = Effect.fnUntraced(function* (invoice: Invoice) {
    const now = yield* Clock.currentTimeMillis
    const expiresAt = now + settings.qrWindowMs
    const links = sandboxLinks({ id: invoice.id, payUrl: payUrl(invoice.id, settings) })
    const command = InvoiceCommand.Offer({ offer: { reference: null, ...links, expiresAt } })
    const eventId = yield* ids.next("evt")
    const decided = decideInvoice(invoice, command, { now, eventId, source: "system" })
    if (Result.isFailure(decided)) return invoice
    const { next } = decided.success
    const change = { ...decided.success, next: { ...next, dueAt: expiresAt } }
    return yield* invoice.origin?.kind === "payment-link"
      ? Effect.catchTag(commits.admit(change, null), "OverQuota", (error) => Effect.die(error))
      : commits.commit(change)
  })

  const atProvider = Effect.fnUntraced(function* (invoice: Invoice) {
    const quota = invoice.countedOn === null ? yield* tariffs.quota(invoice) : null
    const cashier = yield* connections.forCreate(invoice.organizationId, invoice.connectionId)
    return yield* payments.offerWaiting(invoice, cashier, quota)
  })

  /** Another was faster, or the provider has said something: what is stored tells. */
  const reload = (invoice: Invoice) =>
    Effect.map(
      store.find(invoice.id),
      Option.getOrElse(() => invoice)
    )

  /**
   * Late money closes the successors of its invoice right after its commit. A server that ended in between has left
   * that to the next request for their code.
   */
  const unlessSuperseded = <E>(offer: (invoice: Invoice) => Effect.Effect<Invoice, E>) =>
    Effect.fnUntraced(function* (invoice: Invoice) {
      if (!isOnDemand(invoice)) return invoice
      if (Succession.placeOf(invoice).number === 0) return yield* offer(invoice)
      yield* commits.endSuccession(invoice)
      const found = yield* reload(invoice)
      return isOnDemand(found) ? yield* offer(found) : found
    })

  const openSandbox = unlessSuperseded((invoice) =>
    Effect.catchTag(inSandbox(invoice), "InvoiceChanged", () => reload(invoice))
  )

  const openLive = unlessSuperseded((invoice) =>
    Effect.catchTag(atProvider(invoice), [...unmade], () => reload(invoice))
  )

  const open = Effect.fn("Opening.open")(
    (invoice: Invoice): Effect.Effect<Invoice, OpenError> =>
      invoice.mode === "live" ? openLive(invoice) : openSandbox(invoice)
  )

  return {
    /**
     * The invoice with its code, if it can be made now; otherwise as it is. May be repeated, and many at once
     * make one code. What strangers have made counts in the quota with its code.
     */
    open: entering(open),
    /** The same for an invoice of the sandbox, where nothing is in the way. */
    openSandbox: entering(openSandbox),
    /** Has a live invoice made, of any kind, that waits for its turn only. Null: it cannot be made now, and waits. */
    offerDue: (invoice: Invoice) =>
      Effect.catchTag(atProvider(invoice), [...unmade, "LinkSoldOut"], () => Effect.succeed(null))
  }
})

/** Offers a waiting invoice when a person asks for its code, or when it is due. */
export class OfferOnOpen extends Context.Service<OfferOnOpen, Effect.Success<typeof make>>()(
  "@tolem/core/OfferOnOpen"
) {
  /** The verb over the provider of the invoice's mode. */
  static readonly layer = Layer.effect(OfferOnOpen, make)
}

const unmade = [
  "InvoiceChanged",
  "InvoiceCreateFailed",
  "ProviderError",
  "NotLive",
  "ProviderSessionNotConfigured",
  "ConnectionNotActive",
  "ProviderSessionExpired"
] as const
