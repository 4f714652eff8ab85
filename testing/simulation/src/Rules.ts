/** What must hold after every history. Each broken promise is a line. */
import type { FieldRefused } from "@tolem/core/error/Refusals"
import type { StorageError } from "@tolem/core/error/StorageError"
import { isAnnounced, isNeverMade } from "@tolem/core/invoice/Consequences"
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import { toText } from "@tolem/core/invoice/Origin"
import type { OrganizationNotFound } from "@tolem/core/merchant/MerchantStore"
import type { Run } from "@tolem/core/subscription/Run"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import { dateOf, indexAfter } from "@tolem/core/value/Rhythm"
import { tenantKey } from "@tolem/core/value/Tenant"
import { claimDue } from "@tolem/testing/claims"
import { Effect, Option } from "effect"
import { brokenFeed, type FollowedFeeds, type FoundFeed, readFeed } from "./Follower.ts"
import type { Memory } from "./Merchant.ts"
import type { BankPayment } from "./Parts.ts"
import type { Receivers } from "./Receivers.ts"
import { brokenStatements, type FoundStatement, readStatement } from "./StatementRules.ts"
import type { Stored } from "./Stored.ts"
import { brokenSuccessions } from "./SuccessionRules.ts"
import { brokenTariffs, type FoundTariffs } from "./TariffRules.ts"
import type { Shop, World } from "./World.ts"

/** Everything that is stored, as a last reader finds it. */
export interface Found {
  readonly details: ReadonlyArray<InvoiceDetail>
  readonly feeds: ReadonlyArray<FoundFeed>
  /** Deliveries that were given up, by `address event`, each with at least one attempt in its log. */
  readonly givenUp: ReadonlySet<string>
  /** Deliveries that were taken. */
  readonly delivered: ReadonlySet<string>
  /** Ids of those that were given up because no attempt of them came to an end. */
  readonly unfinished: ReadonlySet<string>
  /** Addresses of each organization and mode. */
  readonly addresses: ReadonlyMap<string, ReadonlyArray<string>>
  /** What still falls due. */
  readonly due: ReadonlyArray<string>
  readonly subscriptions: ReadonlyArray<Subscribed>
  readonly findings: ReadonlyArray<string>
  readonly shops: ReadonlyArray<Shop>
  readonly tariffs: FoundTariffs
  readonly statements: ReadonlyArray<FoundStatement>
}

/** A subscription with its runs. */
interface Subscribed {
  readonly subscription: Subscription
  readonly runs: ReadonlyArray<Run>
}

const all = 100_000
const never = 9_000_000_000_000

const readTariffs = Effect.fnUntraced(function* ({ shops }: World, { tariffs }: Stored["engine"]) {
  const owners = yield* Effect.forEach(shops, ({ organizationId }) => tariffs.standing(organizationId))
  return { organizations: owners.map(({ organization }) => organization), earnings: yield* tariffs.earnings(null) }
})

/** Reads all that is stored. */
export const read = Effect.fnUntraced(function* (
  world: World,
  followed: FollowedFeeds,
  { engine, invoices, webhooks, subscriptions, movements }: Stored
): Effect.fn.Return<Found, StorageError | OrganizationNotFound | FieldRefused> {
  const feeds: Array<FoundFeed> = []
  const details: Array<InvoiceDetail> = []
  const subscribed: Array<Subscribed> = []
  const delivered = new Set<string>()
  const givenUp = new Set<string>()
  const unfinished = new Set<string>()
  const addresses = new Map<string, ReadonlyArray<string>>()
  const everything = { statuses: [], externalOrderId: null, search: null, from: null, to: null, limit: all, offset: 0 }
  for (const { organizationId } of world.shops) {
    for (const mode of ["live", "sandbox"] as const) {
      const tenant = { organizationId, mode }
      feeds.push({
        tenant,
        followed: yield* readFeed(engine, tenant, followed.get(tenantKey(tenant))),
        whole: yield* readFeed(engine, tenant)
      })
      const page = yield* invoices.list({ ...everything, organizationId, mode, connectionId: null })
      for (const { id } of page.invoices) {
        const { events, refunds } = yield* invoices.history(organizationId, id)
        details.push({ invoice: page.invoices.find((one) => one.id === id)!, events, refunds })
      }
      const viewer = { organizationId, mode, connectionId: null }
      const query = { ...viewer, statuses: [], search: null, isStuck: false, limit: all, offset: 0 }
      for (const { id } of (yield* subscriptions.list(query)).subscriptions) {
        subscribed.push(Option.getOrThrow(yield* subscriptions.detail(id)))
      }
      const endpoints = yield* webhooks.endpoints({ organizationId, mode })
      addresses.set(
        `${organizationId} ${mode}`,
        endpoints.map(({ url }) => url)
      )
      for (const { id: endpointId, url } of endpoints) {
        const { deliveries } = yield* webhooks.deliveries({ endpointId, status: null, limit: all, offset: 0 })
        for (const { id, eventId, status, attemptCount } of deliveries) {
          if (status === "delivered") delivered.add(`${url} ${eventId}`)
          if (status !== "failed" || attemptCount === 0) continue
          givenUp.add(`${url} ${eventId}`)
          const { attempts } = Option.getOrThrow(yield* webhooks.delivery(endpointId, id))
          if (attempts.at(-1)?.error === "unfinished") unfinished.add(id)
        }
      }
    }
  }
  const dueInvoices = yield* invoices.claim(never, never + 1, all)
  const dueJobs = yield* claimDue(webhooks, { now: never, until: never + 1, limit: all })
  const dueRuns = yield* subscriptions.claimRuns(never, never + 1, all)
  const findings = yield* engine.integrity.findings
  const statements = yield* Effect.forEach(feeds, ({ tenant }) => readStatement(movements, tenant, details))
  return {
    details,
    feeds,
    delivered,
    givenUp,
    unfinished,
    addresses,
    subscriptions: subscribed,
    shops: world.shops,
    tariffs: yield* readTariffs(world, engine),
    statements: statements.flat(),
    due: [
      ...dueRuns.map(({ run }) => `run ${run.run} of ${run.subscriptionId} (${run.status})`),
      ...dueInvoices.map(({ id, status, kind, mode }) => `${mode} ${kind} invoice ${id} (${status})`),
      ...dueJobs.map(({ delivery }) => `delivery ${delivery.id}`)
    ],
    findings: findings.map(({ rule, subject, detail }) => `${rule} ${subject} ${detail}`)
  }
})

/** The promises that were broken. */
export const broken = (
  receivers: Receivers,
  memory: Memory,
  found: Found,
  payments: ReadonlyArray<BankPayment>
): ReadonlyArray<string> => [
  ...found.findings.map((finding) => `verify: ${finding}`),
  ...found.due.map((what) => `never comes to rest: ${what}`),
  ...brokenCreates(memory, found),
  ...found.feeds.flatMap((feed) => brokenFeed(feed, found.details)),
  ...payments.flatMap((payment) => brokenPayment(payment, found)),
  ...found.details.flatMap((detail) => brokenInvoice(detail, payments, memory)),
  ...brokenSubscriptions(memory, found),
  ...brokenSuccessions(found.details, skewMs),
  ...brokenEnds(receivers, found),
  ...brokenStatements(found.statements),
  ...brokenTariffs(found.shops, found.details, found.tariffs),
  ...found.details.flatMap((detail) => brokenDeliveries(receivers, detail, found))
]

const brokenCreates = ({ created, keys }: Memory, { details }: Found): ReadonlyArray<string> => {
  const stored = new Map(details.map(({ invoice }) => [invoice.id, invoice]))
  const lost = created.filter(({ id, amount }) => stored.get(id)?.amount !== amount)
  const doubled = Array.from(keys).filter(([, ids]) => ids.size > 1)
  return [
    ...lost.map(({ id }) => `${id} was acknowledged and is lost`),
    ...doubled.map(([key, ids]) => `the key ${key} made ${[...ids].join(" and ")}`)
  ]
}

const brokenPayment = (payment: BankPayment, { details }: Found): ReadonlyArray<string> => {
  const detail = details.find(({ invoice }) => invoice.id === payment.ours)
  if (detail === undefined) return [`${payment.reference} was made for ${payment.ours}, which is unknown`]
  const { invoice, refunds } = detail
  const wanted = payment.paid ? 1 : 0
  const paid = paidCount(detail)
  const returned = payment.refunds.reduce((sum, { amount }) => sum + amount, 0)
  const unresolved = refunds.filter(({ status }) => status === "pending" || status === "unknown")
  return [
    ...(paid === wanted ? [] : [`${invoice.id}: the customer paid ${wanted} times, and it became paid ${paid} times`]),
    ...(invoice.refunded === returned ? [] : [`${invoice.id}: ${returned} went back, and it says ${invoice.refunded}`]),
    ...unresolved.map(({ id, status }) => `${invoice.id}: the refund ${id} stays ${status}`)
  ]
}

const paidCount = ({ events }: InvoiceDetail): number => events.filter(({ type }) => type === "invoice.paid").length

const brokenInvoice = (
  detail: InvoiceDetail,
  payments: ReadonlyArray<BankPayment>,
  { refunded }: Memory
): ReadonlyArray<string> => {
  const { invoice, refunds } = detail
  const payment = payments.find(({ ours }) => ours === invoice.id)
  const phantom = invoice.mode === "live" && payment === undefined && paidCount(detail) > 0
  // One that came to nothing has given its key back, so that the same request may be tried again.
  const keys = refunds.flatMap(({ idempotencyKey, status }) => (status === "failed" ? [] : (idempotencyKey ?? [])))
  const made = payment?.refunds ?? []
  const ours = made.flatMap((refund) => refund.ours ?? [])
  const lies = refunds.filter(
    ({ id, status }) => invoice.mode === "live" && (status === "succeeded") !== made.some(({ ours }) => ours === id)
  )
  const outside = (id: string) => refunds.find((one) => one.id === id)?.idempotencyKey === null
  const lost = Array.from(refunded).filter((request) => {
    const [id, ...key] = request.split(" ")
    const isMade = refunds.some(
      ({ idempotencyKey, status }) => idempotencyKey === key.join(" ") && status === "succeeded"
    )
    return id === invoice.id && !isMade
  })
  const unmade = detail.events.some((event) => isNeverMade(event, invoice))
  const early = refunds.filter(({ createdAt, completedAt }) => completedAt !== null && completedAt < createdAt)
  return [
    ...(unmade && (invoice.idempotencyKey ?? invoice.countedOn) !== null
      ? [`${invoice.id} was never made, and keeps its key or its place in the quota`]
      : []),
    ...early.map(({ id }) => `${id} was completed before it was created`),
    ...(payments.filter((one) => one.ours === invoice.id).length > 1 ? [`${invoice.id} was made twice`] : []),
    ...(new Set(ours).size < ours.length ? [`${invoice.id}: the provider made a refund twice`] : []),
    ...(phantom ? [`${invoice.id} is paid, and no customer paid`] : []),
    ...(paidCount(detail) > 1 ? [`${invoice.id} became paid ${paidCount(detail)} times`] : []),
    ...(invoice.refunded > invoice.amount ? [`${invoice.id}: more went back than came`] : []),
    ...(new Set(keys).size < keys.length ? [`${invoice.id}: a refund was made twice for one request`] : []),
    ...lies.filter(({ id }) => !outside(id)).map(({ id, status }) => `${id} is ${status}, and the bank disagrees`),
    ...lost.map((request) => `the refund ${request} was acknowledged and did not succeed`)
  ]
}

const brokenSubscriptions = (memory: Memory, found: Found): ReadonlyArray<string> => {
  const stored = new Set(found.subscriptions.map(({ subscription }) => subscription.id))
  const lost = Array.from(memory.subscriptions).filter((id) => !stored.has(id))
  return [
    ...lost.map((id) => `${id} was acknowledged and is lost`),
    ...found.subscriptions.flatMap((one) => brokenRuns(one, found))
  ]
}

// The rhythm of these subscriptions never changes, so that every date of each is known.
const brokenRuns = ({ subscription, runs }: Subscribed, { details }: Found): ReadonlyArray<string> => {
  const { id, status, misfire, nextIndex } = subscription
  const origins = new Map(details.map(({ invoice }) => [invoice.id, invoice.origin]))
  const misplaced = runs.flatMap(({ run, invoiceIds }) =>
    invoiceIds.filter((invoice, attempt) => {
      const origin = origins.get(invoice)
      return !origin || toText(origin) !== `subscription/${id}/${run}/${attempt}`
    })
  )
  const dates = runs.flatMap(({ scheduledAt }) => scheduledAt ?? [])
  const early = runs.filter(({ scheduledAt, createdAt }) => scheduledAt !== null && createdAt + skewMs < scheduledAt)
  const unserved = status === "cancelled" && misfire === "run_once" && nextIndex > 0 && dates.length === 0
  return [
    ...misplaced.map((invoice) => `${id}: the invoice ${invoice} is not where its origin says`),
    ...(new Set(dates).size < dates.length ? [`${id}: a date was served twice`] : []),
    ...(dates.some((at) => dateOf(subscription, indexAfter(subscription, at) - 1) !== at)
      ? [`${id}: a run was made for no date`]
      : []),
    ...early.map(({ run }) => `${id}: run ${run} was made too early`),
    ...(unserved ? [`${id}: its dates passed and it made no run`] : [])
  ]
}

/** Clocks of servers are wrong by so much at most. */
const skewMs = 1000

const brokenEnds = ({ fatal }: Receivers, { unfinished }: Found): ReadonlyArray<string> => [
  ...Array.from(fatal.keys())
    .filter((id) => !unfinished.has(id))
    .map((id) => `${id} ends servers, and was not given up for that`),
  ...Array.from(unfinished)
    .filter((id) => !fatal.has(id))
    .map((id) => `${id} was given up for what it has not done`)
]

const brokenDeliveries = (
  receivers: Receivers,
  { invoice, events }: InvoiceDetail,
  found: Found
): ReadonlyArray<string> => {
  const addresses = found.addresses.get(`${invoice.organizationId} ${invoice.mode}`) ?? []
  const silent = events.filter((event) => !isAnnounced(event, invoice))
  const heard = silent.flatMap(({ id }) => addresses.filter((url) => receivers.taken.has(`${url} ${id}`)))
  const missing = events
    .filter((event) => isAnnounced(event, invoice))
    .flatMap(({ id, type }) =>
      addresses.flatMap((url) => {
        const name = `${url} ${id}`
        if (found.delivered.has(name)) {
          return receivers.taken.has(name) ? [] : [`${type} of ${invoice.id} counts as delivered and never came`]
        }
        return found.givenUp.has(name) ? [] : [`${type} of ${invoice.id} was neither delivered nor given up`]
      })
    )
  return [...missing, ...heard.map((url) => `${url} heard of ${invoice.id} what is not announced`)]
}
