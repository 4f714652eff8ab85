/** Promises of `WebhookStore` about endpoints, and about which events become deliveries. */
import { type Invoice, type InvoiceChange, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { Endpoint } from "@tolem/core/webhook/Webhook"
import { type EndpointOwner, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option, Redacted, Result } from "effect"
import { claimDue } from "../claims.ts"
import { expectEqual, expectTrue } from "../Expectation.ts"
import {
  changeOf,
  creationOf,
  deliveryOf,
  endpointOf,
  freshId,
  refundOf,
  startAt,
  testDeliveryOf
} from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

const shop: EndpointOwner = { organizationId: "org_shop", mode: "sandbox" }

const add = (...endpoints: ReadonlyArray<Endpoint>) =>
  WebhookStore.use((store) => Effect.forEach(endpoints, (endpoint) => store.addEndpoint(endpoint, 10)))

/** What every storage must do, of “webhook endpoints”. */
export const casesOfEndpoints = storageSubject("webhook endpoints", {
  *"are kept as they are given, secrets included, oldest first"() {
    const store = yield* WebhookStore
    const newer = endpointOf({
      url: "https://shop.kz/hook?a=1&b=қ",
      events: ["invoice.paid", "invoice.refunded"],
      previousSecret: { secret: Redacted.make("whsec_old"), until: startAt + 9 },
      disabled: true,
      failureCount: 3,
      pauseCount: 2,
      pausedUntil: startAt + 7,
      createdAt: startAt + 1,
      updatedAt: startAt + 2
    })
    const older = endpointOf()
    yield* add(newer, older)
    expectEqual(yield* store.endpoints(shop), [older, newer], "each as it was given")
    expectEqual(yield* store.endpoints({ ...shop, mode: "live" }), [], "the other mode has none")
    expectEqual(yield* store.endpoints({ ...shop, organizationId: "org_other" }), [], "nor has another organization")
  },

  *"are as many as the limit says, by organization and mode"() {
    const store = yield* WebhookStore
    yield* store.addEndpoint(endpointOf(), 2)
    yield* store.addEndpoint(endpointOf(), 2)
    const refused = yield* Effect.flip(store.addEndpoint(endpointOf(), 2))
    expectEqual(refused._tag, "TooManyEndpoints", "the third is refused")
    yield* store.addEndpoint(endpointOf({ mode: "live" }), 2)
    yield* store.addEndpoint(endpointOf({ organizationId: "org_other" }), 2)
    const [first] = yield* store.endpoints(shop)
    yield* store.removeEndpoint(shop, first!.id, startAt)
    yield* store.addEndpoint(endpointOf(), 2)
    expectEqual((yield* store.endpoints(shop)).length, 2, "a removed one leaves its place")
  },

  *"are as many as the limit says, also when added at once"() {
    const store = yield* WebhookStore
    const results = yield* Effect.forEach(
      Array.from({ length: 12 }, () => endpointOf()),
      (endpoint) => Effect.result(store.addEndpoint(endpoint, 5)),
      { concurrency: "unbounded" }
    )
    expectEqual(results.filter(Result.isSuccess).length, 5, "five are added")
    expectEqual((yield* store.endpoints(shop)).length, 5, "and are there")
  },

  *"are added once for an address, if that is asked, also at once"() {
    const store = yield* WebhookStore
    const url = "https://shop.kz/hook"
    const add = (given: Parameters<typeof endpointOf>[0]) =>
      store.addEndpoint(endpointOf({ url, ...given }), 1, undefined, { unlessKnown: true })
    const added = yield* Effect.forEach([1, 2, 3, 4], () => add({}), { concurrency: "unbounded" })
    expectEqual(added.filter((each) => each).length, 1, "one of many, and the others are not one too many")
    expectEqual(yield* add({ organizationId: "org_other" }), true, "another organization's is another")
    expectEqual(yield* add({ mode: "live" }), true, "so is another mode's")
    const [kept] = yield* store.endpoints(shop)
    yield* store.removeEndpoint(shop, kept!.id, startAt)
    expectEqual(yield* add({}), true, "one that was removed is added anew")
  },

  *"are changed member by member"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf({ events: ["invoice.paid"] })
    const neighbour = endpointOf()
    yield* add(endpoint, neighbour)
    let now = startAt
    let expected = endpoint
    const patch = Effect.fnUntraced(function* (members: Parameters<typeof store.patchEndpoint>[2]) {
      expected = { ...expected, ...members, updatedAt: ++now }
      const patched = yield* store.patchEndpoint(shop, endpoint.id, members, now)
      expectEqual(patched, expected, `what ${Object.keys(members)} makes of it is answered`)
      expectEqual(yield* store.endpoints(shop), [expected, neighbour], "and stored, its neighbour untouched")
    })
    yield* patch({ url: "https://other.kz" })
    yield* patch({ events: ["invoice.failed", "invoice.expired"] })
    yield* patch({ events: [] })
    yield* patch({ disabled: true })
    yield* patch({ disabled: false })
    const previousSecret = { secret: endpoint.secret, until: now + 1000 }
    yield* patch({ secret: Redacted.make("whsec_new"), previousSecret })
    yield* patch({ url: "https://third.kz", disabled: true })
    yield* patch({ previousSecret: null })
    yield* patch({})
  },

  *"are changed and removed by their owner only"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    yield* add(endpoint)
    const strangers: ReadonlyArray<EndpointOwner> = [
      { ...shop, mode: "live" },
      { ...shop, organizationId: "org_other" }
    ]
    for (const owner of strangers) {
      const patched = yield* Effect.flip(store.patchEndpoint(owner, endpoint.id, { disabled: true }, startAt))
      expectEqual(patched._tag, "EndpointNotFound", "a stranger finds none to change")
      const removed = yield* Effect.flip(store.removeEndpoint(owner, endpoint.id, startAt))
      expectEqual(removed._tag, "EndpointNotFound", "nor to remove")
    }
    const unknown = yield* Effect.flip(store.patchEndpoint(shop, freshId("whe"), {}, startAt))
    expectEqual(unknown._tag, "EndpointNotFound", "an unknown one is not found")
    expectEqual(yield* store.endpoints(shop), [endpoint], "it is as it was")
  },

  *"leave their log when they are removed, and what was pending fails"() {
    const store = yield* WebhookStore
    const endpoint = endpointOf()
    const neighbour = endpointOf()
    yield* add(endpoint, neighbour)
    const [mine, theirs] = [testDeliveryOf(endpoint), testDeliveryOf(neighbour)]
    yield* store.addDelivery(mine)
    yield* store.addDelivery(theirs)
    yield* store.removeEndpoint(shop, endpoint.id, startAt + 5)
    expectEqual(yield* store.endpoints(shop), [neighbour], "it is gone")
    const logged = Option.getOrThrow(yield* store.delivery(endpoint.id, mine.id))
    expectEqual(logged.delivery, { ...mine, status: "failed", completedAt: startAt + 5 }, "its delivery has failed")
    expectEqual(
      (yield* claimDue(store, { now: startAt + 10, until: startAt + 20 })).map(({ delivery }) => delivery.id),
      [theirs.id],
      "only others are sent"
    )
    const late = testDeliveryOf(endpoint)
    expectEqual(yield* store.addDelivery(late), false, "nothing is added to it")
    expectEqual(yield* store.delivery(endpoint.id, late.id), Option.none(), "nor written")
    expectEqual(yield* store.addDelivery(testDeliveryOf(endpointOf())), false, "nor to one that never was")
    const again = yield* Effect.flip(store.removeEndpoint(shop, endpoint.id, startAt))
    expectEqual(again._tag, "EndpointNotFound", "it cannot be removed twice")
    const patched = yield* Effect.flip(store.patchEndpoint(shop, endpoint.id, {}, startAt))
    expectEqual(patched._tag, "EndpointNotFound", "nor changed")
  },

  *"have nothing pending after they are removed, whatever is sent in that moment"() {
    const store = yield* WebhookStore
    const paid = changeOf(yield* given(), pay)
    yield* commit(paid)
    for (let round = 0; round < 12; round++) {
      const endpoint = endpointOf()
      yield* add(endpoint)
      const resent = () => deliveryOf(endpoint, paid.event!)
      const sent = [resent(), testDeliveryOf(endpoint), resent(), testDeliveryOf(endpoint)]
      const sending = sent.map((delivery) => Effect.asVoid(store.addDelivery(delivery)))
      const removing = store.removeEndpoint(shop, endpoint.id, startAt + 1)
      yield* Effect.all([...sending.slice(0, 2), removing, ...sending.slice(2)], { concurrency: "unbounded" })
      const query = { endpointId: endpoint.id, status: "pending", limit: 9, offset: 0 } as const
      expectEqual((yield* store.deliveries(query)).total, 0, "nothing is pending for ever")
    }
  }
})

const commit = (change: InvoiceChange) =>
  InvoiceStore.use((store) => Effect.map(store.commitMany([change]), ([result]) => Result.getOrThrow(result!)))

/** An invoice that is stored. */
const given = Effect.fnUntraced(function* (members: Partial<Invoice> = {}) {
  const creation = creationOf(members)
  yield* InvoiceStore.use((store) => store.insertMany([creation]))
  return creation.invoice
})

const deliveriesOf = (endpoint: Endpoint) =>
  WebhookStore.use((store) =>
    Effect.map(
      store.deliveries({ endpointId: endpoint.id, status: null, limit: 100, offset: 0 }),
      ({ deliveries }) => deliveries
    )
  )

const kindsOf = (endpoint: Endpoint) =>
  Effect.map(deliveriesOf(endpoint), (deliveries) => deliveries.map(({ kind }) => kind).toReversed())

const pay = InvoiceCommand.Pay({ paidAt: startAt })

/** What every storage must do, of “changes of invoices”. */
export const casesOfAnnouncements = storageSubject("changes of invoices", {
  *"are announced to each endpoint that wants them"() {
    const all = endpointOf()
    const some = endpointOf({ events: ["invoice.partially_refunded", "invoice.expired"] })
    const similar = endpointOf({ events: ["invoice.refunded"] })
    const strangers = [
      endpointOf({ mode: "live" }),
      endpointOf({ organizationId: "org_other" }),
      endpointOf({ disabled: true })
    ]
    const removed = endpointOf()
    yield* add(all, some, similar, ...strangers, removed)
    yield* WebhookStore.use((store) => store.removeEndpoint(shop, removed.id, startAt))
    const paid = yield* commit(changeOf(yield* given(), pay))
    yield* commit(changeOf(paid, InvoiceCommand.Refund({ refund: refundOf(paid, 100) })))
    yield* commit(changeOf(yield* given(), InvoiceCommand.Expire()))
    yield* commit(changeOf(yield* given(), InvoiceCommand.Fail()))
    yield* commit(changeOf(yield* given(), InvoiceCommand.Cancel()))
    const kinds = ["paid", "partially_refunded", "expired", "failed", "cancelled"].map((name) => `invoice.${name}`)
    expectEqual(new Set<string>(yield* kindsOf(all)), new Set(kinds), "every kind to the one that wants all")
    expectEqual((yield* kindsOf(all)).length, 5, "each once")
    expectEqual(new Set(yield* kindsOf(some)), new Set(some.events), "the kinds that were asked for")
    expectEqual(yield* kindsOf(similar), [], "and no kind that merely looks alike")
    for (const endpoint of [...strangers, removed]) expectEqual(yield* kindsOf(endpoint), [], "nothing to others")
  },

  *"are announced to endpoints of their cashier, and to those of the whole organization"() {
    const store = yield* WebhookStore
    const live = { mode: "live", connectionId: "con_1" } as const
    const [wide, own] = [endpointOf({ mode: "live" }), endpointOf(live)]
    const other = endpointOf({ ...live, connectionId: "con_2" })
    yield* add(wide, own, other)
    yield* commit(changeOf(yield* given(live), InvoiceCommand.Expire()))
    expectEqual((yield* deliveriesOf(wide)).length, 1, "the whole organization's")
    expectEqual((yield* deliveriesOf(own)).length, 1, "the cashier's")
    expectEqual((yield* deliveriesOf(other)).length, 0, "not another one's")
    const found = (yield* store.endpoints({ ...shop, mode: "live" })).map(({ connectionId }) => connectionId)
    expectEqual(found, [null, "con_1", "con_2"], "each is kept")
    expectEqual(yield* store.organizationOf(own.id), Option.some(own.organizationId), "whose it is")
    expectEqual(yield* store.organizationOf("whe_nobody"), Option.none(), "an unknown one")
    yield* store.removeEndpoint({ ...shop, mode: "live" }, own.id, startAt)
    expectEqual(yield* store.organizationOf(own.id), Option.none(), "a removed one")
  },

  *"are announced as one delivery, due at once"() {
    const endpoint = endpointOf()
    yield* add(endpoint)
    const invoice = yield* given()
    const change = changeOf(invoice, pay)
    yield* commit(change)
    yield* InvoiceStore.use((store) => store.commitMany([change, changeOf(invoice, InvoiceCommand.Cancel())]))
    const deliveries = yield* deliveriesOf(endpoint)
    expectEqual(deliveries.length, 1, "those that lost make none")
    const { id, ...rest } = deliveries[0]!
    expectTrue(id.startsWith("dlv_") && id.includes(change.event.id.slice(4)), "its id is made of the event's")
    expectEqual(
      rest,
      {
        endpointId: endpoint.id,
        organizationId: "org_shop",
        mode: "sandbox",
        kind: "invoice.paid",
        invoiceId: invoice.id,
        eventId: change.event.id,
        sequence: 2,
        status: "pending",
        attemptCount: 0,
        dueAt: change.event.createdAt,
        createdAt: change.event.createdAt,
        completedAt: null
      },
      "it tells of the event"
    )
  },

  *"are sent after the pause where the endpoint pauses"() {
    const store = yield* WebhookStore
    const [paused, over] = [endpointOf({ pausedUntil: startAt + 60_000 }), endpointOf({ pausedUntil: startAt })]
    yield* add(paused, over)
    yield* commit(changeOf(yield* given(), pay))
    const claim = (now: number) =>
      Effect.map(claimDue(store, { now, until: now + 90_000 }), (jobs) => jobs.map(({ endpoint }) => endpoint.id))
    expectEqual(yield* claim(startAt + 59_999), [over.id], "a pause that is over delays nothing")
    expectEqual(yield* claim(startAt + 60_000), [paused.id], "the other waits for the end of the pause")
  },

  *"are not announced before they have happened"() {
    const endpoint = endpointOf()
    yield* add(endpoint)
    const invoice = yield* given({ status: "new" })
    const { next, event, ...change } = changeOf(invoice, InvoiceCommand.Expire())
    yield* commit({
      ...change,
      next: { ...next, status: "pending" },
      event: { ...event, type: "invoice.pending", to: "pending" }
    })
    expectEqual(yield* deliveriesOf(endpoint), [], "neither creation nor a status that no webhook tells of")
  }
})
