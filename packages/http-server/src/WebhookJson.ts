/** Webhook endpoints, deliveries and attempts as answers show them. Pure. */
import { toIso } from "@tolem/core/Calendar"
import type { Attempt, Delivery, Endpoint } from "@tolem/core/webhook/Webhook"
import { type Redacted, Redacted as Secret } from "effect"

/** An endpoint, without its secret. */
export const endpointJson = (endpoint: Endpoint) => ({
  id: endpoint.id,
  mode: endpoint.mode,
  url: endpoint.url,
  events: endpoint.events,
  disabled: endpoint.disabled,
  failureCount: endpoint.failureCount,
  pausedUntil: isoOrNull(endpoint.pausedUntil),
  createdAt: toIso(endpoint.createdAt),
  updatedAt: toIso(endpoint.updatedAt)
})

/** An endpoint with its secret: for the answers that show it once. */
export const endpointWithSecretJson = (endpoint: Endpoint, secret: Redacted.Redacted) => ({
  ...endpointJson(endpoint),
  secret: Secret.value(secret)
})

/** A delivery without its attempts. */
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

/** One try of a delivery. */
export const attemptJson = (attempt: Attempt) => ({ ...attempt, startedAt: toIso(attempt.startedAt) })

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
