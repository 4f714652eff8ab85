/** Webhook endpoints of an embedded engine, and the log of their deliveries, as promises; see `createEngine`. */
import type { Engine } from "../engine/Engine.ts"
import type { EndpointId } from "../value/Ids.ts"
import type { Viewer } from "../value/Tenant.ts"
import { deliveriesJson, deliveryJson, endpointFace, loggedDeliveryJson } from "../webhook/EndpointJson.ts"
import type { EndpointChanges, EndpointRequest } from "../webhook/EndpointRequests.ts"
import { faceOf, type RunPromise, shownBy } from "./Faces.ts"
import type { DeliveryFilter } from "./Filters.ts"

/** What a merchant does with addresses that events are sent to. */
export const webhooksOf = ({ webhooks }: Engine["Service"], viewer: Viewer, run: RunPromise) => {
  const verbs = {
    ...webhooks,
    /** Adds an address. The secret that its deliveries are signed with is shown this once. */
    create: (owner: Viewer, request: EndpointRequest) => webhooks.create(owner, request),
    /**
     * The address with these events, made if there is none: one, however often it is asked for. The secret is shown
     * each time, for receivers in the same application.
     */
    ensure: (owner: Viewer, request: EndpointRequest) => webhooks.ensure(owner, request),
    /** Changes what is given; the rest stays. */
    patch: (owner: Viewer, id: EndpointId, changes: EndpointChanges) => webhooks.patch(owner, id, changes),
    /** A page of what was sent, newest first. */
    deliveries: (owner: Viewer, id: EndpointId, filter: DeliveryFilter = {}) => webhooks.deliveries(owner, id, filter)
  }
  return faceOf(run, viewer)(verbs, {
    ...shownBy(endpointFace),
    ensure: endpointFace.made,
    rotateSecret: endpointFace.made,
    test: deliveryJson,
    deliveries: deliveriesJson,
    delivery: loggedDeliveryJson,
    resend: deliveryJson
  })
}
