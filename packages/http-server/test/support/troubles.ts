/** What needs attention in the cabinet, written as it would have come about: in a sandbox, and in live mode. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { recordOnly } from "@tolem/core/invoice/live/LiveRefund"
import { type Subscription, subscriptionCreated } from "@tolem/core/subscription/Subscription"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { changeOf, creationOf, deliveryOf, endpointOf, refundOf } from "@tolem/testing/fixtures"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { subscriptionOf } from "@tolem/testing/storage/SubscriptionCases"
import { Effect } from "effect"

/** The address of the endpoint that rests. */
export const pausedUrl = "https://shop.example/hooks"

const minuteMs = 60_000

/**
 * Late money of 700 tenge for "order 7", a refund of which no one knows, an endpoint that rests with five messages that
 * it never got, and a subscription that is stuck. Answers the invoice of the late money.
 */
export const sandboxTroubles = Effect.fnUntraced(function* (organizationId: OrganizationId, now: number) {
  const tenant = { organizationId, mode: "sandbox", ...openSince(now - minuteMs) } as const
  const invoices = yield* InvoiceStore
  const late = creationOf({ ...tenant, amount: Tiyn(70_000), externalOrderId: "order 7" })
  const refunded = creationOf({ ...tenant, externalOrderId: "order 8" })
  const creations = Array.from({ length: 5 }, () => creationOf(tenant))
  yield* invoices.insertMany([late, refunded, ...creations])
  const expired = changeOf(late.invoice, InvoiceCommand.Expire())
  const paid = changeOf(refunded.invoice, InvoiceCommand.Pay({ paidAt: now - minuteMs }))
  yield* invoices.commitMany([expired, paid])
  const unknown = refundOf(paid.next, 50_000, { status: "unknown", createdAt: now, completedAt: null })
  const came = changeOf(expired.next, InvoiceCommand.Pay({ paidAt: now }))
  yield* invoices.commitMany([came, recordOnly(paid.next, unknown, now)])

  const members = { url: pausedUrl, pausedUntil: now + 10 * minuteMs, pauseCount: 1, updatedAt: now }
  const endpoint = endpointOf({ organizationId, mode: "sandbox", ...members })
  const webhooks = yield* WebhookStore
  yield* webhooks.addEndpoint(endpoint, 10)
  for (const [index, { event }] of creations.entries()) {
    const at = now - index
    yield* webhooks.addDelivery(deliveryOf(endpoint, event, { status: "failed", createdAt: at, completedAt: at }))
  }

  const stuck = { description: "Milk each week", fault: "connection_not_active" }
  yield* stuckSubscription({ organizationId, mode: "sandbox", ...stuck }, now)
  return late.invoice.id
})

/** A subscription whose run a fault keeps from being made. */
export const stuckSubscription = Effect.fnUntraced(function* (
  members: Partial<Subscription> & Pick<Subscription, "organizationId" | "mode" | "fault">,
  now: number
) {
  // It is due no more, so that no run is made of it while it is looked at.
  const times = { createdAt: now, updatedAt: now, nextRunAt: now - minuteMs, dueAt: null }
  const subscription = subscriptionOf({ faults: 2, ...times, ...members })
  const told = subscriptionCreated(subscription, `evt_${subscription.id}`, "api")
  yield* (yield* SubscriptionStore).insert(subscription, told)
})

/** A cashier whose session is lost, and of the trial's fifty invoices a day four fifths that were made today. */
export const liveTroubles = Effect.fnUntraced(function* (organizationId: OrganizationId, now: number) {
  const lost = connectionOf({ organizationId, name: "Till by the door", status: "expired", session: null })
  yield* (yield* ConnectionStore).add({ ...lost, updatedAt: now })
  const made = Array.from({ length: 40 }, () => creationOf({ organizationId, mode: "live", ...openSince(now) }))
  yield* (yield* InvoiceStore).insertMany(made)
})

const openSince = (at: number) => ({
  createdAt: at,
  updatedAt: at,
  expiresAt: at + 3 * minuteMs,
  dueAt: at + 3 * minuteMs
})
