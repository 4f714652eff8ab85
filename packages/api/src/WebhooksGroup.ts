/** The contract of `/webhook-endpoints`: requests, answers and errors of each endpoint. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import * as Requests from "./Requests.ts"
import { requires } from "./Security.ts"
import * as Wire from "./WebhookEndpoint.ts"

const urlCodes = [
  "invalid_url",
  "webhook_url_requires_https",
  "webhook_url_requires_domain",
  "webhook_url_tunnel_forbidden"
] as const

/** Webhook endpoints and the log of their deliveries. */
export const webhookEndpoints = HttpApiGroup.make("webhookEndpoints")
  .add(
    HttpApiEndpoint.get("list", "/webhook-endpoints", {
      success: Wire.WebhookEndpointList,
      error: errors(...accessCodes)
    }).annotate(OpenApi.Summary, "List the webhook endpoints of the key's organization and mode"),
    HttpApiEndpoint.post("create", "/webhook-endpoints", {
      payload: Wire.WebhookEndpointCreate,
      success: Wire.WebhookEndpointWithSecret.pipe(HttpApiSchema.status(201)),
      error: errors(...accessCodes, ...bodyCodes, ...urlCodes, "invalid_events", "too_many_endpoints")
    }).annotate(OpenApi.Summary, "Add a webhook endpoint; its secret is shown this once"),
    HttpApiEndpoint.get("get", "/webhook-endpoints/:id", {
      params: Requests.IdParam,
      success: Wire.WebhookEndpoint,
      error: errors(...accessCodes, "forbidden", "endpoint_not_found")
    }).annotate(OpenApi.Summary, "Read a webhook endpoint"),
    HttpApiEndpoint.patch("patch", "/webhook-endpoints/:id", {
      params: Requests.IdParam,
      payload: Wire.WebhookEndpointPatch,
      success: Wire.WebhookEndpoint,
      error: errors(
        ...accessCodes,
        ...bodyCodes,
        ...urlCodes,
        "invalid_events",
        "invalid_disabled",
        "forbidden",
        "endpoint_not_found"
      )
    }).annotate(OpenApi.Summary, "Change a webhook endpoint; absent members stay"),
    HttpApiEndpoint.delete("remove", "/webhook-endpoints/:id", {
      params: Requests.IdParam,
      success: HttpApiSchema.NoContent,
      error: errors(...accessCodes, "forbidden", "endpoint_not_found")
    }).annotate(OpenApi.Summary, "Remove a webhook endpoint; its pending deliveries are given up"),
    HttpApiEndpoint.post("rotateSecret", "/webhook-endpoints/:id/rotate-secret", {
      params: Requests.IdParam,
      success: Wire.WebhookEndpointWithSecret,
      error: errors(...accessCodes, ...bodyCodes, "forbidden", "endpoint_not_found")
    }).annotate(OpenApi.Summary, "Replace the secret; the old one signs as well for 24 hours"),
    HttpApiEndpoint.post("test", "/webhook-endpoints/:id/test", {
      params: Requests.IdParam,
      success: Wire.Delivery.pipe(HttpApiSchema.status(202)),
      error: errors(...accessCodes, ...bodyCodes, "forbidden", "endpoint_not_found")
    }).annotate(OpenApi.Summary, "Send the event webhook.test"),
    HttpApiEndpoint.get("deliveries", "/webhook-endpoints/:id/deliveries", {
      params: Requests.IdParam,
      query: Requests.DeliveriesQuery,
      success: Wire.DeliveryPage,
      error: errors(
        ...accessCodes,
        "forbidden",
        "endpoint_not_found",
        "invalid_status",
        "invalid_limit",
        "invalid_offset"
      )
    }).annotate(OpenApi.Summary, "List an endpoint's deliveries, newest first"),
    HttpApiEndpoint.get("delivery", "/webhook-endpoints/:id/deliveries/:deliveryId", {
      params: Requests.DeliveryParams,
      success: Wire.DeliveryDetail,
      error: errors(...accessCodes, "forbidden", "endpoint_not_found", "delivery_not_found")
    }).annotate(OpenApi.Summary, "Read a delivery with its attempts"),
    HttpApiEndpoint.post("resend", "/webhook-endpoints/:id/deliveries/:deliveryId/resend", {
      params: Requests.DeliveryParams,
      success: Wire.Delivery.pipe(HttpApiSchema.status(202)),
      error: errors(...accessCodes, ...bodyCodes, "forbidden", "endpoint_not_found", "delivery_not_found")
    }).annotate(OpenApi.Summary, "Send a delivery's event again, as a new delivery")
  )
  .annotateEndpointsMerge(requires("webhooks:manage"))
