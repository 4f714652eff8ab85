/** Wire schemas of subscriptions. */
import { InvoiceKind } from "@tolem/core/invoice/Invoice"
import { subscriptionBounds } from "@tolem/core/subscription/SubscriptionDraft"
import { Schema } from "effect"
import {
  amount,
  customer,
  customerInput,
  DateTime,
  id,
  idempotencyKey,
  metadata,
  money,
  optional,
  pageFields,
  text,
  upTo,
  whole,
  withDefault
} from "./Members.ts"

const Status = Schema.Literals(["active", "paused", "cancelled", "finished"])
const Interval = Schema.Literals(["day", "week", "month"])
const Misfire = Schema.Literals(["run_once", "skip"])

const every = whole(1, subscriptionBounds.every).annotate({ description: "Every so many intervals" })
const day = whole(1, subscriptionBounds.dayOfMonth).annotate({
  description: "That day at 10:00 in Almaty, with the interval `month` only"
})
const retry = Schema.Array(whole(1, subscriptionBounds.retryHours)).annotate({
  maxItems: subscriptionBounds.retries,
  description: "Hours after which a failed or expired invoice is issued again"
})

/** A subscription: a schedule that makes invoices. */
export const Subscription = Schema.Struct({
  id: id("sub"),
  status: Status,
  amount: money,
  description: text,
  kind: InvoiceKind,
  interval: Interval,
  every,
  dayOfMonth: Schema.NullOr(day),
  customer,
  nextRunAt: DateTime.annotate({
    description: "Of a cancelled or finished subscription: the date that would have been next"
  }),
  lastRunAt: Schema.NullOr(DateTime),
  lastInvoiceId: text,
  runs: whole(0).annotate({ description: "Invoices made so far; those issued again do not count" }),
  maxRuns: Schema.NullOr(whole(1)),
  metadata,
  createdAt: DateTime,
  retry,
  misfire: Misfire.annotate({ description: "What becomes of missed dates: one invoice for all of them, or none" })
}).annotate({ identifier: "Subscription" })
/** See the schema of the same name. */
export type Subscription = typeof Subscription.Type

/** A page of subscriptions, newest first. */
export const SubscriptionPage = Schema.Struct({
  ...pageFields,
  subscriptions: Schema.Array(Subscription)
}).annotate({ identifier: "SubscriptionPage" })

const near = "At most an hour back and 10 years ahead"
const description = optional(upTo(subscriptionBounds.description))
const dayOfMonth = optional(day)
const startAt = Schema.optionalKey(Schema.NullOr(DateTime).annotate({ description: `The first date. ${near}` }))
const maxRuns = optional(whole(1))

/** A create request. The server checks it by the core's rules and answers the core's codes. */
export const SubscriptionCreate = Schema.Struct({
  amount,
  kind: withDefault(InvoiceKind, "qr"),
  description,
  interval: withDefault(Interval, "month"),
  every: withDefault(every, 1),
  dayOfMonth,
  startAt,
  maxRuns,
  retry: withDefault(retry, []),
  misfire: withDefault(Misfire, "run_once"),
  customer: customerInput,
  metadata: Schema.optionalKey(metadata),
  idempotencyKey: optional(idempotencyKey)
}).annotate({
  identifier: "SubscriptionCreate",
  examples: [
    {
      amount: 4990,
      description: "Yoga, monthly",
      interval: "month",
      dayOfMonth: 5,
      maxRuns: 12,
      customer: { name: "Aliya", email: "aliya@example.kz" }
    }
  ]
})

/** A patch request: what is left out stays, of the customer too; null empties what may be empty. */
export const SubscriptionPatch = Schema.Struct({
  amount: Schema.optionalKey(amount),
  kind: Schema.optionalKey(InvoiceKind),
  description,
  interval: Schema.optionalKey(Interval),
  every: Schema.optionalKey(every),
  dayOfMonth,
  startAt,
  maxRuns,
  retry: optional(retry),
  misfire: Schema.optionalKey(Misfire),
  nextRunAt: Schema.optionalKey(Schema.NullOr(DateTime).annotate({ description: near })),
  customer: customerInput,
  metadata: Schema.optionalKey(metadata)
}).annotate({ identifier: "SubscriptionPatch", examples: [{ amount: 5490, description: "Yoga, new price" }] })
