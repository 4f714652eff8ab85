/** The life of a delivery: how it begins, and what each attempt makes of it. Pure. */
import type { Delivery, Endpoint } from "./Webhook.ts"
import type { AttemptOutcome } from "./WebhookStore.ts"

/** An event on its way to an endpoint, due at once. */
export const newDelivery = (
  endpoint: Pick<Endpoint, "id" | "organizationId" | "mode">,
  facts: Pick<Delivery, "id" | "kind" | "invoiceId" | "eventId" | "sequence">,
  now: number
): Delivery => ({
  ...facts,
  endpointId: endpoint.id,
  organizationId: endpoint.organizationId,
  mode: endpoint.mode,
  status: "pending",
  attemptCount: 0,
  dueAt: now,
  createdAt: now,
  completedAt: null
})

/** A delivery after the attempt of this number, which was settled at `now`. One that has ended stays as it is. */
export const deliveryAfter = (delivery: Delivery, number: number, outcome: AttemptOutcome, now: number): Delivery => {
  if (delivery.status !== "pending") return delivery
  const tried = { ...delivery, attemptCount: number }
  if (outcome._tag === "Retry") return { ...tried, dueAt: outcome.dueAt }
  return { ...tried, status: outcome._tag === "Delivered" ? "delivered" : "failed", completedAt: now }
}
