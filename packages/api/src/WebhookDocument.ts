/** Webhooks, as the OpenAPI document tells of them: what receivers get and what they answer. */
import { EventKind } from "@tolem/core/webhook/Webhook"
import { HttpApi } from "effect/http-api"
import { WebhookMessage } from "./WebhookEndpoint.ts"

/** The schemas that no endpoint names. */
export const EventSchemas = HttpApi.make("tolem-events").annotate(HttpApi.AdditionalSchemas, [WebhookMessage])

const header = (name: string, description: string, schema: object = {}, required = true) => ({
  name,
  in: "header",
  required,
  description,
  schema: { type: "string", ...schema }
})

const parameters = [
  header("X-Webhook-Event", "The kind of the event"),
  header("X-Webhook-Timestamp", "When it was signed, Unix seconds", { pattern: "^[0-9]+$" }),
  header("X-Webhook-Signature", "HMAC-SHA256 of `{timestamp}.{body}`, keyed with the endpoint's secret", {
    pattern: "^sha256=[0-9a-f]{64}$"
  }),
  header("X-Webhook-Signature-Previous", "The same with the secret before a rotation, for 24 hours", {}, false),
  header("X-Webhook-Delivery", "The id of the delivery, the same in every attempt", { pattern: "^dlv_" }),
  header("webhook-id", "The same as X-Webhook-Delivery, as the Standard Webhooks specification has it"),
  header("webhook-timestamp", "The same as X-Webhook-Timestamp"),
  header("webhook-signature", "`v1,` and base64 signatures of that specification, with spaces")
]

const meanings: Readonly<Record<EventKind, string>> = {
  "invoice.paid": "An invoice was paid; with `late` after it was expired or cancelled",
  "invoice.failed": "An invoice failed",
  "invoice.expired": "An invoice expired",
  "invoice.cancelled": "An invoice was cancelled",
  "invoice.refunded": "An invoice was refunded as a whole",
  "invoice.partially_refunded": "A part of an invoice was refunded",
  "webhook.test": "A test that was asked for; its invoice exists nowhere"
}

const operation = (kind: EventKind) => ({
  operationId: `on.${kind}`,
  tags: ["webhookEndpoints"],
  summary: meanings[kind],
  parameters,
  requestBody: {
    required: true,
    content: { "application/json": { schema: { $ref: "#/components/schemas/WebhookMessage" } } }
  },
  responses: {
    "2XX": { description: "Taken. Answer within 8 seconds." },
    "4XX": { description: "Not taken: it is sent again, up to 11 times in about 2 hours." }
  },
  security: []
})

/** The webhooks of the document, by the kind of event. */
export const webhooks = Object.fromEntries(EventKind.literals.map((kind) => [kind, { post: operation(kind) }]))
