/** Wire schemas of subscriptions. */
import { Kind } from "@tolem/core/invoice/Invoice"
import { Schema } from "effect"
import { amount, customer, customerInput, DateTime, metadata, optionalText, text } from "./Members.ts"

const Status = Schema.Literals(["active", "paused", "cancelled", "finished"])
const Interval = Schema.Literals(["day", "week", "month"])
const Misfire = Schema.Literals(["run_once", "skip"])

/** A subscription: a schedule that makes invoices. */
export const Subscription = Schema.Struct({
  id: Schema.String.annotate({ description: "`sub_` and an opaque identifier" }),
  status: Status,
  amount,
  description: text,
  kind: Kind,
  interval: Interval,
  every: Schema.Int.annotate({ description: "Every so many intervals, 1 to 12" }),
  dayOfMonth: Schema.NullOr(Schema.Int).annotate({ description: "1 to 28: that day at 10:00 in Almaty" }),
  customer,
  nextRunAt: DateTime,
  lastRunAt: Schema.NullOr(DateTime),
  lastInvoiceId: text,
  runs: Schema.Int.annotate({ description: "Invoices made so far; those issued again do not count" }),
  maxRuns: Schema.NullOr(Schema.Int),
  retry: Schema.Array(Schema.Int).annotate({
    description: "Hours after which a failed or expired invoice is issued again, at most five"
  }),
  misfire: Misfire.annotate({ description: "What becomes of missed dates: one invoice for all of them, or none" }),
  metadata,
  createdAt: DateTime
}).annotate({ identifier: "Subscription" })
/** See the schema of the same name. */
export type Subscription = typeof Subscription.Type

/** A page of subscriptions, newest first. */
export const SubscriptionPage = Schema.Struct({
  total: Schema.Int,
  limit: Schema.Int,
  offset: Schema.Int,
  subscriptions: Schema.Array(Subscription)
}).annotate({ identifier: "SubscriptionPage" })

const schedule = {
  interval: Schema.optionalKey(Interval),
  every: Schema.optionalKey(Schema.Int),
  dayOfMonth: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  startAt: Schema.optionalKey(Schema.NullOr(DateTime)),
  maxRuns: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  retry: Schema.optionalKey(Schema.Array(Schema.Int)),
  misfire: Schema.optionalKey(Misfire)
}

/** A create request. The server checks it by the core's rules and answers the core's codes. */
export const SubscriptionCreate = Schema.Struct({
  amount,
  kind: Schema.optionalKey(Kind),
  description: optionalText,
  ...schedule,
  customer: customerInput,
  metadata: Schema.optionalKey(metadata),
  idempotencyKey: optionalText
}).annotate({ identifier: "SubscriptionCreate" })

/** A patch request: what is left out stays. */
export const SubscriptionPatch = Schema.Struct({
  amount: Schema.optionalKey(amount),
  kind: Schema.optionalKey(Kind),
  description: optionalText,
  ...schedule,
  nextRunAt: Schema.optionalKey(DateTime),
  customer: customerInput,
  metadata: Schema.optionalKey(metadata)
}).annotate({ identifier: "SubscriptionPatch" })
