/** Events as the feed of `/events` carries them. */
import { Schema } from "effect"
import { Invoice, InvoiceEvent } from "./Invoice.ts"

/** An event at its place in the feed, with its invoice as of the event, as webhooks show it. */
export const FeedEvent = Schema.Struct({
  ...InvoiceEvent.fields,
  invoice: Invoice,
  cursor: Schema.String.annotate({ description: "The place behind this event" })
}).annotate({ identifier: "FeedEvent" })
/** See the schema of the same name. */
export type FeedEvent = typeof FeedEvent.Type

/** A page of the feed. */
export const FeedPage = Schema.Struct({
  events: Schema.Array(FeedEvent),
  cursor: Schema.String.annotate({ description: "The next page's `after`, whenever that is asked for; opaque" }),
  more: Schema.Boolean.annotate({ description: "Whether there is something behind the cursor already" })
}).annotate({ identifier: "FeedPage" })
/** See the schema of the same name. */
export type FeedPage = typeof FeedPage.Type
