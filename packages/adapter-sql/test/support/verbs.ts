/** Every verb of every store, called with fixed values, so that what they send can be looked at. */
import { RateStore } from "@tolem/core/access/RateStore"
import { ProfileStore } from "@tolem/core/face/ProfileStore"
import {
  decideInvoice,
  type Invoice,
  type InvoiceChange,
  InvoiceCommand,
  invoiceCreated
} from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { PictureStore } from "@tolem/core/picture/PictureStore"
import * as RunDecisions from "@tolem/core/subscription/RunDecisions"
import { type Subscription, subscriptionCreated as subscribed } from "@tolem/core/subscription/Subscription"
import { type SubscriptionQuery, SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { sandboxQuota } from "@tolem/core/tariff/Tariff"
import { dayOf } from "@tolem/core/value/Calendar"
import { Tiyn } from "@tolem/core/value/Money"
import type { Job } from "@tolem/core/webhook/Webhook"
import { AttemptOutcome, type Settlement, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import {
  accountOf,
  apiKeyOf,
  attemptOf,
  deliveryOf,
  endpointOf,
  invoiceOf,
  organizationOf,
  queryOf,
  refundOf,
  startAt
} from "@tolem/testing/fixtures"
import { pictureOf, profileOf } from "@tolem/testing/storage/ProfileCases"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Redacted, Result } from "effect"
import { cashiers } from "./verbsOfCashiers.ts"
import { feeds, reactions } from "./verbsOfFeed.ts"
import { mailsOf, sandboxes } from "./verbsOfLetters.ts"
import { formRefusals, hooks, links } from "./verbsOfLinks.ts"
import { logins } from "./verbsOfLogins.ts"
import { chats, notices } from "./verbsOfNotices.ts"
import { backlogs, clocks, integrity, seals, servers, works } from "./verbsOfOperators.ts"
import { audit, consoles, directory, invitations, operators, requests } from "./verbsOfPeople.ts"
import { reconciliations } from "./verbsOfReconciliation.ts"
import { concerns, listeners, movements, refundLists, reports, statementLetters } from "./verbsOfReports.ts"
import { partners, payouts, tariffs } from "./verbsOfTariffs.ts"

const owner = accountOf({ id: "acc_1", phone: "77001234567" })
const organization = organizationOf(owner, { id: "org_shop" })
const key = apiKeyOf("org_shop", { id: "key_1", digest: "d1" })
const among = { tenants: [{ organizationId: "org_shop", mode: "sandbox" as const }], each: 5 }
const shop = { organizationId: "org_shop", mode: "sandbox" as const }

const creationOf = (invoice: Invoice) => ({
  invoice,
  event: invoiceCreated(invoice, { now: startAt, eventId: `evt_of_${invoice.id}`, source: "api" })
})
const fresh = creationOf(invoiceOf({ id: "inv_1", idempotencyKey: "k1", externalOrderId: "order-1" }))
const live = creationOf(invoiceOf({ id: "inv_3", mode: "live", connectionId: "con_1", dueAt: null }))
const ofLink = creationOf(invoiceOf({ id: "inv_ofLink", origin: { kind: "payment-link", id: "lnk_1" } }))
const waiting = creationOf(
  invoiceOf({
    id: "inv_5",
    mode: "live",
    status: "new",
    stage: "waits",
    origin: ofLink.invoice.origin,
    countedOn: null
  })
)
const codeMade = {
  previous: waiting.invoice,
  next: { ...waiting.invoice, stage: "asked", countedOn: dayOf(startAt), version: 2 },
  event: null,
  refund: null
} as const
const inSandbox = creationOf(invoiceOf({ id: "inv_4" }))
const replay = creationOf(invoiceOf({ id: "inv_2", idempotencyKey: "k1" }))

const changeOf = (invoice: Invoice, command: InvoiceCommand, eventId: string): InvoiceChange =>
  Result.getOrThrow(decideInvoice(invoice, command, { now: startAt + 1000, eventId, source: "api" }))
const paid = changeOf(fresh.invoice, InvoiceCommand.Pay({ paidAt: startAt }), "evt_paid")
const unmade = changeOf({ ...live.invoice, status: "new" }, InvoiceCommand.Fail(), "evt_unmade")
const refund = refundOf(fresh.invoice, 100, { id: "ref_1" })
const refunded = changeOf(
  { ...paid.next, receiptNumber: "00000001" },
  InvoiceCommand.Refund({ refund }),
  "evt_refunded"
)

const endpoint = endpointOf({ id: "whe_1" })
const doomed = endpointOf({ id: "whe_2" })
const resend = deliveryOf(endpoint, paid.event, { id: "dlv_2" })
const term = { now: startAt + 5000, until: startAt + 9000, lease: "att_1", asideMs: 1000 }
const request = { ...term, endpoints: ["whe_1", "whe_9"], each: 1 }
const pauseUntil = startAt + 60_000

const settlement = (job: Job, number: number, outcome: AttemptOutcome): Settlement => ({
  job,
  attempt: attemptOf({ number }),
  outcome
})

const invoices = Effect.map(InvoiceStore, (store) => ({
  "insertMany, created": store.insertMany([fresh]),
  "insertMany, sandbox counted": store.insertMany([{ ...inSandbox, quota: sandboxQuota(5, startAt) }]),
  "insertMany, of a link": store.insertMany([ofLink]),
  "insertMany, counted": store.insertMany([{ ...live, quota: { monthlyLimit: 5, dailyLimit: 5 } }]),
  "insertMany, replayed": store.insertMany([replay]),
  find: store.find("inv_1"),
  findKey: store.findKey({ organizationId: "org_shop", mode: "sandbox" }, "k1"),
  list: store.list(queryOf()),
  "list of statuses": store.list(queryOf({ statuses: ["pending", "paid"] })),
  "list of a cashier": store.list(queryOf({ mode: "live", connectionId: "con_1" })),
  "list of an order": store.list(queryOf({ externalOrderId: "order-1" })),
  "list of a time and a status": store.list(queryOf({ statuses: ["pending"], from: startAt, to: startAt })),
  "list of a search": store.list(queryOf({ search: "INV_1" })),
  "list of a search for a long number": store.list(queryOf({ search: "ORD-9F3B1C77D2" })),
  "claim of invoices": store.claim(startAt + 200_000, startAt + 300_000, 10),
  "claim of invoices that ask nothing": store.claim(startAt, startAt, 10, undefined, "unasked"),
  rescheduleMany: store.rescheduleMany([{ id: "inv_1", version: 1, dueAt: startAt, providerStatus: "SCANNED" }])
}))

const changes = Effect.map(InvoiceStore, (store) => ({
  "commitMany, paid": store.commitMany([paid]),
  "commitMany, refunded": store.commitMany([refunded]),
  "recount, of a visitor": Effect.andThen(
    store.insertMany([waiting]),
    store.recount(codeMade, { monthlyLimit: 5, dailyLimit: 5, visitorsPart: 1 / 5 })
  ),
  recount: store.recount(unmade, null),
  details: store.details(["inv_1"]),
  versions: store.versions(["inv_1"]),
  history: store.history("org_shop", "inv_1"),
  findSold: store.findSold("inv_1"),
  findRefund: store.findRefund("ref_1")
}))

const profiles = Effect.map(ProfileStore, (store) => ({
  find: store.find("org_shop"),
  replace: store.replace(profileOf("org_shop"), null, auditOf({ action: "organization.changed" })),
  "replace with a logo": store.replace(
    profileOf("org_shop", { version: 2, logo: "pic_1" }),
    pictureOf("org_shop"),
    auditOf({ action: "organization.logo_set" })
  )
}))

const pictures = Effect.map(PictureStore, (store) => ({ find: store.find("pic_1") }))

const merchants = Effect.map(MerchantStore, (store) => ({
  addOrganization: store.addOrganization(organization, owner),
  "addOrganization of a name": store.addOrganization({ ...organization, id: "org_named" }, owner, {
    externalKey: "shop"
  }),
  organization: store.organization("org_shop"),
  owned: store.owned("org_shop"),
  setMode: store.setMode("org_shop", "live", auditOf({ action: "organization.mode_switched" })),
  organizationCount: store.organizationCount,
  "setStatus of an account": store.setStatus({ account: "acc_1", status: "active" }, startAt),
  "setStatus of an account that is blocked": store.setStatus({ account: "acc_1", status: "blocked" }, startAt),
  "setStatus of an organization": store.setStatus({ organization: "org_shop", status: "active" }, startAt),
  addKey: store.addKey(key, 20),
  noteUses: store.noteUses([{ keyId: "key_1", usedAt: startAt }]),
  findKeys: store.findKeys(["d1"]),
  keys: store.keys("org_shop"),
  bindKey: store.bindKey("org_shop", "key_1", "con_1"),
  removeKey: store.removeKey("key_1")
}))

const rates = Effect.map(RateStore, (store) => ({
  hitMany: store.hitMany([{ subject: "key_1", kind: "read", windowAt: startAt }]),
  takeMany: store.takeMany([{ subject: "visitors/live/org_1", kind: "invoice", windowAt: startAt, room: 200 }]),
  forget: store.forget(startAt, 200)
}))

const endpoints = Effect.map(WebhookStore, (store) => ({
  addEndpoint: Effect.forEach([endpoint, doomed], (each) => store.addEndpoint(each, 10)),
  "addEndpoint that is not known": store.addEndpoint(endpoint, 10, undefined, { unlessKnown: true }),
  endpoints: store.endpoints(shop),
  organizationOf: store.organizationOf("whe_1"),
  patchEndpoint: store.patchEndpoint(shop, "whe_1", { secret: Redacted.make("whsec_2") }, startAt - 90_000),
  removeEndpoint: store.removeEndpoint(shop, "whe_2", startAt)
}))

const deliveries = Effect.map(WebhookStore, (store) => ({
  addDelivery: store.addDelivery(resend),
  deliveries: store.deliveries({ endpointId: "whe_1", status: null, limit: 10, offset: 0 }),
  "deliveries of a status": store.deliveries({ endpointId: "whe_1", status: "pending", limit: 10, offset: 0 }),
  delivery: store.delivery("whe_1", "dlv_2"),
  dueOf: store.dueOf([shop], startAt + 5000),
  due: store.due({ now: startAt + 5000, after: "whe_0", limit: 10 }),
  "claim of deliveries, and release": Effect.gen(function* () {
    yield* store.release(yield* store.claim(request), startAt)
  }),
  "reclaim of deliveries": Effect.gen(function* () {
    yield* store.claim({ ...request, until: startAt })
    yield* store.release(yield* store.reclaim({ ...term, limits: [8, 1] }), startAt)
    yield* store.release(yield* store.reclaim({ ...term, limits: [] }), startAt)
  }),
  "settleMany, pausing": Effect.gen(function* () {
    const [job] = yield* store.claim(request)
    yield* store.settleMany([settlement(job!, 1, AttemptOutcome.Retry({ dueAt: pauseUntil, pauseUntil }))], startAt)
  }),
  takeProbe: store.takeProbe("whe_1", pauseUntil, pauseUntil + 1),
  "settleMany, lifting": Effect.gen(function* () {
    const later = { ...request, now: pauseUntil + 2, until: pauseUntil + 9 }
    const [job] = yield* store.claim(later)
    yield* store.settleMany([settlement(job!, 2, AttemptOutcome.Delivered())], pauseUntil + 3)
  }),
  "settleMany, arrived": Effect.andThen(
    store.addDelivery({ ...resend, id: "dlv_3" }),
    Effect.flatMap(store.claim({ ...request, now: pauseUntil + 10, until: pauseUntil + 20 }), ([job]) =>
      store.settleMany([settlement(job!, 1, AttemptOutcome.Delivered())], pauseUntil + 11)
    )
  ),
  "tend months": store.tendMonths(startAt, { attempts: startAt, deliveries: startAt }),
  "gather deliveries": store.gatherDeliveries(200),
  "forget attempts": store.forgetAttempts(startAt + 1, 200),
  "forget bodies": store.forgetBodies({
    before: pauseUntil + 9e9,
    limit: 200,
    after: { startedAt: startAt - 1, deliveryId: "dlv_0", number: 1 }
  }),
  "forget deliveries": store.forgetDeliveries({ before: pauseUntil + 9e9, limit: 200, after: null })
}))

// As long as real ones: a rule cuts it out of idempotency keys.
const subscriptionId = "sub_00000000000000000000000001"
const subscription: Subscription = {
  id: subscriptionId,
  organizationId: "org_shop",
  mode: "sandbox",
  connectionId: null,
  status: "active",
  amount: Tiyn(50_000),
  kind: "qr",
  description: null,
  customer: { name: null, phone: null, email: null },
  metadata: null,
  interval: "day",
  every: 1,
  dayOfMonth: null,
  anchorAt: startAt,
  retryHours: [1],
  misfire: "run_once",
  nextIndex: 0,
  nextRunAt: startAt,
  lastRunAt: null,
  lastInvoiceId: null,
  runs: 0,
  maxRuns: null,
  faults: 0,
  fault: null,
  idempotencyKey: null,
  fingerprint: null,
  dueAt: startAt,
  createdAt: startAt,
  updatedAt: startAt,
  sequence: 1,
  version: 1
}
const place = { kind: "subscription", id: subscriptionId, run: 1, attempt: 0 } as const
const runInvoice = creationOf(invoiceOf({ id: "inv_9", origin: place }))
const mail = NewMail.about({ ...runInvoice.invoice, customer: { email: "a@b.kz" } }, "invoice", "mai_1", startAt)
const ran = RunDecisions.runMade(
  subscription,
  { creation: runInvoice, mail, due: null, issueAt: null },
  { now: startAt, eventIds: ["evt_s2", "evt_s3"], source: "schedule" }
)
const expired = changeOf(runInvoice.invoice, InvoiceCommand.Expire(), "evt_expired")

const listed: SubscriptionQuery = {
  ...shop,
  connectionId: "con_1",
  statuses: ["active"],
  search: null,
  isStuck: false,
  limit: 10,
  offset: 0
}
const dated = { ...shop, connectionId: null, before: startAt + 9e9, after: null, rows: 10 }

const subscriptions = Effect.map(Effect.all([SubscriptionStore, InvoiceStore]), ([store, invoices]) => ({
  "insert of a subscription": store.insert(subscription, subscribed(subscription, "evt_s1", "api")),
  "commitMany of subscriptions": store.commitMany([ran]),
  "commitMany, waking a run": invoices.commitMany([expired]),
  "find a subscription": store.find(subscriptionId),
  "list subscriptions": store.list(listed),
  "search subscriptions": store.list({ ...listed, search: "Әлия 50%" }),
  "list subscriptions that are stuck": store.list({ ...listed, connectionId: null, statuses: [], isStuck: true }),
  "sums of subscriptions": store.sums({ ...shop, connectionId: null }),
  "schedule of subscriptions": store.schedule(dated),
  "schedule of subscriptions, further on": store.schedule({ ...dated, after: { nextRunAt: startAt, id: "sub_1" } }),
  "scheduled subscriptions": store.scheduled(dated),
  "runs of a subscription": store.runs(subscriptionId, null, 10),
  "earlier runs of a subscription": store.runs(subscriptionId, 5, 10),
  "detail of a subscription": store.detail(subscriptionId),
  "claim of subscriptions": store.claim(startAt + 5, startAt + 9, 10),
  "claim of subscriptions of a tenant": store.claim(startAt + 5, startAt + 9, 10, among),
  "claim of runs": store.claimRuns(startAt + 9e9, startAt + 9e9, 10),
  "claim of runs of a tenant": store.claimRuns(startAt, startAt, 10, among),
  "waiting for subscriptions": store.waiting(startAt, ""),
  "waiting for runs": store.waitingRuns(startAt, ""),
  "claim of invoices of a tenant": invoices.claim(startAt, startAt, 10, among),
  "waiting for invoices": invoices.waiting(startAt, "")
}))

/** The verbs by name, in an order in which each finds what it needs. */
export const verbs = Effect.map(
  Effect.all([
    cashiers,
    merchants,
    profiles,
    pictures,
    directory,
    invitations,
    operators,
    consoles,
    tariffs,
    payouts,
    partners,
    audit,
    rates,
    requests,
    endpoints,
    invoices,
    changes,
    deliveries,
    reports,
    movements,
    refundLists,
    statementLetters,
    notices,
    chats,
    concerns,
    listeners,
    subscriptions,
    reactions,
    feeds,
    mailsOf(mail!),
    clocks,
    links,
    hooks,
    formRefusals,
    logins,
    sandboxes,
    reconciliations,
    backlogs,
    servers,
    works,
    integrity,
    seals
  ]),
  (groups) => groups.flatMap((group): Array<[string, Effect.Effect<unknown, unknown>]> => Object.entries(group))
)
