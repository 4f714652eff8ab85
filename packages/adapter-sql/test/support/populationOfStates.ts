/** The part of the population that shows what else can become of an invoice, a subscription, an endpoint and people. */
import { FormHookStore } from "@tolem/core/formhook/FormHookStore"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore, type Write } from "@tolem/core/invoice/InvoiceStore"
import { begin, recordOnly, succeed } from "@tolem/core/invoice/live/LiveRefund"
import { decideRefund } from "@tolem/core/invoice/Refund"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import * as Subscriptions from "@tolem/core/subscription/Subscription"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { Tiyn } from "@tolem/core/value/Money"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import {
  apiKeyOf,
  changeOf,
  creationOf,
  endpointOf,
  formHookOf,
  paymentLinkOf,
  refundOf,
  startAt
} from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Result } from "effect"
import { subscription } from "./populationInTime.ts"

const live = { mode: "live", connectionId: "con_1", status: "new" } as const

const commit = (write: Write) =>
  InvoiceStore.use((store) => Effect.map(store.commitMany([write]), ([result]) => Result.getOrThrow(result!)))

const changed = (invoice: Invoice, command: InvoiceCommand) => commit(changeOf(invoice, command))

const pay = InvoiceCommand.Pay({ paidAt: startAt + 500 })

const sandboxEnds = Effect.gen(function* () {
  const ends = {
    inv_cancelled: InvoiceCommand.Cancel(),
    inv_expired: InvoiceCommand.Expire(),
    inv_failed: InvoiceCommand.Fail()
  }
  const creations = Object.keys(ends).map((id) => creationOf({ id }))
  const full = creationOf({ id: "inv_full" })
  yield* InvoiceStore.use((store) => store.insertMany([...creations, full]))
  for (const [index, command] of Object.values(ends).entries()) yield* changed(creations[index]!.invoice, command)
  const paid = yield* changed(full.invoice, pay)
  yield* changed(paid, InvoiceCommand.Refund({ refund: refundOf(paid, paid.amount, { id: "ref_full" }) }))
})

/** A live invoice that the provider has taken. */
const offered = Effect.fnUntraced(function* (id: string) {
  const creation = creationOf({ ...live, id })
  yield* InvoiceStore.use((store) => store.insertMany([creation]))
  const offer = { reference: `P-${id}`, qrUrl: null, deepLink: null, expiresAt: startAt + 180_000 }
  return yield* changed(creation.invoice, InvoiceCommand.Offer({ offer }))
})

const liveEnds = Effect.gen(function* () {
  yield* offered("inv_live_open")
  yield* changed(yield* offered("inv_live_failed"), InvoiceCommand.Fail())
  yield* changed(yield* offered("inv_live_expired"), InvoiceCommand.Expire())
  const cancelled = yield* changed(yield* offered("inv_live_cancelled"), InvoiceCommand.Cancel())
  const unpaid = yield* changed(yield* offered("inv_live_late"), InvoiceCommand.Expire())
  const receipt = (number: string) => ({ number, url: "https://provider.kz/r" })
  yield* changed(unpaid, InvoiceCommand.Pay({ paidAt: startAt + 700, receipt: receipt("R-late") }))
  for (const [end, id] of [
    ["succeeded", "inv_live_refunded"],
    ["failed", "inv_live_tried"],
    ["pending", "inv_live_asked"]
  ] as const) {
    const paid = yield* changed(yield* offered(id), InvoiceCommand.Pay({ paidAt: startAt + 500, receipt: receipt(id) }))
    const asked = { id: `ref_${end}`, amount: null, reason: null, idempotencyKey: `back-${id}`, fingerprint: null }
    const { record, write } = Result.getOrThrow(begin(paid, [], asked, startAt + 5000))
    const begun = yield* commit({ ...write, audit: refundAudit(record.id, id, record.amount) })
    const at = startAt + 6000
    if (end === "failed") yield* commit(recordOnly(begun, decideRefund(record, end, at)!, at))
    if (end !== "succeeded") continue
    const done = { ...record, status: end, completedAt: startAt + 6000, providerReference: "B-1" } as const
    const circumstances = { now: startAt + 6000, eventId: "evt_live_refunded", source: "provider" } as const
    yield* commit(Result.getOrThrow(succeed(begun, done, circumstances)))
  }
  return cancelled
})

const refundAudit = (refundId: string, subject: string, amount: number) =>
  auditOf({ action: "refund.requested", subject, detail: JSON.stringify({ refundId, amount: amount / 100 }) })

const subscriptions = Effect.gen(function* () {
  const store = yield* SubscriptionStore
  const { Pause, Cancel, Patch } = Subscriptions.SubscriptionCommand
  const commands = { 2: [Pause()], 3: [Pause(), Cancel()], 4: [Patch({ patch: { amount: Tiyn(60_000) } })] }
  for (const [number, all] of Object.entries(commands)) {
    const id = `sub_0000000000000000000000000${number}`
    let current: Subscriptions.Subscription = { ...subscription, id, idempotencyKey: null, fingerprint: null }
    yield* store.insert(current, Subscriptions.subscriptionCreated(current, `evt_${id}`, "api"))
    for (const [index, command] of all.entries()) {
      const eventIds = [`evt_${id}_${index}a`, `evt_${id}_${index}b`] as const
      const circumstances = { now: startAt + 1000 * (index + 1), eventIds, source: "api" } as const
      const change = Result.getOrThrow(Subscriptions.decideSubscription(current, command, circumstances))
      const [written] = yield* store.commitMany([change!])
      current = Result.getOrThrow(written!).subscription
    }
  }
})

const reached = Effect.gen(function* () {
  const [store, merchants] = [yield* WebhookStore, yield* MerchantStore]
  const states = {
    whe_off: { disabled: true },
    whe_slow: { failureCount: 3, pauseCount: 1, pausedUntil: startAt + 60_000 },
    whe_live_2: { mode: "live", url: "https://shop.kz/other", events: ["invoice.paid"] }
  } as const
  for (const [id, members] of Object.entries(states)) {
    const endpoint = endpointOf({ id, ...members })
    yield* store.addEndpoint(endpoint, 10, auditOf({ action: "endpoint.created", subject: id, detail: endpoint.mode }))
  }
  for (const [id, mode] of [
    ["key_2", "sandbox"],
    ["key_live", "live"]
  ] as const) {
    const key = apiKeyOf("org_shop", { id, mode, scopes: ["invoices:read"], digest: id.padEnd(64, "0") })
    const detail = `${key.mode} ${key.scopes.join(" ")}`
    yield* merchants.addKey(key, 20, auditOf({ action: "key.created", subject: id, detail }))
  }
  const gone = apiKeyOf("org_shop", { id: "key_gone" })
  const made = auditOf({ action: "key.created", subject: gone.id, detail: `sandbox ${gone.scopes.join(" ")}` })
  yield* merchants.addKey(gone, 20, made)
  yield* merchants.removeKey("key_gone", auditOf({ action: "key.deleted", subject: "key_gone" }))
})

const people = Effect.gen(function* () {
  const directory = yield* DirectoryStore
  const audit = (action: "member.added" | "member.removed", detail: string | null) =>
    auditOf({ action, organizationId: "org_client", subject: "acc_developer", detail })
  const member = {
    organizationId: "org_client",
    accountId: "acc_developer",
    role: "developer",
    createdAt: startAt
  } as const
  yield* directory.setMember(member, audit("member.added", "developer"))
  yield* directory.removeMember("org_client", "acc_developer", audit("member.removed", null))
})

const publicThings = Effect.gen(function* () {
  const [links, hooks] = [yield* PaymentLinkStore, yield* FormHookStore]
  yield* links.add(paymentLinkOf({ id: "lnk_2", mode: "live", connectionId: "con_1", slug: "coffee" }), 10)
  const gone = paymentLinkOf({ id: "lnk_gone", slug: "milk", amount: Tiyn(100) })
  yield* links.add(gone, 10)
  yield* links.replace({ ...gone, status: "paused", updatedAt: startAt + 1, version: 2 })
  yield* links.remove("org_shop", "lnk_gone", startAt + 2)
  const paused = formHookOf({ id: "hok_2", status: "active" })
  yield* hooks.add(paused, 10)
  yield* hooks.replace({ ...paused, status: "paused", updatedAt: startAt + 1, version: 2 })
})

export const states = Effect.gen(function* () {
  yield* reached
  yield* people
  yield* sandboxEnds
  yield* liveEnds
  yield* subscriptions
  yield* publicThings
})
