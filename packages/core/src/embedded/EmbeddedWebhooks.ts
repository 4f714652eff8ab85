/** Webhook endpoints of an embedded engine, and the log of their deliveries, as promises; see `createEngine`. */
import type { Engine } from "../engine/Engine.ts"
import type { Viewer } from "../value/Tenant.ts"
import { deliveryJson, endpointJson, endpointWithSecretJson, loggedDeliveryJson } from "../webhook/EndpointJson.ts"
import type { DeliveriesRequest, EndpointChanges, EndpointRequest } from "../webhook/EndpointRequests.ts"
import type { EndpointWithSecret, Webhooks } from "../webhook/Webhooks.ts"
import { bound, type Complete, type RunPromise } from "./Promises.ts"

/** What a merchant does with addresses that events are sent to. */
export const webhooksOf = ({ webhooks }: Engine["Service"], viewer: Viewer, run: RunPromise) => {
  const verb = bound(viewer, run)
  const showSecret = ({ endpoint, secret }: EndpointWithSecret) => endpointWithSecretJson(endpoint, secret)
  const create: (request: EndpointRequest) => Promise<EndpointSecret> = verb(webhooks.create, showSecret)
  const patch: (id: string, changes: EndpointChanges) => Promise<EndpointObject> = verb(webhooks.patch, endpointJson)
  const deliveries = verb(webhooks.deliveries, (page) => ({ ...page, deliveries: page.deliveries.map(deliveryJson) }))
  return {
    /** Adds an address. The secret that its deliveries are signed with is shown this once. */
    create,
    /** All addresses, oldest first. */
    list: verb(webhooks.list, (endpoints) => endpoints.map(endpointJson)),
    get: verb(webhooks.get, endpointJson),
    /** Changes what is given; the rest stays. */
    patch,
    /** Removes an address; nothing more is sent to it. */
    remove: verb(webhooks.remove, () => undefined),
    /** Replaces the secret; the old one signs as well for a day. */
    rotateSecret: verb(webhooks.rotateSecret, showSecret),
    /** Sends the event `webhook.test`. */
    test: verb(webhooks.test, deliveryJson),
    /** A page of what was sent, newest first. */
    deliveries: (id: string, request: DeliveriesRequest = {}) => deliveries(id, request),
    /** One delivery with its attempts. */
    delivery: verb(webhooks.delivery, loggedDeliveryJson),
    /** Sends the event of a delivery again, as a new one. */
    resend: verb(webhooks.resend, deliveryJson)
  } satisfies Complete<Webhooks["Service"]>
}

type EndpointObject = ReturnType<typeof endpointJson>
type EndpointSecret = ReturnType<typeof endpointWithSecretJson>
