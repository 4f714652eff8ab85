/** Promises of `WebhookStore` about whose turn it is: endpoints with something due, starts, and what was lost. */
import type { Endpoint, Job } from "@tolem/core/webhook/Webhook"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option } from "effect"
import { claimDue } from "../claims.ts"
import { expectEqual } from "../Expectation.ts"
import { attemptOf, endpointOf, startAt, testDeliveryOf } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const term = { now: startAt, until: startAt + 20_000, lease: "att_a", asideMs: 3_600_000 }

const idsOf = (jobs: ReadonlyArray<Job>) => jobs.map(({ delivery }) => delivery.id)

/** Endpoints in the order of their ids, each with as many deliveries as asked for. */
const given = Effect.fnUntraced(function* (counts: ReadonlyArray<number>, members: Partial<Endpoint> = {}) {
  const store = yield* WebhookStore
  const made = counts.map(() => endpointOf(members)).toSorted((a, b) => (a.id < b.id ? -1 : 1))
  for (const [index, endpoint] of made.entries()) {
    yield* store.addEndpoint(endpoint, 100)
    for (let n = 0; n < counts[index]!; n++) yield* store.addDelivery(testDeliveryOf(endpoint))
  }
  return made
})

/** What every storage must do, of “turns of endpoints”. */
export const casesOfSending = storageSubject("turns of endpoints", {
  *"come to those that something is due at, a few at a time"() {
    const store = yield* WebhookStore
    const made = yield* given([3, 1, 0, 2])
    const [a, b, , d] = made.map(({ id }) => id) as [string, string, string, string]
    const first = yield* store.due({ now: startAt, after: null, limit: 2 })
    const { id, organizationId, mode } = made[0]!
    expectEqual(first.endpoints[0], { id, organizationId, mode, dueAt: startAt }, "with their owner")
    expectEqual(
      [first.endpoints.map((each) => each.id), first.next],
      [[a, b], b],
      "as many as asked for, and where to go on"
    )
    const rest = yield* store.due({ now: startAt, after: first.next, limit: 2 })
    expectEqual([rest.endpoints.map((each) => each.id), rest.next], [[d], null], "then the others")
    const early = yield* store.due({ now: startAt - 1, after: null, limit: 9 })
    expectEqual(early, { endpoints: [], next: null }, "nothing is due before its time")
  },

  *"do not come while an endpoint is switched off, pauses, or has only what is claimed"() {
    const store = yield* WebhookStore
    const [off, taken] = (yield* given([2, 2])) as [Endpoint, Endpoint]
    yield* given([2], { pausedUntil: startAt + 1 })
    yield* store.patchEndpoint(off, off.id, { disabled: true }, startAt)
    const before = yield* store.due({ now: startAt, after: null, limit: 9 })
    expectEqual(
      before.endpoints.map((each) => each.id),
      [taken.id],
      "only the open one"
    )
    yield* store.claim({ ...term, endpoints: [taken.id], each: 2 })
    const after = yield* store.due({ now: startAt, after: null, limit: 9 })
    expectEqual(after.endpoints, [], "and not with what is under way")
  },

  *"come by the names of their owners"() {
    const store = yield* WebhookStore
    const [a, , off] = (yield* given([2, 0, 1])) as [Endpoint, Endpoint, Endpoint]
    yield* store.patchEndpoint(off, off.id, { disabled: true }, startAt)
    const { id, organizationId, mode } = a
    const own = { organizationId, mode }
    const found = yield* store.dueOf([own, { organizationId, mode: "live" }], startAt)
    expectEqual(found, [{ id, organizationId, mode, dueAt: startAt }], "those that take something and have it due")
    expectEqual(yield* store.dueOf([own], startAt - 1), [], "nothing is due before its time")
    expectEqual(yield* store.dueOf([{ organizationId: "org_other", mode }], startAt), [], "none of others")
    expectEqual(yield* store.dueOf([], startAt), [], "of none there are none")
  },

  *"bring as many of each endpoint as asked for"() {
    const store = yield* WebhookStore
    const [one, two, other] = (yield* given([3, 1, 2])) as [Endpoint, Endpoint, Endpoint]
    const jobs = yield* store.claim({ ...term, endpoints: [one.id, two.id], each: 2 })
    const of = ({ id }: Endpoint) => jobs.filter(({ endpoint }) => endpoint.id === id).length
    expectEqual([of(one), of(two), of(other)], [2, 1, 0], "two, what there is, and none of another")
    expectEqual(
      jobs.map(({ starts }) => starts),
      [1, 1, 1],
      "each started for the first time"
    )
    expectEqual(yield* store.claim({ ...term, endpoints: [], each: 2 }), [], "nothing of nobody")
  },

  *"count starts that have no end, and forget them with a settlement"() {
    const store = yield* WebhookStore
    const [endpoint] = (yield* given([1])) as [Endpoint]
    for (const starts of [1, 2]) {
      const now = startAt + starts * 20_000
      const [job] = yield* claimDue(store, { now, until: now + 20_000 })
      expectEqual(job!.starts, starts, "one more each time")
    }
    const at = startAt + 60_000
    const [third] = yield* claimDue(store, { now: at, until: at + 20_000 })
    yield* store.release([third!], at)
    const [again] = yield* claimDue(store, { now: at, until: at + 20_000 })
    expectEqual(again!.starts, 3, "what was given back was not started")
    const outcome = AttemptOutcome.Retry({ dueAt: at + 1, pauseUntil: null })
    yield* store.settleMany([{ job: again!, attempt: attemptOf(), outcome }], at)
    const fresh = yield* store.claim({ ...term, now: at + 1, endpoints: [endpoint.id], each: 1 })
    expectEqual(fresh[0]?.starts, 1, "an attempt that has ended begins the count anew")
  },

  *"are separate for what was lost: few of what was started often, all that was started too often"() {
    const store = yield* WebhookStore
    const [endpoint] = (yield* given([6])) as [Endpoint]
    const all = yield* store.claim({ ...term, until: startAt, endpoints: [endpoint.id], each: 6 })
    expectEqual((yield* store.due({ now: startAt, after: null, limit: 9 })).endpoints, [], "none of it is fresh")
    const twice = yield* store.reclaim({ ...term, until: startAt, limits: [4, 0] })
    expectEqual([twice.length, new Set(twice.map(({ starts }) => starts))], [4, new Set([2])], "four of six")
    const thrice = yield* store.reclaim({ ...term, until: startAt, limits: [0, 3] })
    expectEqual(thrice.length, 3, "three of four")
    const over = yield* store.reclaim({ ...term, limits: [1, 1] })
    expectEqual(
      over.map(({ starts }) => starts).toSorted(),
      [2, 3, 4, 4, 4],
      "one, one, and all that were started thrice"
    )
    expectEqual(
      idsOf(over).every((id) => idsOf(all).includes(id)),
      true,
      "of those that were lost"
    )
    expectEqual(yield* store.reclaim({ ...term, limits: [0, 0] }), [], "a lease keeps them")
    const held = yield* store.delivery(endpoint.id, over[0]!.delivery.id)
    expectEqual(Option.getOrThrow(held).delivery.attemptCount, 0, "no attempt is counted")
  }
})
