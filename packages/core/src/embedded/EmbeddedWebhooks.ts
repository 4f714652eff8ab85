/** Webhook endpoints of an embedded engine, and the log of their deliveries, as promises; see `createEngine`. */
import { Effect } from "effect"
import { outlookOf } from "../cabinet/Desks.ts"
import type { Engine } from "../engine/Engine.ts"
import type { Caller } from "../invoice/InvoiceCreation.ts"
import type { DeliveryId, EndpointId, InvoiceId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import { deliveriesJson, deliveryJson, endpointFace, loggedDeliveryJson } from "../webhook/EndpointJson.ts"
import type { EndpointChanges, EndpointRequest } from "../webhook/EndpointRequests.ts"
import type { Delivery } from "../webhook/Webhook.ts"
import { faceOf, type RunPromise, same, shownBy } from "./Faces.ts"
import type { DeliveryFilter } from "./Filters.ts"

type EndpointObject = ReturnType<typeof endpointFace.one>
type EndpointWithSecret = ReturnType<typeof endpointFace.made>
type DeliveryObject = ReturnType<typeof deliveryJson>

/** Which events are sent again: those of a time, which ends now at the latest. */
export interface ReplayRequest {
  /** An ISO 8601 date-time, a date, or `continueFrom` of an earlier answer. */
  readonly from: string
  readonly to?: string | null | undefined
  /** Only events of which no delivery succeeded or is pending. */
  readonly failedOnly?: boolean | undefined
}

/** What a merchant does with addresses that events are sent to. */
export interface EmbeddedWebhooks {
  /** Adds an address. The secret that its deliveries are signed with is shown this once. */
  readonly create: (request: EndpointRequest) => Promise<EndpointWithSecret>
  /**
   * The address with these events, made if there is none: one, however often it is asked for. The secret is shown
   * each time, for receivers in the same application.
   */
  readonly ensure: (request: EndpointRequest) => Promise<EndpointWithSecret>
  /** The endpoints that the mode and the cashier see, oldest first. */
  readonly list: () => Promise<ReturnType<typeof endpointFace.all>>
  /** One endpoint. */
  readonly get: (id: EndpointId) => Promise<EndpointObject>
  /** Changes what is given; the rest stays. */
  readonly patch: (id: EndpointId, changes: EndpointChanges) => Promise<EndpointObject>
  /** Removes an endpoint. Its pending deliveries are given up, its log stays. */
  readonly remove: (id: EndpointId) => Promise<void>
  /** Replaces the secret. The old one signs as well for `settings.webhook.rotationMs`; one before it no more. */
  readonly rotateSecret: (id: EndpointId) => Promise<EndpointWithSecret>
  /** Sends the event `webhook.test`, whichever kinds the endpoint wants. */
  readonly test: (id: EndpointId) => Promise<DeliveryObject>
  /** A page of what was sent, newest first. */
  readonly deliveries: (id: EndpointId, filter?: DeliveryFilter) => Promise<ReturnType<typeof deliveriesJson>>
  /** One delivery with its attempts. */
  readonly delivery: (id: EndpointId, deliveryId: DeliveryId) => Promise<ReturnType<typeof loggedDeliveryJson>>
  /** Sends the event of a delivery again, whatever became of that one: as a new delivery, with the event's own id. */
  readonly resend: (id: EndpointId, deliveryId: DeliveryId) => Promise<DeliveryObject>
  /**
   * Sends the events of a time again, each once, as new deliveries. `continueFrom`: the `from` that goes on with the
   * same replay, if there were more than one request takes.
   */
  readonly replay: (
    id: EndpointId,
    request: ReplayRequest
  ) => Promise<{ readonly sent: number; readonly continueFrom: string | null }>
  /** What was sent of an invoice, to any endpoint, oldest first. */
  readonly ofInvoice: (id: InvoiceId) => Promise<{ readonly deliveries: ReadonlyArray<DeliveryObject> }>
}

/** What a merchant does with addresses that events are sent to, as promises. */
export const webhooksOf = (
  { webhooks, deskWebhooks, invoices }: Engine["Service"],
  caller: Caller,
  run: RunPromise
): EmbeddedWebhooks => {
  const verbs = {
    ...webhooks,
    create: (owner: Viewer, request: EndpointRequest) => webhooks.create(owner, request),
    ensure: (owner: Viewer, request: EndpointRequest) => webhooks.ensure(owner, request),
    patch: (owner: Viewer, id: EndpointId, changes: EndpointChanges) => webhooks.patch(owner, id, changes),
    deliveries: (owner: Viewer, id: EndpointId, filter: DeliveryFilter = {}) => webhooks.deliveries(owner, id, filter),
    // The endpoint is looked for first: one that a cashier is bound to is seen by that cashier only.
    replay: (owner: Viewer, id: EndpointId, request: ReplayRequest) =>
      Effect.andThen(webhooks.get(owner, id), () => deskWebhooks.replay(outlookOf(owner), id, { ...request })),
    ofInvoice: (owner: Caller, id: InvoiceId) =>
      Effect.andThen(invoices.get(owner, id), () => deskWebhooks.ofInvoice(outlookOf(owner), id))
  }
  return faceOf<EmbeddedWebhooks>()(run, caller)(verbs, {
    ...shownBy(endpointFace),
    ensure: endpointFace.made,
    rotateSecret: endpointFace.made,
    test: deliveryJson,
    deliveries: deliveriesJson,
    delivery: loggedDeliveryJson,
    resend: deliveryJson,
    replay: same,
    ofInvoice: (sent: ReadonlyArray<Delivery>) => ({ deliveries: sent.map(deliveryJson) })
  })
}
