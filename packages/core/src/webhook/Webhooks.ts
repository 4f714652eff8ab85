/** Use-cases of endpoints and their deliveries. Callers are already authorised; see `Access`. */

import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { type Action, recordOf } from "../audit/Audit.ts"
import { Forbidden } from "../error/Refusals.ts"
import { isStorable } from "../value/Checks.ts"
import { type DeliveryId, type EndpointId, Ids } from "../value/Ids.ts"
import { cashierOf, isWithin } from "../value/Tenant.ts"
import { Hints } from "../work/Hints.ts"
import { newDelivery } from "./Delivery.ts"
import {
  checkDeliveries,
  checkEndpoint,
  checkEndpointPatch,
  type DeliveriesRequest,
  type EndpointDraft
} from "./EndpointRequests.ts"
import { rulesOf } from "./sending/AddressPolicy.ts"
import { testInvoiceId } from "./sending/Envelope.ts"
import { generateSecret } from "./sending/Signature.ts"
import type { Delivery, Endpoint } from "./Webhook.ts"
import { WebhookSettings } from "./WebhookSettings.ts"
import {
  DeliveryNotFound,
  EndpointNotFound,
  type EndpointOwner,
  type EndpointViewer,
  type LoggedDelivery,
  WebhookStore
} from "./WebhookStore.ts"

/** An endpoint with its fresh secret, which is shown this once. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint
  readonly secret: Redacted.Redacted
}

/** A page of deliveries, newest first, the exact number of all that match, and the bounds that were used. */
export interface DeliveryPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly deliveries: ReadonlyArray<Delivery>
}

const make = Effect.gen(function* () {
  const store = yield* WebhookStore
  const ids = yield* Ids
  const hints = yield* Hints
  const settings = yield* WebhookSettings
  const random = yield* SecureRandom.SecureRandom

  const deed = (action: Action, { organizationId, mode }: EndpointOwner, id: EndpointId) =>
    recordOf(ids, { action, organizationId, subject: id, detail: mode })

  /** Adds the endpoint; nothing, `unlessKnown`, if the owner has one with this address. */
  const add = Effect.fnUntraced(
    function* (owner: EndpointViewer, draft: EndpointDraft, unlessKnown: boolean) {
      const now = yield* Clock.currentTimeMillis
      const secret = yield* generateSecret
      const endpoint: Endpoint = {
        ...draft,
        id: yield* ids.next("whe"),
        organizationId: owner.organizationId,
        mode: owner.mode,
        connectionId: cashierOf(viewerOf(owner)),
        secret,
        previousSecret: null,
        disabled: false,
        failureCount: 0,
        pauseCount: 0,
        pausedUntil: null,
        createdAt: now,
        updatedAt: now
      }
      const audit = yield* deed("endpoint.created", owner, endpoint.id)
      const added = yield* store.addEndpoint(endpoint, settings.webhook.maxEndpoints, audit, { unlessKnown })
      return { endpoint, secret, added }
    },
    Effect.provideService(SecureRandom.SecureRandom, random)
  )

  const drafted = (owner: EndpointViewer, body: unknown) =>
    Effect.fromResult(checkEndpoint(body, owner.mode, rulesOf(settings)))

  // An owner has a handful of endpoints, so one verb serves both lists and look-ups.
  const list = Effect.fnUntraced(function* (owner: EndpointViewer) {
    const viewer = viewerOf(owner)
    return (yield* store.endpoints(owner)).filter((endpoint) => isWithin(viewer, endpoint))
  })

  const get = Effect.fnUntraced(function* (owner: EndpointViewer, id: EndpointId) {
    const endpoint = (yield* list(owner)).find((each) => each.id === id)
    if (endpoint !== undefined) return endpoint
    const organization = isStorable(id) ? yield* store.organizationOf(id) : Option.none()
    const isForeign = Option.exists(organization, (found) => found !== owner.organizationId)
    return yield* isForeign ? new Forbidden() : new EndpointNotFound()
  })

  const patch = Effect.fn("Webhooks.patch")(function* (owner: EndpointViewer, id: EndpointId, body: unknown) {
    const endpoint = yield* get(owner, id)
    const changes = yield* Effect.fromResult(checkEndpointPatch(body, owner.mode, rulesOf(settings)))
    if (Object.keys(changes).length === 0) return endpoint
    const audit = yield* deed("endpoint.changed", owner, id)
    return yield* store.patchEndpoint(owner, id, changes, yield* Clock.currentTimeMillis, audit)
  })

  const delivery = Effect.fnUntraced(function* (owner: EndpointViewer, id: EndpointId, deliveryId: DeliveryId) {
    const endpoint = yield* get(owner, id)
    const found = isStorable(deliveryId) ? yield* store.delivery(endpoint.id, deliveryId) : Option.none()
    if (Option.isNone(found)) return yield* new DeliveryNotFound()
    const logged: LoggedDelivery = { ...found.value, delivery: afterPause(found.value.delivery, endpoint) }
    return logged
  })

  /** Adds a delivery of the event; none if there is no such event any more. */
  const send = Effect.fnUntraced(function* (
    owner: EndpointViewer,
    endpoint: Endpoint,
    event: Pick<Delivery, "kind" | "invoiceId" | "eventId" | "sequence">
  ) {
    const now = yield* Clock.currentTimeMillis
    const delivery = newDelivery(endpoint, { ...event, id: yield* ids.next("dlv") }, now)
    const isAdded = yield* store.addDelivery(delivery)
    if (!isAdded) {
      // The endpoint may have been removed in this moment.
      yield* get(owner, endpoint.id)
      return Option.none()
    }
    yield* hints.deliveriesDue(endpoint)
    return Option.some(delivery)
  })

  return {
    /** The owner's endpoints, oldest first. */
    list,
    /** Adds an endpoint: `{ url, events? }`. */
    create: Effect.fn("Webhooks.create")(function* (owner: EndpointViewer, body: unknown) {
      const { endpoint, secret } = yield* add(owner, yield* drafted(owner, body), false)
      const made: EndpointWithSecret = { endpoint, secret }
      return made
    }),
    /**
     * The owner's endpoint with this address, made if there is none, and wanting these events: one, however often and
     * by how many at once this is asked. Its secret stays what it was, and one that is disabled stays so.
     */
    ensure: Effect.fn("Webhooks.ensure")(function* (owner: EndpointViewer, body: unknown) {
      const draft = yield* drafted(owner, body)
      const cashier = cashierOf(viewerOf(owner))
      const known = Effect.map(list(owner), (all) =>
        all.find(({ url, connectionId }) => url === draft.url && connectionId === cashier)
      )
      const found = yield* known
      const made = found === undefined ? yield* add(owner, draft, true) : undefined
      if (made?.added === true) return { endpoint: made.endpoint, secret: made.secret }
      // Another has made it in this moment, unless it has been removed since.
      const endpoint = found ?? (yield* known) ?? (yield* new EndpointNotFound())
      const isWanted = endpoint.events.join() === draft.events.join()
      const { events } = draft
      const shown = isWanted ? endpoint : yield* patch(owner, endpoint.id, { events })
      return { endpoint: shown, secret: shown.secret }
    }),
    /** One endpoint. */
    get,
    /** Changes an endpoint: `{ url?, events?, disabled? }`; absent members stay. */
    patch,
    /** Removes an endpoint. Its pending deliveries are given up, its log stays. */
    remove: Effect.fn("Webhooks.remove")(function* (owner: EndpointViewer, id: EndpointId) {
      yield* get(owner, id)
      const audit = yield* deed("endpoint.deleted", owner, id)
      yield* store.removeEndpoint(owner, id, yield* Clock.currentTimeMillis, audit)
    }),
    /** Replaces the secret. The old one signs as well for `settings.webhook.rotationMs`; one before it no more. */
    rotateSecret: Effect.fn("Webhooks.rotateSecret")(
      function* (owner: EndpointViewer, id: EndpointId) {
        const { secret: previous } = yield* get(owner, id)
        const now = yield* Clock.currentTimeMillis
        const secret = yield* generateSecret
        const previousSecret = { secret: previous, until: now + settings.webhook.rotationMs }
        const audit = yield* deed("endpoint.secret_rotated", owner, id)
        const endpoint = yield* store.patchEndpoint(owner, id, { secret, previousSecret }, now, audit)
        const rotated: EndpointWithSecret = { endpoint, secret }
        return rotated
      },
      Effect.provideService(SecureRandom.SecureRandom, random)
    ),
    /** Sends the event `webhook.test`, whichever kinds the endpoint wants. */
    test: Effect.fn("Webhooks.test")(function* (owner: EndpointViewer, id: EndpointId) {
      const endpoint = yield* get(owner, id)
      const eventId = yield* ids.next("evt")
      const event = { kind: "webhook.test", invoiceId: testInvoiceId, eventId, sequence: 1 } as const
      const sent = yield* send(owner, endpoint, event)
      // Only a removal keeps a test from being sent.
      return Option.isSome(sent) ? sent.value : yield* new EndpointNotFound()
    }),
    /** A page of the endpoint's deliveries. */
    deliveries: Effect.fnUntraced(function* (owner: EndpointViewer, id: EndpointId, request: DeliveriesRequest) {
      const endpoint = yield* get(owner, id)
      const query = yield* Effect.fromResult(checkDeliveries(endpoint.id, request, settings))
      const { total, deliveries } = yield* store.deliveries(query)
      const shown = deliveries.map((each) => afterPause(each, endpoint))
      const page: DeliveryPage = { total, limit: query.limit, offset: query.offset, deliveries: shown }
      return page
    }),
    /** One delivery with its attempts. */
    delivery,
    /** Sends the event of a delivery again, whatever became of that one: as a new delivery, with the event's own id. */
    resend: Effect.fn("Webhooks.resend")(function* (owner: EndpointViewer, id: EndpointId, deliveryId: DeliveryId) {
      const { delivery: earlier } = yield* delivery(owner, id, deliveryId)
      const { kind, invoiceId, eventId, sequence } = earlier
      const sent = yield* send(owner, yield* get(owner, id), { kind, invoiceId, eventId, sequence })
      // The sandbox has forgotten the invoice since, and its deliveries.
      return Option.isSome(sent) ? sent.value : yield* new DeliveryNotFound()
    })
  }
})

/**
 * The use-cases of a merchant's endpoints. Bodies are of unknown content and checked here. An endpoint of another
 * organization is `Forbidden`; one of the other mode is `EndpointNotFound`. For a live caller bound to a cashier,
 * so is every endpoint that is not of that cashier.
 */
export class Webhooks extends Context.Service<Webhooks, Effect.Success<typeof make>>()("@tolem/core/Webhooks") {
  /** The use-cases over the store. */
  static readonly layer = Layer.effect(Webhooks, make)
}

const viewerOf = (owner: EndpointViewer) => ({ ...owner, connectionId: owner.connectionId ?? null })

/** What is due while its endpoint pauses goes out after that. */
const afterPause = (delivery: Delivery, { pausedUntil }: Endpoint): Delivery =>
  delivery.status === "pending" && pausedUntil !== null && pausedUntil > delivery.dueAt
    ? { ...delivery, dueAt: pausedUntil }
    : delivery
