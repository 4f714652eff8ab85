/** Endpoints, deliveries and attempts as answers show them (decided here: the specification has no shapes). Pure. */
import { Redacted } from "effect"
import { toIso } from "../value/Calendar.ts"
import type { Attempt, Delivery, Endpoint } from "./Webhook.ts"
import type { LoggedDelivery } from "./WebhookStore.ts"
import type { DeliveryPage, EndpointWithSecret } from "./Webhooks.ts"

/**
 * An endpoint, without its secret. `failureCount` is the number of failed attempts in a row; `pausedUntil` is set while
 * the endpoint rests after such failures. Empty `events` means all kinds.
 */
export const endpointJson = (endpoint: Endpoint) => ({
  id: endpoint.id,
  mode: endpoint.mode,
  url: endpoint.url,
  events: endpoint.events,
  disabled: endpoint.disabled,
  failureCount: endpoint.failureCount,
  pausedUntil: isoOrNull(endpoint.pausedUntil),
  createdAt: toIso(endpoint.createdAt),
  updatedAt: toIso(endpoint.updatedAt),
  connectionId: endpoint.connectionId
})

/** An endpoint with its secret: for the answers to create and to rotation, which show it once. */
export const endpointWithSecretJson = ({ endpoint, secret }: EndpointWithSecret) => ({
  ...endpointJson(endpoint),
  secret: Redacted.value(secret)
})

/** A delivery without its attempts. `nextAttemptAt` is null once it was delivered or given up. */
export const deliveryJson = (delivery: Delivery) => ({
  id: delivery.id,
  endpointId: delivery.endpointId,
  event: delivery.kind,
  invoiceId: delivery.invoiceId,
  eventId: delivery.eventId,
  sequence: delivery.sequence,
  status: delivery.status,
  attemptCount: delivery.attemptCount,
  nextAttemptAt: delivery.status === "pending" ? toIso(delivery.dueAt) : null,
  createdAt: toIso(delivery.createdAt),
  completedAt: isoOrNull(delivery.completedAt)
})

/** One try of a delivery: what was sent, and what came back. `error` says in a word why there was no whole answer. */
export const attemptJson = (attempt: Attempt) => ({ ...attempt, startedAt: toIso(attempt.startedAt) })

/** A delivery with its attempts by number. */
export const loggedDeliveryJson = ({ delivery, attempts }: LoggedDelivery) => ({
  ...deliveryJson(delivery),
  attempts: attempts.map(attemptJson)
})

/** How answers show endpoints: one, one that was just made, and all. */
export const endpointFace = {
  one: endpointJson,
  made: endpointWithSecretJson,
  all: (endpoints: ReadonlyArray<Endpoint>) => ({ endpoints: endpoints.map(endpointJson) })
}

/** A page of an endpoint's deliveries. */
export const deliveriesJson = (page: DeliveryPage) => ({ ...page, deliveries: page.deliveries.map(deliveryJson) })

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
