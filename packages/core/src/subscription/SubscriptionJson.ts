/** Subscriptions as answers show them (interface specification, Subscription). Pure. */
import { toIso } from "../value/Calendar.ts"
import type { JsonObject } from "../value/Checks.ts"
import { toTenge } from "../value/Money.ts"
import { asText, type JsonText, withRawMember } from "../value/RawJson.ts"
import type { Run } from "./Run.ts"
import type { Subscription, SubscriptionEvent } from "./Subscription.ts"
import type { SubscriptionDetail } from "./SubscriptionStore.ts"

// In the order of the specification, what it does not know at the end.
const head = (subscription: Subscription) => ({
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
  lastRunAt: isoOrNull(subscription.lastRunAt),
  lastInvoiceId: subscription.lastInvoiceId,
  runs: subscription.runs,
  maxRuns: subscription.maxRuns
})

const tail = (subscription: Subscription) => ({
  createdAt: toIso(subscription.createdAt),
  retry: subscription.retryHours,
  misfire: subscription.misfire
})

/** A subscription as answers show it: amounts in tenge, instants in ISO 8601 (UTC). */
export type SubscriptionObject = ReturnType<typeof head> & { readonly metadata: JsonObject | null } & ReturnType<
    typeof tail
  >

/** The subscription as an object. Its metadata is parsed, so large digits and the order of members may be lost. */
export const subscriptionObject = (subscription: Subscription): SubscriptionObject => ({
  ...head(subscription),
  metadata: subscription.metadata === null ? null : JSON.parse(subscription.metadata),
  ...tail(subscription)
})

/** JSON text of a subscription. Its metadata is the text that was sent; `extras` are further members. */
export const renderSubscription = <Extras extends object = Record<never, never>>(
  subscription: Subscription,
  extras?: Extras
): JsonText<SubscriptionObject & Extras> =>
  withRawMember(head(subscription), "metadata", asText<JsonObject | null>(subscription.metadata ?? "null"), {
    ...tail(subscription),
    ...(extras as Extras)
  })

/** A subscription with its runs and events, oldest first, and what keeps its next run from being made. */
export const subscriptionDetailJson = ({ subscription, runs, events }: SubscriptionDetail) => ({
  subscription: subscriptionObject(subscription),
  faults: subscription.faults,
  fault: subscription.fault,
  runs: runs.map(runJson),
  events: events.map(eventJson)
})

/** A run, with the instant at which something is done about it by itself. */
export const runJson = ({ run, scheduledAt, invoiceIds, status, faults, dueAt }: Run) => ({
  run,
  scheduledAt: isoOrNull(scheduledAt),
  invoiceIds,
  status,
  faults,
  dueAt: isoOrNull(dueAt)
})

const eventJson = ({ id, sequence, type, source, run, invoiceId, code, createdAt }: SubscriptionEvent) => ({
  id,
  sequence,
  type,
  source,
  run,
  invoiceId,
  code,
  createdAt: toIso(createdAt)
})

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
