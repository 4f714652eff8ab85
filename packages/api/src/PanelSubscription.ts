/** Subscriptions, their sums, calendars and runs as members are shown them. */
import { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Schema } from "effect"
import { DateTime, money, pageFields, text, whole } from "./Members.ts"
import * as Wire from "./Subscription.ts"

/** A subscription, and what keeps its next run from being made. */
export const PanelSubscription = Schema.Struct({
  ...Wire.Subscription.fields,
  connectionId: text.annotate({ description: "Its cashier; null: the organization's default one" }),
  stuck: Schema.NullOr(
    Schema.Struct({
      code: Schema.String.annotate({ description: "Why the last try failed, as a code of the catalogue" }),
      tries: whole(1),
      since: DateTime.annotate({ description: "The date that could not be worked off" }),
      nextTryAt: Schema.NullOr(DateTime)
    })
  ),
  upcoming: Schema.Array(DateTime).annotate({ description: "Its next runs, five at most; none unless it is active" })
}).annotate({ identifier: "PanelSubscription" })

/** A page of subscriptions, newest first. */
export const PanelSubscriptionPage = Schema.Struct({
  ...pageFields,
  subscriptions: Schema.Array(PanelSubscription)
}).annotate({ identifier: "PanelSubscriptionPage" })

const due = { runs: whole(0), amount: money }
const day = Schema.String.annotate({ format: "date" })

/** How many subscriptions there are, and what the active ones are expected to bring. */
export const SubscriptionSums = Schema.Struct({
  active: whole(0),
  paused: whole(0),
  cancelled: whole(0),
  finished: whole(0),
  stuck: whole(0).annotate({ description: "Active ones whose next run could not be made" }),
  monthlyAmount: money.annotate({
    description: "What active ones bring in a month of 365/12 days, if each runs and is paid"
  }),
  next30Days: Schema.Struct(due)
}).annotate({ identifier: "PanelSubscriptionSums" })

/** A month with the days on which runs are expected, from now on. */
export const SubscriptionCalendar = Schema.Struct({
  from: day,
  to: day,
  today: day,
  ...due,
  days: Schema.Array(Schema.Struct({ day, ...due })).annotate({ description: "Those with runs, in order" })
}).annotate({ identifier: "PanelSubscriptionCalendar" })

/** Subscriptions with runs on a day. */
export const SubscriptionDay = Schema.Struct({
  day,
  next: text.annotate({ description: "The `after` that goes on, even behind an empty part; null: there are no more" }),
  due: Schema.Array(Schema.Struct({ runsAt: Schema.Array(DateTime), subscription: PanelSubscription }))
}).annotate({ identifier: "PanelSubscriptionDay" })

/** Runs of a subscription, newest first. */
export const SubscriptionRuns = Schema.Struct({
  next: Schema.NullOr(whole(1)).annotate({ description: "The `after` that goes on; null: there are no more" }),
  runs: Schema.Array(
    Schema.Struct({
      run: whole(1),
      scheduledAt: Schema.NullOr(DateTime).annotate({ description: "null: it was made out of schedule" }),
      status: Schema.Literals(["issuing", "open", "ended"]),
      faults: whole(0).annotate({ description: "Times in a row that the provider could not take the invoice" }),
      dueAt: Schema.NullOr(DateTime).annotate({ description: "When it is tried again, or its invoice issued again" }),
      tries: whole(1).annotate({ description: "Invoices that its ladder of retries may issue" }),
      invoices: Schema.Array(
        Schema.Struct({
          id: Schema.String,
          status: InvoiceStatus,
          amount: money,
          createdAt: DateTime,
          paidAt: Schema.NullOr(DateTime)
        })
      ).annotate({ description: "Oldest first" })
    })
  )
}).annotate({ identifier: "PanelSubscriptionRuns" })

const { interval, every, dayOfMonth, startAt, maxRuns } = Wire.SubscriptionCreate.fields

/** The schedule of a subscription that would be created. */
export const SchedulePreview = Schema.Struct({ interval, every, dayOfMonth, startAt, maxRuns }).annotate({
  identifier: "PanelSchedulePreview",
  examples: [{ interval: "month", every: 2, dayOfMonth: 5 }]
})

/** The dates of runs, five at most. */
export const SchedulePreviewDates = Schema.Struct({ dates: Schema.Array(DateTime) }).annotate({
  identifier: "PanelSchedulePreviewDates"
})
