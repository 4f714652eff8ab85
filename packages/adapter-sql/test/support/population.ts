/** One of everything, written through the ports as the use-cases would: every table has rows, and they agree. */
import { RateStore } from "@tolem/core/access/RateStore"
import { newStatementLetter } from "@tolem/core/cabinet/letter/StatementLetter"
import { StatementLetterStore } from "@tolem/core/cabinet/letter/StatementLetterStore"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import type { Stores } from "@tolem/core/engine/Engine"
import { noFace } from "@tolem/core/face/MerchantFace"
import { ProfileStore } from "@tolem/core/face/ProfileStore"
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { ReactionStore } from "@tolem/core/feed/ReactionStore"
import { FormHookStore } from "@tolem/core/formhook/FormHookStore"
import { FormRefusalStore } from "@tolem/core/formhook/FormRefusalStore"
import { InvitationStore } from "@tolem/core/invitation/InvitationStore"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore, type Write } from "@tolem/core/invoice/InvoiceStore"
import { begin, recordOnly } from "@tolem/core/invoice/live/LiveRefund"
import type { Refund } from "@tolem/core/invoice/Refund"
import { decideRefund } from "@tolem/core/invoice/Refund"
import { LoginStore } from "@tolem/core/login/LoginStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { noTerms } from "@tolem/core/merchant/Merchant"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { OperatorStore } from "@tolem/core/operator/OperatorStore"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import type { StoredPicture } from "@tolem/core/picture/PictureStore"
import { ServerStore } from "@tolem/core/platform/ServerStore"
import { compared } from "@tolem/core/reconciliation/Reconciliation"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { type Difference, newWorkItem, resolved } from "@tolem/core/reconciliation/WorkItem"
import { RequestLogStore } from "@tolem/core/requestlog/RequestLogStore"
import { Tiyn } from "@tolem/core/value/Money"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import {
  accountOf,
  apiKeyOf,
  attemptOf,
  changeOf,
  creationOf,
  endpointOf,
  formHookOf,
  organizationOf,
  paymentLinkOf,
  refundOf,
  startAt,
  testDeliveryOf
} from "@tolem/testing/fixtures"
import { invitationBounds, invitationOf } from "@tolem/testing/invitations"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { formRefusalOf, refusedFormsOf } from "@tolem/testing/storage/FormRefusalCases"
import { serverOf } from "@tolem/testing/storage/PlatformCases"
import { pictureOf, profileOf } from "@tolem/testing/storage/ProfileCases"
import { loggedHourOf, loggedRequestOf } from "@tolem/testing/storage/RequestLogCases"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer, Redacted, Result } from "effect"
import { subscriptions, tariffs } from "./populationInTime.ts"
import { told } from "./populationOfNotices.ts"
import { states } from "./populationOfStates.ts"

const shop = { organizationId: "org_shop", mode: "sandbox" as const }
const minuteMs = 60_000
const before = { createdAt: startAt - minuteMs, updatedAt: startAt - minuteMs }
const live = { mode: "live", connectionId: "con_1" } as const

const people = Effect.gen(function* () {
  const [merchants, directory, connections] = [yield* MerchantStore, yield* DirectoryStore, yield* ConnectionStore]
  const profiles = yield* ProfileStore
  const operator = accountOf({ id: "acc_operator", phone: "77000000001" })
  const referrer = accountOf({ id: "acc_referrer", phone: "77000000002" })
  const owner = accountOf({ id: "acc_owner", phone: "77000000003" })
  yield* directory.addAccount(referrer)
  yield* directory.addAccount(accountOf({ id: "acc_developer", phone: "77000000004" }))
  yield* merchants.addOrganization(organizationOf(operator, { id: "org_operator" }), operator)
  const members = { id: "org_shop", referredBy: referrer.id, tariff: "trial", tariffUntil: startAt + 1000 }
  yield* merchants.addOrganization(organizationOf(owner, members), owner)
  const client = organizationOf(owner, { id: "org_client", partnerId: "org_operator" })
  yield* merchants.addOrganization(client, owner, { idempotencyKey: "client-1" })
  const membership = {
    organizationId: "org_shop",
    accountId: "acc_developer",
    role: "developer",
    createdAt: startAt
  } as const
  yield* directory.setMember(
    membership,
    auditOf({ action: "member.added", subject: "acc_developer", detail: "developer" })
  )
  yield* directory.changeMember(
    { ...membership, connectionIds: ["con_1"], refundLimit: Tiyn(500_000) },
    { ...membership, ...noTerms },
    auditOf({ action: "member.added", subject: "acc_developer", detail: "developer" })
  )
  yield* OperatorStore.use((operators) =>
    operators.add(
      { accountId: owner.id, grantedAt: startAt, grantedBy: "root" },
      auditOf({ action: "operator.granted", subject: owner.id, organizationId: null })
    )
  )
  yield* InvitationStore.use((invitations) => {
    const offer = { id: "ivt_1", phone: "77000000009", role: "cashier", madeBy: owner.id } as const
    const terms = { connectionIds: ["con_1"], refundLimit: Tiyn(100) }
    return invitations.add(invitationOf({ ...offer, ...terms }), invitationBounds, auditOf())
  })
  for (const id of ["con_1", "con_2"]) {
    const audit = auditOf({ action: "connection.created", subject: id })
    yield* connections.add(connectionOf({ id, isDefault: id === "con_1" }), audit)
  }
  yield* connections.add(connectionOf({ id: "con_other", organizationId: "org_client" }))
  yield* connections.addLogin({
    id: "prc_1",
    connectionId: "con_1",
    organizationId: "org_shop",
    providerProcessId: "login-1",
    phone: null,
    tries: 0,
    expiresAt: startAt + 600_000,
    usedAt: null
  })
  const key = apiKeyOf("org_shop", { id: "key_1" })
  yield* merchants.addKey(
    key,
    20,
    auditOf({ action: "key.created", subject: key.id, detail: `${key.mode} ${key.scopes.join(" ")}` })
  )
  yield* merchants.bindKey(
    "org_shop",
    "key_1",
    "con_1",
    auditOf({ action: "key.bound", subject: "key_1", detail: "con_1" })
  )
  yield* merchants.setMode("org_shop", "live", auditOf({ action: "organization.mode_switched", detail: "live" }))
  yield* profiles.replace(
    profileOf("org_shop", { face: { ...noFace, colour: "#d0021b" }, logo: "pic_1" }),
    pictureOf("org_shop"),
    auditOf({ action: "organization.changed", subject: "org_shop", detail: "colour" })
  )
  yield* merchants.setStatus({ organization: "org_shop", status: "archived" }, startAt)
  yield* merchants.setStatus(
    { organization: "org_shop", status: "active" },
    startAt,
    auditOf({ action: "organization.restored", subject: "org_shop" })
  )
  yield* merchants.setStatus({ account: "acc_owner", status: "blocked" }, startAt)
  yield* merchants.setStatus(
    { account: "acc_owner", status: "active" },
    startAt,
    auditOf({ action: "account.unblocked", subject: "acc_owner" })
  )
  yield* entrance
})

const entrance = Effect.gen(function* () {
  const [logins, rates] = [yield* LoginStore, yield* RateStore]
  const challenge = {
    id: "chl_1",
    phone: "77000000003",
    channel: "console",
    digest: "d1",
    key: Redacted.make("k1"),
    addressDigest: "a1",
    tries: 0,
    createdAt: startAt,
    expiresAt: startAt + 300_000,
    usedAt: null
  }
  const session = {
    id: "ses_1",
    accountId: "acc_owner",
    digest: "d1",
    address: "198.51.100.7",
    userAgent: null,
    createdAt: startAt,
    seenAt: startAt,
    idleAt: startAt + 5000,
    expiresAt: startAt + 9000,
    revokedAt: null,
    freshUntil: startAt + 600
  }
  yield* logins.addChallenge(challenge, { waitMs: 1, perPhone: 1, perAddress: 1, periodMs: 5 })
  const account = accountOf({ id: "acc_owner", phone: "77000000003" })
  const audits = { entered: auditOf({ action: "login.succeeded" }), blocked: auditOf({ action: "login.failed" }) }
  const entry = { challengeId: "chl_1", now: startAt, account, session, maxSessions: 10, replaces: null, audits }
  yield* logins.enter(entry)
  yield* rates.hitMany([{ subject: "key_1", kind: "read", windowAt: startAt }])
  yield* RequestLogStore.use((log) => log.add([loggedHourOf([loggedRequestOf()])], 100))
})

const endpoints = Effect.gen(function* () {
  const store = yield* WebhookStore
  const previousSecret = { secret: Redacted.make("whsec_before"), until: startAt + 9e6 }
  const all = [
    endpointOf({ id: "whe_1", previousSecret, ...before }),
    endpointOf({ id: "whe_live", mode: "live", url: "https://shop.kz/hook", ...before }),
    endpointOf({ id: "whe_gone", ...before })
  ]
  for (const each of all) {
    yield* store.addEndpoint(each, 10, auditOf({ action: "endpoint.created", subject: each.id, detail: each.mode }))
  }
  const deleted = auditOf({ action: "endpoint.deleted", subject: "whe_gone", detail: "sandbox" })
  yield* store.removeEndpoint(shop, "whe_gone", startAt - minuteMs + 1, deleted)
  yield* store.addDelivery(testDeliveryOf(all[0]!, { id: "dlv_test" }))
})

const commit = (write: Write) =>
  InvoiceStore.use((store) => Effect.map(store.commitMany([write]), ([result]) => Result.getOrThrow(result!)))

const asked = ({ id, invoiceId, amount }: Refund) =>
  auditOf({
    action: "refund.requested",
    subject: invoiceId,
    detail: JSON.stringify({ refundId: id, amount: amount / 100 })
  })

const changed = (invoice: Invoice, command: InvoiceCommand) => commit(changeOf(invoice, command))

const refunded = (invoice: Invoice, id: string, amount: number) => {
  const refund = refundOf(invoice, amount, { id, reason: "broken", idempotencyKey: id })
  return commit({ ...changeOf(invoice, InvoiceCommand.Refund({ refund })), audit: asked(refund) })
}

const invoices = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const pay = InvoiceCommand.Pay({ paidAt: startAt + 500 })
  const full = {
    description: "Tea",
    externalOrderId: "order-1",
    customer: { name: "Aliya", phone: "77001234567", email: "a@b.kz" },
    metadata: '{"cart":[1]}',
    idempotencyKey: "key-1",
    fingerprint: "f".repeat(64),
    successUrl: "https://shop.kz/thanks",
    failUrl: "https://shop.kz/sorry",
    qrUrl: "https://pay.kz/q",
    deepLink: "app://pay"
  }
  const paid = creationOf({ id: "inv_paid", ...full })
  const open = creationOf({ id: "inv_open" })
  const late = creationOf({ id: "inv_late" })
  const other = creationOf({ id: "inv_other", idempotencyKey: "key-2" })
  const push = creationOf({ ...live, id: "inv_push", kind: "phone", customer: full.customer, status: "new" })
  const code = creationOf({ ...live, id: "inv_code", status: "new" })
  const waiting = creationOf({ ...live, id: "inv_wait", status: "new", dueAt: null, idempotencyKey: "link/1/inv_wait" })
  yield* store.insertMany([paid, open, late, other, push, code, waiting])
  yield* refunded(yield* refunded(yield* changed(paid.invoice, pay), "ref_1", 40_000), "ref_2", 10_000)
  yield* changed(other.invoice, pay)
  yield* changed(yield* changed(late.invoice, InvoiceCommand.Expire()), pay)
  for (const [{ invoice }, reference] of [
    [push, "P-1"],
    [code, "P-2"]
  ] as const) {
    const offer = { reference, qrUrl: null, deepLink: null, expiresAt: startAt + 180_000 }
    const receipt = { number: `R-${reference}`, url: "https://provider.kz/r" }
    const offered = yield* changed(invoice, InvoiceCommand.Offer({ offer }))
    const settled = yield* changed(offered, InvoiceCommand.Pay({ paidAt: startAt + 500, receipt }))
    if (invoice.id === "inv_push") yield* unknownRefund(settled)
  }
})

const unknownRefund = Effect.fnUntraced(function* (invoice: Invoice) {
  const request = { id: "ref_unknown", amount: Tiyn(7_000), reason: null, idempotencyKey: "back-1", fingerprint: null }
  const { record, write } = Result.getOrThrow(begin(invoice, [], request, startAt + 5000))
  const begun = yield* commit({ ...write, audit: asked(record) })
  yield* commit(recordOnly(begun, decideRefund(record, "unknown", startAt + 6000)!, startAt + 6000))
})

/** What has been removed by its age is noted, long before anything that is there. */
const removals = Effect.gen(function* () {
  const store = yield* WebhookStore
  const at = startAt - 100 * minuteMs
  for (const id of ["dlv_old", "dlv_older"]) {
    yield* store.addDelivery(testDeliveryOf(endpointOf({ id: "whe_1" }), { id, createdAt: at, dueAt: at }))
  }
  const jobs = yield* claimDue(store, { now: at, until: at + 20_000 })
  const attempt = attemptOf({ startedAt: at, status: 200 })
  yield* store.settleMany(
    jobs.map((job) => ({ job, attempt, outcome: AttemptOutcome.Delivered() })),
    at
  )
  yield* store.forgetAttempts(at + 1, 1)
  yield* store.forgetBodies({ before: at + 1, limit: 9, after: null })
  yield* store.forgetDeliveries({ before: at + 1, limit: 9, after: null })
})

const deliveries = Effect.gen(function* () {
  const store = yield* WebhookStore
  yield* removals
  const first = yield* claimDue(store, { now: startAt + 10_000, until: startAt + 30_000 })
  const settlements = first.map((job, index) => ({
    job,
    attempt: attemptOf(index === 0 ? { error: "timeout", status: null } : { status: 200 }),
    outcome:
      index === 0
        ? AttemptOutcome.Retry({ dueAt: startAt + 90_000, pauseUntil: startAt + 90_000 })
        : AttemptOutcome.Delivered()
  }))
  yield* store.settleMany(settlements.toReversed(), startAt + 11_000)
})

const linkPicture: StoredPicture = {
  id: "1".repeat(40),
  organizationId: "org_shop",
  contentType: "image/jpeg",
  bytes: new Uint8Array([0xff, 0xd8]),
  width: 3,
  height: 2,
  createdAt: startAt
}

const publicThings = Effect.gen(function* () {
  const urls = { successUrl: "https://shop.kz/thanks", failUrl: "https://shop.kz/sorry" }
  const guards = { allowedOrigins: ["https://shop.kz"], honeypot: "website" }
  const [links, hooks] = [yield* PaymentLinkStore, yield* FormHookStore]
  yield* links.add(
    paymentLinkOf({ id: "lnk_1", slug: "tea", amount: Tiyn(90_000), connectionId: "con_1", ...urls }),
    10
  )
  const asking = {
    minAmount: Tiyn(100),
    maxAmount: Tiyn(900),
    presets: [Tiyn(500)],
    fields: { name: "required", phone: "off", email: "off", comment: "off" },
    thankYou: "Рақмет",
    picture: { name: linkPicture.id, width: 3, height: 2 },
    maxPayments: 3,
    opensAt: startAt - minuteMs,
    closesAt: startAt + minuteMs
  } as const
  yield* links.add(paymentLinkOf({ id: "lnk_asking", slug: "milk-and-tea", ...asking }), 10, linkPicture)
  const invoices = yield* InvoiceStore
  const taker = {
    linkId: "lnk_asking",
    invoiceId: "inv_linked",
    visitor: "10.0.0.1",
    mostBeside: 0,
    restMs: 0
  } as const
  yield* links.takePlace({ ...taker, now: startAt, askedAt: startAt, freshMs: 0 })
  yield* invoices.insertMany([creationOf({ id: "inv_linked", origin: { kind: "payment-link", id: "lnk_asking" } })])
  yield* hooks.add(formHookOf({ id: "hok_1", connectionId: "con_1", ...urls, ...guards }), 10)
  const refusal = formRefusalOf({ names: ["summa"], site: "https://shop.kz" })
  yield* FormRefusalStore.use((store) => store.add([refusedFormsOf([refusal])], 20))
})

/** A day that was compared, with a difference that a person has looked into. */
const reconciled = Effect.gen(function* () {
  const store = yield* ReconciliationStore
  const of = { organizationId: "org_shop", connectionId: "con_1", day: "2026-01-01" }
  const side = { payments: 1, paid: 500, refunds: 0, refunded: 0 }
  const row = yield* store.ask(of, startAt, auditOf({ action: "reconciliation.asked", subject: "con_1" }))
  const difference: Difference = {
    subject: "payment m-1",
    kind: "amount_differs",
    cause: "amounts",
    payment: "P-1",
    invoiceId: "inv_push",
    refundId: null,
    amountHere: Tiyn(150_000),
    amountThere: Tiyn(150_001)
  }
  const item = newWorkItem("wki_1", of, difference, startAt)
  const reconciliation = compared(row, { here: side, there: side }, startAt)
  yield* store.settle({ reconciliation, added: [item], changed: [], records: [] })
  const ending = { resolution: "accepted", resolvedBy: "acc_owner", note: "Seen", now: startAt } as const
  yield* store.replaceItem(resolved(item, ending), auditOf({ action: "work_item.accepted", subject: "wki_1" }))
})

/** The owner has the statement of each month by letter. */
const lettered = StatementLetterStore.use((store) => {
  const row = newStatementLetter({ organizationId: "org_shop", accountId: "acc_owner" }, startAt)
  return store.add(row, auditOf({ action: "statement_letters.chosen", subject: "acc_owner" }))
})

export const populate = Effect.gen(function* () {
  yield* people
  yield* endpoints
  yield* invoices
  yield* deliveries
  yield* subscriptions
  yield* tariffs
  yield* publicThings
  yield* reconciled
  yield* lettered
  yield* told
  yield* ServerStore.use((store) => store.tell(serverOf({ id: "srv_1", endedAt: startAt })))
  yield* states
  yield* InvoiceStore.use((store) => store.claim(startAt + 366 * 86_400_000, startAt + 366 * 86_400_000 + minuteMs, 1))
  yield* ReactionStore.use((store) =>
    store.register({ name: "books", types: ["invoice.paid"], organizations: [] }, startAt - minuteMs)
  )
  // What others have written still waits for its places.
  yield* FeedStore.use((feed) => feed.place("org_shop", 1000))
})

/** Stores that hold one of everything, for tests that leave nothing behind. */
export const populated = <R, E>(stores: Layer.Layer<R | Stores, E>) =>
  Layer.provideMerge(Layer.effectDiscard(populate), stores)
