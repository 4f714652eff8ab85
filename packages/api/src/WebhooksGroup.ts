/** The contract of `/webhook-endpoints`: requests, answers and errors of each endpoint. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import * as Requests from "./Requests.ts"
import { kindOf, resource } from "./Resource.ts"
import { requires } from "./Security.ts"
import * as Wire from "./WebhookEndpoint.ts"

const findCodes = ["forbidden", "endpoint_not_found"] as const

/** What webhook endpoints are to the contract. */
export const endpointKind = kindOf({
  body: {
    one: Wire.WebhookEndpoint,
    made: Wire.WebhookEndpointWithSecret,
    all: Wire.WebhookEndpointList,
    create: Wire.WebhookEndpointCreate,
    patch: Wire.WebhookEndpointPatch
  },
  codes: {
    find: findCodes,
    field: [
      "invalid_url",
      "webhook_url_requires_https",
      "webhook_url_requires_domain",
      "webhook_url_tunnel_forbidden",
      "invalid_events"
    ],
    create: ["too_many_endpoints"],
    patch: ["invalid_disabled"]
  },
  scopes: { reading: ["webhooks:manage"], writing: ["webhooks:manage"] },
  summaries: {
    list: "List the webhook endpoints of the key's organization and mode",
    create: "Add a webhook endpoint; its secret is shown this once",
    get: "Read a webhook endpoint",
    patch: "Change a webhook endpoint; absent members stay",
    remove: "Remove a webhook endpoint; its pending deliveries are given up"
  }
})

/** Webhook endpoints and the log of their deliveries. */
export const webhookEndpoints = HttpApiGroup.make("webhookEndpoints")
  .annotate(OpenApi.Description, "Addresses that events are sent to, and the log of what was sent.")
  .add(
    ...resource("/webhook-endpoints", endpointKind),
    HttpApiEndpoint.post("rotateSecret", "/webhook-endpoints/:id/rotate-secret", {
      params: Requests.IdParam,
      success: Wire.WebhookEndpointWithSecret,
      error: errors(...accessCodes, ...bodyCodes, ...findCodes)
    }).annotate(OpenApi.Summary, "Replace the secret; the old one signs as well for 24 hours"),
    HttpApiEndpoint.post("test", "/webhook-endpoints/:id/test", {
      params: Requests.IdParam,
      success: Wire.Delivery.pipe(HttpApiSchema.status(202)),
      error: errors(...accessCodes, ...bodyCodes, ...findCodes)
    }).annotate(OpenApi.Summary, "Send the event webhook.test"),
    HttpApiEndpoint.get("deliveries", "/webhook-endpoints/:id/deliveries", {
      params: Requests.IdParam,
      query: Requests.DeliveriesQuery,
      success: Wire.DeliveryPage,
      error: errors(...accessCodes, ...findCodes, "invalid_status", "invalid_limit", "invalid_offset")
    }).annotate(OpenApi.Summary, "List an endpoint's deliveries, newest first"),
    HttpApiEndpoint.get("delivery", "/webhook-endpoints/:id/deliveries/:deliveryId", {
      params: Requests.DeliveryParams,
      success: Wire.DeliveryDetail,
      error: errors(...accessCodes, ...findCodes, "delivery_not_found")
    }).annotate(OpenApi.Summary, "Read a delivery with its attempts"),
    HttpApiEndpoint.post("resend", "/webhook-endpoints/:id/deliveries/:deliveryId/resend", {
      params: Requests.DeliveryParams,
      success: Wire.Delivery.pipe(HttpApiSchema.status(202)),
      error: errors(...accessCodes, ...bodyCodes, ...findCodes, "delivery_not_found")
    }).annotate(OpenApi.Summary, "Send a delivery's event again, as a new delivery")
  )
  .annotateEndpointsMerge(requires("webhooks:manage"))
