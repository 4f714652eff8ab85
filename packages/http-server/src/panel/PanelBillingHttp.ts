/** The tariff of an organization in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { billPageJson, deskTariffJson, saleJson } from "@tolem/core/cabinet/tariff/DeskTariffJson"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

/** The handlers of the group `billing`. */
export const layer = apiGroup(
  PanelApi,
  "billing",
  Effect.fnUntraced(function* (handlers) {
    const { deskTariffs, settings } = yield* Engine
    return serving(handlers, {
      standing: Effect.fnUntraced(function* () {
        return object(deskTariffJson(yield* deskTariffs.standing(yield* CurrentDesk)))
      }),
      bills: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(billPageJson(yield* deskTariffs.bills(yield* CurrentDesk, query), settings))
      }),
      order: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        return object(saleJson(yield* deskTariffs.order(yield* CurrentDesk, body), settings))
      })
    })
  })
)
