/** Subscriptions of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { callerOf } from "@tolem/core/cabinet/Desks"
import { Engine } from "@tolem/core/engine/Engine"
import type { JsonObject } from "@tolem/core/value/Checks"
import { Effect } from "effect"
import { created } from "../api/InvoicesHttp.ts"
import type { One, Sent } from "../api/RequestParts.ts"
import { subscriptionHandlers } from "../api/SubscriptionsHttp.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"

/** The handlers of the group `panelSubscriptions`. */
export const layer = apiGroup(
  PanelApi,
  "panelSubscriptions",
  Effect.fnUntraced(function* (handlers) {
    const engine = yield* Engine
    const { subscriptions, deskConnections, settings } = engine
    const caller = Effect.map(CurrentDesk, (desk) => callerOf(desk, null))
    return serving(handlers, {
      ...subscriptionHandlers(engine, {
        caller,
        maker: Effect.fnUntraced(function* (body: JsonObject) {
          const desk = yield* CurrentDesk
          return callerOf(desk, yield* deskConnections.named(desk, body["connectionId"]))
        })
      }),
      run: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        const headerKey = request.headers["idempotency-key"]
        return created(yield* subscriptions.run(yield* caller, params.id, { headerKey }), settings)
      })
    })
  })
)
