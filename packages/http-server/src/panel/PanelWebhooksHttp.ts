/** Webhook endpoints, payment links and form hooks of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { viewerOf } from "@tolem/core/cabinet/Desks"
import { linkDaysJson } from "@tolem/core/cabinet/link/LinkStatistics"
import { Engine } from "@tolem/core/engine/Engine"
import { hookFace } from "@tolem/core/formhook/HookJson"
import { formRefusalsJson, reasonAsked } from "@tolem/core/formhook/RefusalJson"
import { linkFace } from "@tolem/core/paymentlink/LinkJson"
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
import type { One, Sent } from "../api/RequestParts.ts"
import { handlersOf } from "../api/Resource.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { maxPictureBodyBytes, readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { roomForPage } from "../http/RequestRoom.ts"
import { object } from "../http/Responses.ts"

interface Logged {
  readonly params: { readonly id: string; readonly deliveryId: DeliveryId }
}

/** Whose things the member sees. */
const viewer = Effect.map(CurrentDesk, viewerOf)

/** The handlers of the group `panelWebhooks`. */
export const layer = apiGroup(
  PanelApi,
  "panelWebhooks",
  Effect.fnUntraced(function* (handlers) {
    const { webhooks, deskWebhooks, settings } = yield* Engine

    return serving(handlers, {
      ...handlersOf(webhooks, endpointFace, viewer),
      create: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        return object(endpointWithSecretJson(yield* deskWebhooks.create(yield* CurrentDesk, body)), 201)
      }),
      rotateSecret: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        return object(endpointWithSecretJson(yield* webhooks.rotateSecret(yield* viewer, params.id)))
      }),
      test: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        return object(deliveryJson(yield* webhooks.test(yield* viewer, params.id)), 202)
      }),
      deliveries: Effect.fnUntraced(function* ({ params }: One) {
        const query = yield* HttpServerRequest.ParsedSearchParams
        yield* roomForPage(query["limit"], settings)
        return object(deliveriesJson(yield* webhooks.deliveries(yield* viewer, params.id, query)))
      }),
      delivery: Effect.fnUntraced(function* ({ params }: Logged) {
        return object(loggedDeliveryJson(yield* webhooks.delivery(yield* viewer, params.id, params.deliveryId)))
      }),
      resend: Effect.fnUntraced(function* ({ request, params }: Sent & Logged) {
        yield* readOptionalJson(request)
        return object(deliveryJson(yield* webhooks.resend(yield* viewer, params.id, params.deliveryId)), 202)
      }),
      replay: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const { object: body } = yield* readJson(request)
        return object(yield* deskWebhooks.replay(yield* CurrentDesk, params.id, body), 202)
      }),
      ofInvoice: Effect.fnUntraced(function* ({ params }: One) {
        const sent = yield* deskWebhooks.ofInvoice(yield* CurrentDesk, params.id)
        return object({ deliveries: sent.map(deliveryJson) })
      })
    })
  })
)

/** The handlers of the group `panelLinks`. */
export const layerLinks = apiGroup(
  PanelApi,
  "panelLinks",
  Effect.fnUntraced(function* (handlers) {
    const { paymentLinks, linkStatistics, settings } = yield* Engine
    return serving(handlers, {
      ...handlersOf(paymentLinks, linkFace(settings), viewer, maxPictureBodyBytes),
      statistics: Effect.fnUntraced(function* ({ params }: One) {
        return object(linkDaysJson(yield* linkStatistics.ofLink(yield* viewer, params.id)))
      })
    })
  })
)

/** The handlers of the group `panelHooks`. */
export const layerHooks = apiGroup(
  PanelApi,
  "panelHooks",
  Effect.fnUntraced(function* (handlers) {
    const { formHooks, formRefusals, settings } = yield* Engine
    return serving(handlers, {
      ...handlersOf(formHooks, hookFace(settings), viewer),
      refusals: Effect.fnUntraced(function* ({ params }: One) {
        const { organizationId, id } = yield* formHooks.get(yield* viewer, params.id)
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(formRefusalsJson(yield* formRefusals.list(organizationId, id, reasonAsked(query["reason"]))))
      })
    })
  })
)
