/** The contract of webhook endpoints, payment links and form hooks in the cabinet: those of `/api/v1`, for members. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import { hookKind } from "./FormHooksGroup.ts"
import { DateTime, money, optional, text, whole } from "./Members.ts"
import { deskResource } from "./PanelResource.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { linkKind } from "./PaymentLinksGroup.ts"
import { anyText, DeliveriesQuery, DeliveryParams, ofOne } from "./Requests.ts"
import * as Wire from "./WebhookEndpoint.ts"
import { endpointKind } from "./WebhooksGroup.ts"

const cashierCodes = ["invalid_connection_id", "connection_not_found"] as const

const one = "/orgs/:organizationId/webhook-endpoints/:id"
const ofDelivery = { ...ofOne, params: { ...ofOne.params, ...DeliveryParams } }

const PanelEndpointCreate = Schema.Struct({
  ...Wire.WebhookEndpointCreate.fields,
  connectionId: optional(Schema.String.annotate({ description: "The cashier whose events a live endpoint gets" }))
}).annotate({ identifier: "PanelEndpointCreate", examples: [{ url: "https://shop.example.kz/webhooks" }] })

const deskEndpoints = {
  ...endpointKind,
  body: { ...endpointKind.body, create: PanelEndpointCreate },
  codes: { ...endpointKind.codes, create: [...endpointKind.codes.create, ...cashierCodes] }
}

const Replay = Schema.Struct({
  from: Schema.String.annotate({ description: "A date or date-time, or `continueFrom` of the answer before" }),
  to: Schema.optionalKey(DateTime),
  failedOnly: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "Events of which no delivery succeeded or is pending" })
  )
}).annotate({ identifier: "PanelReplay", examples: [{ from: "2026-01-01T00:00:00Z", failedOnly: true }] })

const Replayed = Schema.Struct({
  sent: whole(0),
  continueFrom: text.annotate({ description: "The `from` that goes on with the same replay; null: that was all" })
}).annotate({ identifier: "PanelReplayed" })

/** Webhook endpoints and what was sent to them, for members. */
export const panelWebhooks = HttpApiGroup.make("panelWebhooks")
  .add(
    ...deskResource("/webhook-endpoints", deskEndpoints, { reading: "webhooks:read", writing: "webhooks:change" }),
    HttpApiEndpoint.post("rotateSecret", `${one}/rotate-secret`, {
      ...ofOne,
      success: Wire.WebhookEndpointWithSecret,
      error: errors(...changingCodes, "endpoint_not_found")
    }).annotateMerge(needs("webhooks:change", "Replace the secret; the old one signs as well for 24 hours")),
    HttpApiEndpoint.post("test", `${one}/test`, {
      ...ofOne,
      success: Wire.Delivery.pipe(HttpApiSchema.status(202)),
      error: errors(...changingCodes, "endpoint_not_found")
    }).annotateMerge(needs("webhooks:change", "Send the event webhook.test")),
    HttpApiEndpoint.get("deliveries", `${one}/deliveries`, {
      params: ofOne.params,
      query: { ...ofOne.query, ...DeliveriesQuery },
      success: Wire.DeliveryPage,
      error: errors(...deskCodes, "endpoint_not_found", "invalid_status", "invalid_limit", "invalid_offset")
    }).annotateMerge(needs("webhooks:read", "List an endpoint's deliveries, newest first")),
    HttpApiEndpoint.get("delivery", `${one}/deliveries/:deliveryId`, {
      ...ofDelivery,
      success: Wire.DeliveryDetail,
      error: errors(...deskCodes, "endpoint_not_found", "delivery_not_found")
    }).annotateMerge(needs("webhooks:read", "Read a delivery with its attempts")),
    HttpApiEndpoint.post("resend", `${one}/deliveries/:deliveryId/resend`, {
      ...ofDelivery,
      success: Wire.Delivery.pipe(HttpApiSchema.status(202)),
      error: errors(...changingCodes, "endpoint_not_found", "delivery_not_found")
    }).annotateMerge(needs("webhooks:change", "Send a delivery's event again, as a new delivery")),
    HttpApiEndpoint.post("replay", `${one}/replay`, {
      ...ofOne,
      payload: Replay,
      success: Replayed.pipe(HttpApiSchema.status(202)),
      error: errors(...changingCodes, "endpoint_not_found", "invalid_from", "invalid_to", "invalid_request")
    }).annotateMerge(
      needs("webhooks:change", "Send the events of a time again, each once, as many as a request takes")
    ),
    HttpApiEndpoint.get("ofInvoice", "/orgs/:organizationId/invoices/:id/deliveries", {
      ...ofOne,
      success: Schema.Struct({ deliveries: Schema.Array(Wire.Delivery) }).annotate({ identifier: "PanelDeliveries" }),
      error: errors(...deskCodes, "invoice_not_found")
    }).annotateMerge(needs("webhooks:read", "List what was sent about an invoice, oldest first"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)

const linkFigures = {
  invoices: whole(0).annotate({ description: "That customers had made" }),
  opened: whole(0).annotate({ description: "Those of them whose code was asked for" }),
  payments: whole(0).annotate({ description: "Those of them that were paid by now" }),
  paidAmount: money,
  refundedAmount: money
}

const day = Schema.String.annotate({ format: "date" })

/** What a payment link has brought, by the day of Almaty on which invoices were made. */
const PanelLinkStatistics = Schema.Struct({
  from: day.annotate({ description: "30 days ago, or less if the link has had very many invoices since" }),
  to: day,
  ...linkFigures,
  days: Schema.Array(Schema.Struct({ day, ...linkFigures })).annotate({
    description: "In their order; days without invoices are left out"
  })
}).annotate({ identifier: "PanelLinkStatistics" })

const PanelFormRefusal = Schema.Struct({
  id: Schema.String,
  at: DateTime,
  reason: Schema.String.annotate({
    description: "The code of the refusal; `form_caught`: the hidden field was filled"
  }),
  faults: Schema.Array(Schema.Struct({ field: Schema.String, code: Schema.String })).annotate({
    description: "The fields that were wrong"
  }),
  names: Schema.Array(Schema.String).annotate({ description: "Names of the fields that were sent; `?`: others" }),
  site: text.annotate({ description: "The site that the browser has named; null: none" })
}).annotate({ identifier: "PanelFormRefusal" })

/** Forms that a hook has refused: how many for each reason, and the newest of them. Nothing that was filled in. */
const PanelFormRefusals = Schema.Struct({
  reasons: Schema.Array(
    Schema.Struct({ reason: Schema.String, refused: whole(1), firstAt: DateTime, lastAt: DateTime })
  ),
  refusals: Schema.Array(PanelFormRefusal)
}).annotate({ identifier: "PanelFormRefusals" })

const ofLinks = { reading: "links:read", writing: "links:change" } as const

/** Payment links, for members. */
export const panelLinks = HttpApiGroup.make("panelLinks")
  .add(
    ...deskResource("/payment-links", linkKind, ofLinks),
    HttpApiEndpoint.get("statistics", "/orgs/:organizationId/payment-links/:id/statistics", {
      ...ofOne,
      success: PanelLinkStatistics,
      error: errors(...deskCodes, "link_not_found")
    }).annotateMerge(needs("links:read", "Read what a payment link has brought in the last 30 days, by day"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)

/** Form hooks, for members. */
export const panelHooks = HttpApiGroup.make("panelHooks")
  .add(
    ...deskResource("/form-hooks", hookKind, ofLinks),
    HttpApiEndpoint.get("refusals", "/orgs/:organizationId/form-hooks/:id/refusals", {
      params: ofOne.params,
      query: { ...ofOne.query, reason: anyText },
      success: PanelFormRefusals,
      error: errors(...deskCodes, "hook_not_found")
    }).annotateMerge(needs("links:read", "Read which forms a hook has refused in the last week, and why"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
