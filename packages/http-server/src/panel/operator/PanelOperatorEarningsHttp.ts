/** The operators' console about earnings and payouts, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { Engine } from "@tolem/core/engine/Engine"
import { consoleEarnerJson, consoleEarnersJson } from "@tolem/core/operator/console/ConsoleJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { One, Sent } from "../../api/RequestParts.ts"
import { apiGroup } from "../../http/ApiGroup.ts"
import { readJson } from "../../http/Bodies.ts"
import { serving } from "../../http/Contract.ts"
import { object } from "../../http/Responses.ts"

/** The handlers of the group `operatorEarnings`. */
export const layer = apiGroup(
  PanelApi,
  "operatorEarnings",
  Effect.fnUntraced(function* (handlers) {
    const { earningConsole: earnings } = yield* Engine
    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        return object(consoleEarnersJson(yield* earnings.list(yield* HttpServerRequest.ParsedSearchParams)))
      }),
      get: Effect.fnUntraced(function* ({ params }: One) {
        return object(consoleEarnerJson(yield* earnings.get(params.id)))
      }),
      pay: Effect.fnUntraced(function* ({ request, params }: One & Sent) {
        const { object: body } = yield* readJson(request)
        return object(consoleEarnerJson(yield* earnings.pay(params.id, body)))
      })
    })
  })
)
