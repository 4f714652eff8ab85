/** Webhook endpoints, their deliveries, and what receivers get, as the wire carries them. */
import { Mode } from "@tolem/core/value/Mode"
import { maxAddressLength } from "@tolem/core/webhook/Address"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { Schema } from "effect"
import { Invoice } from "./Invoice.ts"
import { DateTime, id, optional, pageFields, whole } from "./Members.ts"

const address = Schema.String.annotate({ format: "uri", maxLength: maxAddressLength })
const kinds = Schema.Array(EventKind)

const endpointFields = {
  id: id("whe"),
  mode: Mode,
  url: address,
  events: kinds.annotate({ description: "Kinds that are sent; empty means all" }),
  disabled: Schema.Boolean,
  failureCount: whole(0).annotate({ description: "Failed attempts in a row" }),
  pausedUntil: Schema.NullOr(DateTime).annotate({ description: "Set while the endpoint rests after failures" }),
  createdAt: DateTime,
  updatedAt: DateTime,
  connectionId: Schema.NullOr(Schema.String).annotate({
    description: "The cashier whose events it gets: that of the key that has made it; null: those of the organization"
  })
}

/** An address that events are sent to. */
export const WebhookEndpoint = Schema.Struct(endpointFields).annotate({ identifier: "WebhookEndpoint" })
/** See the schema of the same name. */
export type WebhookEndpoint = typeof WebhookEndpoint.Type

/** An endpoint with its signing secret, which is shown this once. */
export const WebhookEndpointWithSecret = Schema.Struct({
  ...endpointFields,
  secret: Schema.String.annotate({ description: "Signing secret, `whsec_…`; the whole text is the HMAC key" })
}).annotate({ identifier: "WebhookEndpointWithSecret" })

/** The endpoints of the key's organization and mode, oldest first. */
export const WebhookEndpointList = Schema.Struct({ endpoints: Schema.Array(WebhookEndpoint) }).annotate({
  identifier: "WebhookEndpointList"
})

/** A new endpoint. */
export const WebhookEndpointCreate = Schema.Struct({
  url: address,
  events: optional(kinds)
}).annotate({
  identifier: "WebhookEndpointCreate",
  examples: [{ url: "https://shop.example.kz/webhooks", events: ["invoice.paid"] }]
})

/** What to change of an endpoint; absent members stay. */
export const WebhookEndpointPatch = Schema.Struct({
  url: Schema.optionalKey(address),
  events: Schema.optionalKey(kinds),
  disabled: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "WebhookEndpointPatch", examples: [{ events: ["invoice.paid", "invoice.refunded"] }] })

/** `pending`: still to be sent. `delivered`: answered 2xx. `failed`: given up. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])

const deliveryFields = {
  id: id("dlv"),
  endpointId: id("whe"),
  event: EventKind,
  invoiceId: id("inv"),
  eventId: id("evt"),
  sequence: whole(0),
  status: DeliveryStatus,
  attemptCount: whole(0),
  nextAttemptAt: Schema.NullOr(DateTime),
  createdAt: DateTime,
  completedAt: Schema.NullOr(DateTime)
}

/** An event on its way to an endpoint. */
export const Delivery = Schema.Struct(deliveryFields).annotate({ identifier: "Delivery" })

/** One try of a delivery: what was sent and what came back. */
export const Attempt = Schema.Struct({
  number: whole(1),
  startedAt: DateTime,
  durationMs: Schema.Finite.annotate({ minimum: 0 }),
  url: Schema.String,
  requestHeaders: Schema.Record(Schema.String, Schema.String),
  requestBody: Schema.NullOr(Schema.String).annotate({ description: "Null when bodies are no longer kept" }),
  status: Schema.NullOr(Schema.Int),
  responseBody: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "Attempt" })

/** A delivery with its attempts by number. */
export const DeliveryDetail = Schema.Struct({ ...deliveryFields, attempts: Schema.Array(Attempt) }).annotate({
  identifier: "DeliveryDetail"
})

/** A page of an endpoint's deliveries, newest first. */
export const DeliveryPage = Schema.Struct({
  ...pageFields,
  deliveries: Schema.Array(Delivery)
}).annotate({ identifier: "DeliveryPage" })

/** What receivers get: the invoice as of the event. */
export const WebhookMessage = Schema.Struct({
  event: EventKind,
  invoice: Invoice,
  sentAt: DateTime.annotate({ description: "When this attempt was made" }),
  id: Schema.String.annotate({ description: "The same in every attempt and every resend of the event" }),
  sequence: whole(0).annotate({ description: "Grows with the events of one invoice" }),
  late: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "The money came when the invoice was expired or cancelled already" })
  )
}).annotate({ identifier: "WebhookMessage" })
