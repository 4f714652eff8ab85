/** Use-case: another code for a customer whose invoice of a link, hook or subscription ended without money. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { ConnectionNotActive, ProviderSessionExpired } from "../connection/ConnectionErrors.ts"
import { Connections } from "../connection/Connections.ts"
import type { NotLive, ProviderSessionNotConfigured } from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import { FormHooks, type HookNotFound, HookPaused } from "../formhook/FormHooks.ts"
import { Commits } from "../invoice/Commits.ts"
import { LinkSoldOut } from "../invoice/changes/LinkShare.ts"
import { type Invoice, invoiceCreated, isOpen } from "../invoice/Invoice.ts"
import { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { InvoiceStore, insertOne } from "../invoice/InvoiceStore.ts"
import type { Origin } from "../invoice/Origin.ts"
import * as Succession from "../invoice/succession/Succession.ts"
import { LinkInvalid, type LinkSight, PaymentLinks } from "../paymentlink/PaymentLinks.ts"
import { SubscriptionRuns } from "../subscription/SubscriptionRuns.ts"
import { OverQuota } from "../tariff/Tariff.ts"
import { type QuotaError, Tariffs } from "../tariff/Tariffs.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import { Ids } from "../value/Ids.ts"
import { traced } from "../work/Spans.ts"

/** Why there is none now: no tariff, no cashier, no live mode, or the link or hook takes no payment. */
export type SuccessorError =
  | LinkInvalid
  | NonNullable<LinkSight["refusal"]>
  | HookNotFound
  | HookPaused
  | QuotaError
  | OverQuota
  | LinkSoldOut
  | NotLive
  | ProviderSessionNotConfigured
  | ConnectionNotActive
  | ProviderSessionExpired
  | StorageError

const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const links = yield* PaymentLinks
  const hooks = yield* FormHooks
  const runs = yield* SubscriptionRuns
  const commits = yield* Commits
  const connections = yield* Connections
  const tariffs = yield* Tariffs
  const { entering } = yield* SandboxClocks
  const ids = yield* Ids
  const settings = yield* InvoiceSettings

  /** What stands in the way at the link or hook itself, which may have been paused or removed since. */
  const admit = Effect.fnUntraced(function* (lost: Invoice) {
    const { origin } = lost
    if (origin?.kind === "form-hook") {
      const { hook } = yield* hooks.show(origin.id)
      if (hook.status === "paused") return yield* new HookPaused()
    }
    if (origin?.kind !== "payment-link") return
    const behind = yield* links.behind(lost)
    if (Option.isNone(behind)) return yield* new LinkInvalid()
    if (behind.value.refusal !== null) return yield* behind.value.refusal
  })

  const insert = Effect.fnUntraced(function* (lost: Invoice & { readonly origin: Origin }, number: number) {
    const isLive = lost.mode === "live"
    const quota = yield* tariffs.quota(lost)
    if (isLive) yield* connections.forCreate(lost.organizationId, lost.connectionId)
    const now = yield* Clock.currentTimeMillis
    const invoice = Succession.successorOf(lost, { id: yield* ids.next("inv"), now, number }, settings)
    const event = invoiceCreated(invoice, { now, eventId: yield* ids.next("evt"), source: "system" })
    const insertion = yield* insertOne(store, { invoice, event, quota: isLive ? null : quota }).pipe(
      traced("InvoiceStore.insertMany")
    )
    if (insertion._tag === "SoldOut") return yield* new LinkSoldOut()
    if (insertion._tag === "OverQuota") return yield* new OverQuota({ code: insertion.code })
    return insertion.invoice
  })

  const ofLink = Effect.fnUntraced(function* (lost: Invoice & { readonly origin: Origin }) {
    const chain = yield* Succession.chainOf(store, lost, settings)
    const newest = { ...(chain.at(-1) ?? lost), origin: lost.origin }
    const paid = chain.find(({ paidAt }) => paidAt !== null)
    if (paid !== undefined || isOpen(newest.status)) return paid ?? newest
    const number = Succession.placeOf(newest).number + 1
    const now = yield* Clock.currentTimeMillis
    if (number > settings.maxSuccessors || !Succession.isSucceedable(newest, now)) return newest
    yield* admit(newest)
    const made = yield* insert(newest, number)
    // A merchant's own request may have that key.
    if (Succession.placeOf(made).first !== Succession.placeOf(newest).first) return newest
    // Money that came for an earlier one in between has not seen this one.
    yield* commits.endSuccession(made)
    return Option.getOrElse(yield* store.find(made.id), () => made)
  })

  const next = Effect.fn("Successors.next")(function* (lost: Invoice): Effect.fn.Return<Invoice, SuccessorError> {
    const { origin } = lost
    if (origin === null) return lost
    if (origin.kind === "subscription") return yield* runs.renew(lost, origin)
    return Succession.isLinked(origin) ? yield* ofLink({ ...lost, origin }) : lost
  })

  return {
    /**
     * The invoice that the customer goes on with: one that is paid, or open, or a new one in the place of the newest,
     * and where there can be no other, the newest. May be repeated, and at once: there is one open successor at most.
     */
    next: entering(next)
  }
})

/** Leads from a lost invoice to the one that takes its place. */
export class Successors extends Context.Service<Successors, Effect.Success<typeof make>>()("@tolem/core/Successors") {
  /** The verb over the stores. */
  static readonly layer = Layer.effect(Successors, make)
}
