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
import { apiGroup } from "../http/ApiGroup.ts"
import { readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"
import type { One, Sent } from "./RequestParts.ts"
import { handlersOf } from "./Resource.ts"

interface Logged {
  readonly params: { readonly id: string; readonly deliveryId: DeliveryId }
}

/** The handlers of the group `webhookEndpoints`. */
export const layer = apiGroup(
  Api,
  "webhookEndpoints",
  Effect.fnUntraced(function* (handlers) {
    const { webhooks } = yield* Engine

    return serving(handlers, {
      ...handlersOf(webhooks, endpointFace, CurrentPrincipal),
      rotateSecret: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        return object(endpointWithSecretJson(yield* webhooks.rotateSecret(yield* CurrentPrincipal, params.id)))
      }),
      test: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        return object(deliveryJson(yield* webhooks.test(yield* CurrentPrincipal, params.id)), 202)
      }),
      deliveries: Effect.fnUntraced(function* ({ params }: One) {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(deliveriesJson(yield* webhooks.deliveries(yield* CurrentPrincipal, params.id, query)))
      }),
      delivery: Effect.fnUntraced(function* ({ params }: Logged) {
        const logged = yield* webhooks.delivery(yield* CurrentPrincipal, params.id, params.deliveryId)
        return object(loggedDeliveryJson(logged))
      }),
      resend: Effect.fnUntraced(function* ({ request, params }: Sent & Logged) {
        yield* readOptionalJson(request)
        return object(deliveryJson(yield* webhooks.resend(yield* CurrentPrincipal, params.id, params.deliveryId)), 202)
      })
    })
  })
)
