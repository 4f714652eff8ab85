/** Webhook endpoints, their deliveries, and what receivers get, as the wire carries them. */
import { Mode } from "@tolem/core/value/Mode"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { Schema } from "effect"
import { DateTime } from "./Invoice.ts"

const endpointFields = {
  id: Schema.String,
  mode: Mode,
  url: Schema.String,
  events: Schema.Array(EventKind).annotate({ description: "Kinds that are sent; empty means all" }),
  disabled: Schema.Boolean,
  failureCount: Schema.Int.annotate({ description: "Failed attempts in a row" }),
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
  url: Schema.String,
  events: Schema.optionalKey(Schema.NullOr(Schema.Array(EventKind)))
}).annotate({ identifier: "WebhookEndpointCreate" })

/** What to change of an endpoint; absent members stay. */
export const WebhookEndpointPatch = Schema.Struct({
  url: Schema.optionalKey(Schema.String),
  events: Schema.optionalKey(Schema.Array(EventKind)),
  disabled: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "WebhookEndpointPatch" })

/** `pending`: still to be sent. `delivered`: answered 2xx. `failed`: given up. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])

const deliveryFields = {
  id: Schema.String,
  endpointId: Schema.String,
  event: EventKind,
  invoiceId: Schema.String,
  eventId: Schema.String,
  sequence: Schema.Int,
  status: DeliveryStatus,
  attemptCount: Schema.Int,
  nextAttemptAt: Schema.NullOr(DateTime),
  createdAt: DateTime,
  completedAt: Schema.NullOr(DateTime)
}

/** An event on its way to an endpoint. */
export const Delivery = Schema.Struct(deliveryFields).annotate({ identifier: "Delivery" })

/** One try of a delivery: what was sent and what came back. */
export const Attempt = Schema.Struct({
  number: Schema.Int,
  startedAt: DateTime,
  durationMs: Schema.Finite,
  url: Schema.String,
  requestHeaders: Schema.Record(Schema.String, Schema.String),
  requestBody: Schema.String,
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
  total: Schema.Int,
  limit: Schema.Int,
  offset: Schema.Int,
  deliveries: Schema.Array(Delivery)
}).annotate({ identifier: "DeliveryPage" })
