/** Subscriptions as answers show them (interface specification, Subscription). Pure. */
import { toIso } from "../Calendar.ts"
import { toTenge } from "../Money.ts"
import type { Subscription } from "./Subscription.ts"

const members = (subscription: Subscription) => ({
  id: subscription.id,
  status: subscription.status,
  amount: toTenge(subscription.amount),
  description: subscription.description,
  kind: subscription.kind,
  interval: subscription.interval,
  every: subscription.every,
  dayOfMonth: subscription.dayOfMonth,
  customer: subscription.customer,
  nextRunAt: toIso(subscription.nextRunAt),
  lastRunAt: subscription.lastRunAt === null ? null : toIso(subscription.lastRunAt),
  lastInvoiceId: subscription.lastInvoiceId,
  runs: subscription.runs,
  maxRuns: subscription.maxRuns,
  retry: subscription.retryHours,
  misfire: subscription.misfire,
  createdAt: toIso(subscription.createdAt)
})

/** A subscription as answers show it: amounts in tenge, instants in ISO 8601 (UTC). */
export type SubscriptionObject = ReturnType<typeof members> & { readonly metadata: unknown }

/** The subscription as an object. Its metadata is parsed, so large digits and the order of members may be lost. */
export const toObject = (subscription: Subscription): SubscriptionObject => ({
  ...members(subscription),
  metadata: subscription.metadata === null ? null : JSON.parse(subscription.metadata)
})

/** JSON text of a subscription. Its metadata is the text that was sent; `extras` are further members. */
export const render = (subscription: Subscription, extras: Readonly<Record<string, unknown>> = {}): string => {
  const text = JSON.stringify({ ...members(subscription), ...extras })
  return `${text.slice(0, -1)},"metadata":${subscription.metadata ?? "null"}}`
}
