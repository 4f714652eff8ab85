/** Promises of `WebhookStore` about what becomes of attempts: settlements, counters, pauses, probes. */
import type { Delivery, Endpoint, Job } from "@tolem/core/webhook/Webhook"
import { AttemptOutcome, type EndpointOwner, type Settlement, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option } from "effect"
import { claimDue } from "../claims.ts"
import { expectEqual } from "../Expectation.ts"
import { attemptOf, endpointOf, startAt, testDeliveryOf } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const shop: EndpointOwner = { organizationId: "org_shop", mode: "sandbox" }
const leaseMs = 20_000
const pauseMs = 600_000

/** An endpoint with as many deliveries as asked for, due now. */
const given = Effect.fnUntraced(function* (count: number, members: Partial<Endpoint> = {}) {
  const store = yield* WebhookStore
  const endpoint = endpointOf(members)
  yield* store.addEndpoint(endpoint, 10)
  const deliveries = Array.from({ length: count }, () => testDeliveryOf(endpoint))
  yield* Effect.forEach(deliveries, store.addDelivery)
  return { endpoint, deliveries }
})

const claim = (now: number, limit = 100, lease = "att_a") =>
  WebhookStore.use((store) => claimDue(store, { now, until: now + leaseMs, limit, lease }))

const settle = (now: number, ...settlements: ReadonlyArray<Settlement>) =>
  WebhookStore.use((store) => store.settleMany(settlements, now))

const delivered = (job: Job): Settlement => ({
  job,
  attempt: attemptOf({ status: 200, number: job.delivery.attemptCount + 1 }),
  outcome: AttemptOutcome.Delivered()
})

const failing = (job: Job, outcome: AttemptOutcome): Settlement => ({
  job,
  attempt: attemptOf({ number: job.delivery.attemptCount + 1 }),
  outcome
})

const retry = (job: Job, dueAt: number, pauseUntil: number | null = null): Settlement =>
  failing(job, AttemptOutcome.Retry({ dueAt, pauseUntil }))

const endpointNow = ({ id }: Endpoint) =>
  WebhookStore.use((store) => Effect.map(store.endpoints(shop), (all) => all.find((each) => each.id === id)!))

const healthOf = (endpoint: Endpoint) =>
  Effect.map(endpointNow(endpoint), ({ failureCount, pauseCount, pausedUntil }) => [
    failureCount,
    pauseCount,
    pausedUntil
  ])

const logOf = ({ endpointId, id }: Delivery) =>
  WebhookStore.use((store) => Effect.map(store.delivery(endpointId, id), Option.getOrThrow))

const dueAtOf = (delivery: Delivery) => Effect.map(logOf(delivery), (logged) => logged.delivery.dueAt)

/** What every storage must do, of “settling attempts”. */
export const casesOfSettlements = storageSubject("settling attempts", {
  *"ends a delivery that arrived, puts off one that did not, gives up one that cannot"() {
    const { deliveries } = yield* given(3)
    const [a, b, c] = yield* claim(startAt)
    const held = yield* settle(
      startAt + 7,
      delivered(a!),
      retry(b!, startAt + 30_000),
      failing(c!, AttemptOutcome.Failed({ pauseUntil: null }))
    )
    expectEqual(held, [true, true, true], "all leases held")
    const logged = yield* Effect.forEach(deliveries, logOf)
    expectEqual(
      logged.map(({ delivery: { status, attemptCount, completedAt } }) => [status, attemptCount, completedAt]),
      [
        ["delivered", 1, startAt + 7],
        ["pending", 1, null],
        ["failed", 1, startAt + 7]
      ],
      "each has its outcome"
    )
    expectEqual(
      logged.map(({ attempts }) => attempts),
      [[attemptOf({ status: 200 })], [attemptOf()], [attemptOf()]],
      "and its attempt in the log"
    )
    expectEqual(yield* claim(startAt + 29_999), [], "nothing is due before the retry")
    const [again] = yield* claim(startAt + 30_000)
    expectEqual(again!.delivery.id, b!.delivery.id, "which comes when it was said")
  },

  *"writes nothing without the lease"() {
    const { endpoint, deliveries } = yield* given(2)
    const jobs = yield* claim(startAt)
    const [a, b] = jobs
    const [taken] = yield* claim(startAt + leaseMs, 1, "att_b")
    const mine = taken!.delivery.id === a!.delivery.id ? b! : a!
    const lost = taken!.delivery.id === a!.delivery.id ? a! : b!
    const held = yield* settle(startAt + leaseMs + 1, retry(lost, startAt), delivered(mine), retry(mine, startAt))
    expectEqual(held, [false, true, false], "one lease held, and once only")
    const logged = yield* Effect.forEach(deliveries, logOf)
    expectEqual(logged.flatMap(({ attempts }) => attempts).length, 1, "one attempt is in the log")
    expectEqual(yield* healthOf(endpoint), [0, 0, null], "the lost ones count for nothing")
    expectEqual(yield* settle(startAt, delivered(lost)), [false], "also alone")
    expectEqual(yield* settle(startAt), [], "nothing comes of nothing")
  },

  *"of arrivals alone writes those whose lease holds"() {
    const { deliveries } = yield* given(2)
    const jobs = yield* claim(startAt)
    const [lost] = yield* claim(startAt + leaseMs, 1, "att_b")
    const held = yield* settle(startAt + leaseMs + 1, ...jobs.map(delivered))
    const isMine = (each: Delivery) => each.id !== lost!.delivery.id
    expectEqual(
      held,
      jobs.map(({ delivery }) => isMine(delivery)),
      "the lease of one was lost"
    )
    for (const { delivery, attempts } of yield* Effect.forEach(deliveries, logOf)) {
      expectEqual(delivery.status, isMine(delivery) ? "delivered" : "pending", "which is still on its way")
      expectEqual(attempts.length, isMine(delivery) ? 1 : 0, "and has no attempt yet")
    }
  },

  *"of arrivals alone heals the endpoint that another attempt has failed at since the claim"() {
    const { endpoint } = yield* given(3)
    const [a, b, c] = yield* claim(startAt)
    yield* settle(startAt + 1, retry(a!, startAt + leaseMs))
    expectEqual(yield* healthOf(endpoint), [1, 0, null], "one has failed")
    expectEqual(yield* settle(startAt + 2, delivered(b!), delivered(c!)), [true, true], "others have arrived")
    expectEqual(yield* healthOf(endpoint), [0, 0, null], "so that the failure is forgotten")
  },

  *"writes nothing when the endpoint has been removed meanwhile"() {
    const { endpoint, deliveries } = yield* given(1)
    const [job] = yield* claim(startAt)
    yield* WebhookStore.use((store) => store.removeEndpoint(shop, endpoint.id, startAt + 1))
    expectEqual(yield* settle(startAt + 2, delivered(job!)), [false], "its deliveries have failed")
    expectEqual((yield* logOf(deliveries[0]!)).attempts, [], "and the log says no more")
  },

  *"counts failures in a row, over batches and within one"() {
    const { endpoint } = yield* given(6)
    const [a, b, c, d, e, f] = yield* claim(startAt)
    yield* settle(startAt, retry(a!, startAt + 10), retry(b!, startAt + 10))
    expectEqual(yield* healthOf(endpoint), [2, 0, null], "two")
    yield* settle(startAt, failing(c!, AttemptOutcome.Failed({ pauseUntil: null })))
    expectEqual(yield* healthOf(endpoint), [3, 0, null], "three")
    yield* settle(startAt, delivered(d!), retry(e!, startAt + 10))
    expectEqual(yield* healthOf(endpoint), [1, 0, null], "a success begins anew")
    yield* settle(startAt, delivered(f!))
    expectEqual(yield* healthOf(endpoint), [0, 0, null], "and so does the next")
    expectEqual((yield* endpointNow(endpoint)).updatedAt, startAt, "none of this is a change by the merchant")
  },

  *"of several endpoints at once keeps them apart"() {
    const [one, two] = [yield* given(1), yield* given(1)]
    const jobs = yield* claim(startAt)
    const of = ({ endpoint }: { endpoint: Endpoint }) => jobs.find((job) => job.endpoint.id === endpoint.id)!
    yield* settle(startAt, retry(of(one), startAt + 10, startAt + pauseMs), retry(of(two), startAt + 10))
    expectEqual(yield* healthOf(one.endpoint), [1, 1, startAt + pauseMs], "one pauses")
    expectEqual(yield* healthOf(two.endpoint), [1, 0, null], "the other does not")
    expectEqual((yield* claim(startAt + 10)).length, 1, "and goes on")
  }
})

/** What every storage must do, of “a pause of an endpoint”. */
export const casesOfPauses = storageSubject("a pause of an endpoint", {
  *"holds its pending deliveries, loses none, and ends with a success"() {
    const { endpoint } = yield* given(4)
    const other = yield* given(1)
    const [job] = yield* claim(startAt, 1)
    const until = startAt + pauseMs
    yield* settle(startAt + 1, retry(job!, startAt + 10_000, until))
    expectEqual(yield* healthOf(endpoint), [1, 1, until], "it pauses")
    const meanwhile = yield* claim(until - 1)
    expectEqual(
      meanwhile.map(({ endpoint }) => endpoint.id),
      [other.endpoint.id],
      "only others are sent meanwhile"
    )
    const [probe, ...held] = yield* claim(until)
    expectEqual(held.length, 3, "afterwards all are due")
    expectEqual(probe!.endpoint.pausedUntil, until, "and tell of the pause")
    yield* WebhookStore.use((store) => store.release(held, until))
    yield* settle(until + 5, delivered(probe!))
    expectEqual(yield* healthOf(endpoint), [0, 0, null], "a success lifts the pause")
    const rest = yield* claim(until + 5)
    expectEqual(rest.length, 3, "and all the others go out")
  },

  *"moves none of them, and ends for all of them at once"() {
    const { endpoint } = yield* given(4)
    const [a, b, c, d] = yield* claim(startAt)
    const until = startAt + pauseMs
    yield* settle(startAt, retry(a!, until + 5), retry(b!, startAt + 6))
    yield* settle(startAt, retry(c!, startAt + 6, until))
    expectEqual(
      yield* Effect.forEach([a!, b!, c!], ({ delivery }) => dueAtOf(delivery)),
      [until + 5, startAt + 6, startAt + 6],
      "each keeps its time"
    )
    expectEqual(yield* claim(startAt + 6), [], "nothing goes out meanwhile")
    yield* settle(startAt + 7, delivered(d!))
    expectEqual(yield* healthOf(endpoint), [0, 0, null], "a success lifts it before its time")
    const after = yield* claim(startAt + 7)
    expectEqual(
      new Set(after.map(({ delivery }) => delivery.id)),
      new Set([b!.delivery.id, c!.delivery.id]),
      "what was due meanwhile goes out, what has a later time keeps it"
    )
  },

  *"that ends early frees nothing that is being sent"() {
    yield* given(3)
    const [a, b, c] = yield* claim(startAt)
    const until = startAt + pauseMs
    yield* settle(startAt + 1, retry(a!, startAt + 3, until))
    yield* settle(startAt + 2, delivered(b!))
    const again = yield* claim(startAt + 3)
    expectEqual(
      again.map(({ delivery }) => delivery.id),
      [a!.delivery.id],
      "only what is not being sent"
    )
    expectEqual(yield* settle(startAt + 4, delivered(c!)), [true], "whose claim still holds")
  },

  *"leaves attempts that are on their way to their server"() {
    yield* given(2)
    const [a, b] = yield* claim(startAt)
    const until = startAt + pauseMs
    yield* settle(startAt + 1, retry(a!, until, until))
    expectEqual(yield* settle(startAt + 2, retry(b!, startAt + 10_000)), [true], "the lease still holds")
    expectEqual(yield* claim(until - 1), [], "its retry waits for the end of the pause")
  },

  *"is counted once, though several attempts ask for it"() {
    const { endpoint } = yield* given(3)
    const [a, b, c] = yield* claim(startAt)
    yield* settle(startAt + 1, retry(a!, startAt + pauseMs, startAt + pauseMs))
    yield* settle(startAt + 2, retry(b!, startAt + pauseMs + 1, startAt + pauseMs + 1))
    yield* settle(startAt + 3, failing(c!, AttemptOutcome.Failed({ pauseUntil: startAt + pauseMs + 2 })))
    expectEqual(yield* healthOf(endpoint), [3, 1, startAt + pauseMs], "the first pauses it, the others are too late")
  },

  *"is followed by a longer one when the probe fails"() {
    const store = yield* WebhookStore
    const { endpoint } = yield* given(3)
    const [job] = yield* claim(startAt, 1)
    const first = startAt + pauseMs
    yield* settle(startAt, retry(job!, first, first))
    const [probe, ...held] = yield* claim(first)
    expectEqual(yield* store.takeProbe(endpoint.id, first, first + leaseMs), true, "the right to probe is taken")
    yield* store.release(held, first)
    expectEqual(yield* claim(first + leaseMs - 1), [], "nothing else goes out while the probe is on its way")
    const second = first + 2 * pauseMs
    yield* settle(first + 1, retry(probe!, second, second))
    expectEqual(yield* healthOf(endpoint), [2, 2, second], "it pauses again")
    expectEqual(yield* claim(second - 1), [], "and all wait for that")
    const after = yield* claim(second)
    expectEqual(after.length, 3, "none is lost")
    yield* settle(second, delivered(after[0]!))
    expectEqual(yield* healthOf(endpoint), [0, 0, null], "until a success")
  },

  *"ends with one probe, however many ask"() {
    const store = yield* WebhookStore
    const until = startAt + pauseMs
    const { endpoint } = yield* given(2, { pausedUntil: until, pauseCount: 1, failureCount: 5 })
    const rivals = Array.from({ length: 8 }, (_, n) => store.takeProbe(endpoint.id, until, until + leaseMs + n))
    const won = yield* Effect.all(rivals, { concurrency: "unbounded" })
    expectEqual(won.filter(Boolean).length, 1, "one may probe")
    const moved = until + leaseMs + won.indexOf(true)
    expectEqual(yield* healthOf(endpoint), [5, 1, moved], "the pause goes on while it does")
    expectEqual(yield* claim(moved - 1), [], "and so do the deliveries wait")
    expectEqual(yield* store.takeProbe(endpoint.id, until, moved + 1), false, "no other may, with the old pause")
    expectEqual(yield* store.takeProbe("whe_no", until, moved), false, "nor at an endpoint that is not there")
    yield* store.removeEndpoint(shop, endpoint.id, startAt)
    expectEqual(yield* store.takeProbe(endpoint.id, moved, moved + 1), false, "or no more")
  }
})
