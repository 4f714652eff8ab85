/** `/api/v1/webhook-endpoints` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import type { DeliveryId } from "@tolem/core/value/Ids"
import {
  deliveriesJson,
  deliveryJson,
  endpointFace,
  endpointWithSecretJson,
  loggedDeliveryJson
} from "@tolem/core/webhook/EndpointJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"
import { handlersOf } from "./Resource.ts"

/** The handlers of the group `webhookEndpoints`. */
export const layer = HttpApiBuilder.group(
  Api,
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const { webhooks } = yield* Engine

    const rotateSecret = Effect.fnUntraced(function* (request: Request, id: string) {
      yield* readOptionalJson(request)
      return object(endpointWithSecretJson(yield* webhooks.rotateSecret(yield* CurrentPrincipal, id)))
    })
    const test = Effect.fnUntraced(function* (request: Request, id: string) {
      yield* readOptionalJson(request)
      return object(deliveryJson(yield* webhooks.test(yield* CurrentPrincipal, id)), 202)
    })
    const deliveries = Effect.fnUntraced(function* (id: string) {
      const query = yield* HttpServerRequest.ParsedSearchParams
      return object(deliveriesJson(yield* webhooks.deliveries(yield* CurrentPrincipal, id, query)))
    })
    const delivery = Effect.fnUntraced(function* (id: string, deliveryId: DeliveryId) {
      const logged = yield* webhooks.delivery(yield* CurrentPrincipal, id, deliveryId)
      return object(loggedDeliveryJson(logged))
    })
    const resend = Effect.fnUntraced(function* (request: Request, id: string, deliveryId: DeliveryId) {
      yield* readOptionalJson(request)
      return object(deliveryJson(yield* webhooks.resend(yield* CurrentPrincipal, id, deliveryId)), 202)
    })

    return serving(handlers, {
      ...handlersOf(webhooks, endpointFace),
      rotateSecret: ({ request, params }) => rotateSecret(request, params.id),
      test: ({ request, params }) => test(request, params.id),
      deliveries: ({ params }) => deliveries(params.id),
      delivery: ({ params }) => delivery(params.id, params.deliveryId),
      resend: ({ request, params }) => resend(request, params.id, params.deliveryId)
    })
  })
)

type Request = HttpServerRequest.HttpServerRequest
