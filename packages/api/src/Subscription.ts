/** Wire schemas of subscriptions. */
import { InvoiceKind } from "@tolem/core/invoice/Invoice"
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
  kind: InvoiceKind,
  interval: Interval,
  every: Schema.Int.annotate({ description: "Every so many intervals, 1 to 12" }),
  dayOfMonth: Schema.NullOr(Schema.Int).annotate({ description: "1 to 28: that day at 10:00 in Almaty" }),
  customer,
  nextRunAt: DateTime.annotate({
    description: "Of a cancelled or finished subscription: the date that would have been next"
  }),
  lastRunAt: Schema.NullOr(DateTime),
  lastInvoiceId: text,
  runs: Schema.Int.annotate({ description: "Invoices made so far; those issued again do not count" }),
  maxRuns: Schema.NullOr(Schema.Int),
  metadata,
  createdAt: DateTime,
  retry: Schema.Array(Schema.Int).annotate({
    description: "Hours after which a failed or expired invoice is issued again, at most five"
  }),
  misfire: Misfire.annotate({ description: "What becomes of missed dates: one invoice for all of them, or none" })
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

const near = "At most an hour back and 10 years ahead"
const dayOfMonth = Schema.optionalKey(
  Schema.NullOr(Schema.Int).annotate({ description: "1 to 28, with the interval `month` only" })
)
const startAt = Schema.optionalKey(Schema.NullOr(DateTime).annotate({ description: `The first date. ${near}` }))
const maxRuns = Schema.optionalKey(Schema.NullOr(Schema.Int))

/** A member of a create request with a default, which null means too. */
const withDefault = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** A create request. The server checks it by the core's rules and answers the core's codes. */
export const SubscriptionCreate = Schema.Struct({
  amount,
  kind: withDefault(InvoiceKind),
  description: optionalText,
  interval: withDefault(Interval),
  every: withDefault(Schema.Int),
  dayOfMonth,
  startAt,
  maxRuns,
  retry: withDefault(Schema.Array(Schema.Int)),
  misfire: withDefault(Misfire),
  customer: customerInput,
  metadata: Schema.optionalKey(metadata),
  idempotencyKey: optionalText
}).annotate({ identifier: "SubscriptionCreate" })

/** A patch request: what is left out stays, of the customer too; null empties what may be empty. */
export const SubscriptionPatch = Schema.Struct({
  amount: Schema.optionalKey(amount),
  kind: Schema.optionalKey(InvoiceKind),
  description: optionalText,
  interval: Schema.optionalKey(Interval),
  every: Schema.optionalKey(Schema.Int),
  dayOfMonth,
  startAt,
  maxRuns,
  retry: withDefault(Schema.Array(Schema.Int)),
  misfire: Schema.optionalKey(Misfire),
  nextRunAt: Schema.optionalKey(Schema.NullOr(DateTime).annotate({ description: near })),
  customer: customerInput,
  metadata: Schema.optionalKey(metadata)
}).annotate({ identifier: "SubscriptionPatch" })
