/** Promises of `WebhookStore` about deliveries on their way: claims, leases, order, the log. */
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { Endpoint, Job } from "@tolem/core/webhook/Webhook"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option, Result } from "effect"
import { claimDue, type Wanted } from "../claims.ts"
import { expectEqual } from "../Expectation.ts"
import {
  attemptOf,
  changeOf,
  creationOf,
  deliveryOf,
  endpointOf,
  refundOf,
  startAt,
  testDeliveryOf
} from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const later = startAt + 3_600_000

/** Claims everything that is due by `later`. */
const claim = (members: Partial<Wanted> = {}) =>
  WebhookStore.use((store) => claimDue(store, { now: later, until: later + 20_000, ...members }))

const idsOf = (jobs: ReadonlyArray<Job>) => jobs.map(({ delivery }) => delivery.id)

const endpointsGiven = (...endpoints: ReadonlyArray<Endpoint>) =>
  WebhookStore.use((store) => Effect.forEach(endpoints, (endpoint) => store.addEndpoint(endpoint, 10)))

/** An invoice that was paid, then refunded in part: two events to announce. */
const paidAndRefunded = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const creation = creationOf()
  yield* store.insertMany([creation])
  const paid = changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))
  const [row] = yield* store.commitMany([paid])
  const invoice = Result.getOrThrow(row!)
  const refunded = changeOf(invoice, InvoiceCommand.Refund({ refund: refundOf(invoice, 100) }))
  const [last] = yield* store.commitMany([refunded])
  return { invoice: Result.getOrThrow(last!), paid: paid.event, refunded: refunded.event }
})

/** An invoice that was paid. */
const paid = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const creation = creationOf()
  yield* store.insertMany([creation])
  const change = changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))
  const [row] = yield* store.commitMany([change])
  return { invoice: Result.getOrThrow(row!) satisfies Invoice, event: change.event }
})

/** What every storage must do, of “webhook deliveries”. */
export const casesOfDeliveries = storageSubject("webhook deliveries", {
  *"are claimed with all that sending needs"() {
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    const { invoice, paid } = yield* paidAndRefunded
    const [job, ...others] = yield* claim()
    expectEqual(others, [], "one is ready")
    expectEqual(job!.endpoint, endpoint, "with its endpoint, secret included")
    expectEqual(job!.fact, { event: paid, invoice }, "with its event, and the invoice as it is now")
    expectEqual(job!.lease, "att_a", "under the lease that was given")
    expectEqual(job!.delivery.dueAt, later + 20_000, "until the lease ends")
  },

  *"are claimed when they are due, oldest first, as many as asked for"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    const [c, a, b, d] = [30, 10, 20, 41].map((at) =>
      testDeliveryOf(endpoint, { dueAt: startAt + at, createdAt: startAt + at })
    )
    for (const delivery of [c, a, b, d]) yield* store.addDelivery(delivery!)
    const now = startAt + 40
    expectEqual(idsOf(yield* claim({ now, limit: 2 })), [a!.id, b!.id], "the two oldest")
    expectEqual(idsOf(yield* claim({ now, limit: 2 })), [c!.id], "the rest of what is due")
    expectEqual(idsOf(yield* claim({ now: now + 1 })), [d!.id], "an instant is due at once")
  },

  *"are claimed by one, and by another when the lease has ended"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    const delivery = testDeliveryOf(endpoint)
    yield* store.addDelivery(delivery)
    expectEqual(idsOf(yield* claim()), [delivery.id], "the first has it")
    expectEqual(idsOf(yield* claim({ now: later + 19_999, lease: "att_b" })), [], "the second does not")
    const [job] = yield* claim({ now: later + 20_000, until: later + 40_000, lease: "att_b" })
    expectEqual(job!.lease, "att_b", "until the lease has ended")
  },

  *"are given to one of many who ask at once"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    for (let n = 0; n < 30; n++) yield* store.addDelivery(testDeliveryOf(endpoint))
    const claims = yield* Effect.forEach(
      Array.from({ length: 6 }, (_, n) => `att_${n}`),
      (lease) => claim({ lease, limit: 10 }),
      { concurrency: "unbounded" }
    )
    const ids = claims.flatMap(idsOf)
    expectEqual(new Set(ids).size, ids.length, "none is given twice")
    expectEqual(ids.length + (yield* claim()).length, 30, "and none is lost")
  },

  *"pass over endpoints that are busy or switched off"() {
    const store = yield* WebhookStore
    const endpoints = [endpointOf(), endpointOf(), endpointOf()] as const
    yield* endpointsGiven(...endpoints)
    const [busy, off, free] = endpoints.map((endpoint) => testDeliveryOf(endpoint))
    for (const delivery of [busy, off, free]) yield* store.addDelivery(delivery!)
    const owner = { organizationId: "org_shop", mode: "sandbox" as const }
    yield* store.patchEndpoint(owner, endpoints[1].id, { disabled: true }, startAt)
    expectEqual(idsOf(yield* claim({ busy: [endpoints[0].id, "whe_other"] })), [free!.id], "only the free one's")
    expectEqual(idsOf(yield* claim()), [busy!.id], "then the other's, when it has room")
    yield* store.patchEndpoint(owner, endpoints[1].id, { disabled: false }, startAt)
    expectEqual(idsOf(yield* claim()), [off!.id], "what was held goes out when the endpoint is switched on again")
  },

  *"keep the order of an invoice's events at each endpoint"() {
    const store = yield* WebhookStore
    const [one, two] = [endpointOf(), endpointOf()]
    yield* endpointsGiven(one, two)
    yield* paidAndRefunded
    yield* paidAndRefunded
    const first = yield* claim()
    expectEqual(
      first.map(({ delivery }) => delivery.sequence),
      [2, 2, 2, 2],
      "the first event of each invoice to each endpoint"
    )
    expectEqual(yield* claim(), [], "the second waits while the first is on its way")
    const [delivered, retried, failed, lost] = first
    const retry = AttemptOutcome.Retry({ dueAt: later + 90_000, pauseUntil: null })
    yield* store.settleMany(
      [
        { job: delivered!, attempt: attemptOf({ status: 200 }), outcome: AttemptOutcome.Delivered() },
        { job: retried!, attempt: attemptOf(), outcome: retry },
        { job: failed!, attempt: attemptOf(), outcome: AttemptOutcome.Failed({ pauseUntil: null }) }
      ],
      later
    )
    const second = yield* claim({ now: later + 1, until: later + 50_000 })
    const next = (job: Job | undefined) => `${job!.endpoint.id} ${job!.delivery.invoiceId} 3`
    expectEqual(
      new Set(second.map(({ endpoint, delivery }) => `${endpoint.id} ${delivery.invoiceId} ${delivery.sequence}`)),
      new Set([next(delivered), next(failed)]),
      "it goes when the first is delivered or given up, not before a retry"
    )
    const again = yield* claim({ now: later + 20_000, until: later + 60_000 })
    expectEqual(idsOf(again), [lost!.delivery.id], "a lost lease brings the first one back, not the second")
  },

  *"of tests do not wait for each other, nor for a resend's younger events"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    const tests = [1, 1, 2].map((sequence) => testDeliveryOf(endpoint, { sequence }))
    for (const delivery of tests) yield* store.addDelivery(delivery)
    const jobs = yield* claim()
    expectEqual(new Set(idsOf(jobs)), new Set(tests.map(({ id }) => id)), "all go at once")
    expectEqual(
      jobs.map(({ fact }) => fact),
      [null, null, null],
      "without an invoice"
    )
  },

  *"can be sent again by hand"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    const { invoice, event } = yield* paid
    const [job] = yield* claim()
    const attempt = attemptOf({ status: 200 })
    yield* store.settleMany([{ job: job!, attempt, outcome: AttemptOutcome.Delivered() }], later)
    const resend = deliveryOf(endpoint, event, { createdAt: later, dueAt: later })
    yield* store.addDelivery(resend)
    const [again] = yield* claim()
    expectEqual(again!.delivery, { ...resend, dueAt: later + 20_000 }, "as a delivery of its own")
    expectEqual(again!.fact, { event, invoice }, "which tells of the same event")
  },

  *"are given back when they cannot begin"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    const deliveries = [testDeliveryOf(endpoint), testDeliveryOf(endpoint)]
    for (const delivery of deliveries) yield* store.addDelivery(delivery)
    const jobs = yield* claim()
    yield* store.release(jobs, later + 5)
    yield* store.release([], later)
    expectEqual(yield* claim({ now: later + 4 }), [], "they are due when it was said")
    const again = yield* claim({ now: later + 5, until: later + 9, lease: "att_b" })
    expectEqual(new Set(idsOf(again)), new Set(idsOf(jobs)), "both")
    expectEqual(
      again.map(({ delivery }) => delivery.attemptCount),
      [0, 0],
      "and no attempt was counted"
    )
    yield* store.release(jobs, startAt)
    expectEqual(yield* claim({ now: later + 8 }), [], "what has lost its lease gives nothing back")
  },

  *"are listed newest first, by status, in pages"() {
    const store = yield* WebhookStore
    const [endpoint, other] = [endpointOf(), endpointOf()]
    yield* endpointsGiven(endpoint, other)
    const all = [0, 0, 5, 9].map((at) => testDeliveryOf(endpoint, { createdAt: startAt + at, dueAt: startAt + at }))
    for (const delivery of all) yield* store.addDelivery(delivery)
    yield* store.addDelivery(testDeliveryOf(other))
    const page = Effect.fnUntraced(function* (status: "pending" | "delivered" | null, limit: number, offset: number) {
      const { total, deliveries } = yield* store.deliveries({ endpointId: endpoint.id, status, limit, offset })
      return [total, deliveries.map(({ id }) => id)]
    })
    const newest = all.map(({ id }) => id).toReversed()
    expectEqual(yield* page(null, 10, 0), [4, newest], "all")
    expectEqual(yield* page(null, 2, 1), [4, newest.slice(1, 3)], "a page")
    expectEqual(yield* page("pending", 10, 3), [4, newest.slice(3)], "the last of a status")
    expectEqual(yield* page("delivered", 10, 0), [0, []], "none of another")
    const [job] = yield* claim({ limit: 1, busy: [other.id] })
    const attempt = attemptOf({ status: 200 })
    yield* store.settleMany([{ job: job!, attempt, outcome: AttemptOutcome.Delivered() }], later)
    expectEqual(yield* page("delivered", 10, 0), [1, [job!.delivery.id]], "then one")
    const unknown = yield* store.deliveries({ endpointId: "whe_no", status: null, limit: 9, offset: 0 })
    expectEqual(unknown, { total: 0, deliveries: [] }, "an unknown endpoint has none")
  },

  *"are shown with their attempts, to their own endpoint"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* endpointsGiven(endpoint)
    const delivery = testDeliveryOf(endpoint)
    yield* store.addDelivery(delivery)
    const untried = yield* store.delivery(endpoint.id, delivery.id)
    expectEqual(untried, Option.some({ delivery, attempts: [] }), "before the first attempt")
    const first = attemptOf({ responseBody: "\u0001 қате \ufffd", requestHeaders: { a: "1", b: "қ" } })
    const second = attemptOf({ number: 2, startedAt: later, status: null, responseBody: null, error: "timeout" })
    const outcome = AttemptOutcome.Retry({ dueAt: later, pauseUntil: null })
    for (const attempt of [first, second]) {
      const [job] = yield* claim()
      yield* store.settleMany([{ job: job!, attempt, outcome }], later)
    }
    const logged = Option.getOrThrow(yield* store.delivery(endpoint.id, delivery.id))
    expectEqual(logged.attempts, [first, second], "each as it was, by number")
    expectEqual(logged.delivery.attemptCount, 2, "and counted")
    expectEqual(yield* store.delivery("whe_other", delivery.id), Option.none(), "another endpoint sees nothing")
    expectEqual(yield* store.delivery(endpoint.id, "dlv_no"), Option.none(), "there is no other")
  }
})
