/** The request log and the sandbox in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { viewerOf } from "@tolem/core/cabinet/Desks"
import { Engine } from "@tolem/core/engine/Engine"
import { renderInvoice } from "@tolem/core/invoice/InvoiceJson"
import { checkRequestSearch, requestHoursJson, requestsJson } from "@tolem/core/requestlog/RequestJson"
import { toIso } from "@tolem/core/value/Calendar"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { json, object } from "../http/Responses.ts"

/** The handlers of the group `developers`. */
export const layer = apiGroup(
  PanelApi,
  "developers",
  Effect.fnUntraced(function* (handlers) {
    const { requestLog, deskSandbox, settings } = yield* Engine
    return serving(handlers, {
      requests: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        const search = yield* Effect.fromResult(checkRequestSearch(query))
        return object(requestsJson(yield* requestLog.list(viewerOf(yield* CurrentDesk), search)))
      }),
      requestHours: Effect.fnUntraced(function* () {
        return object(requestHoursJson(yield* requestLog.hours(viewerOf(yield* CurrentDesk))))
      }),
      clock: Effect.fnUntraced(function* () {
        const { now, aheadMs } = yield* deskSandbox.clock(yield* CurrentDesk)
        return object({ now: toIso(now), aheadMs })
      }),
      advance: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        const { now, ...moved } = yield* deskSandbox.advance(yield* CurrentDesk, body)
        return object({ now: toIso(now), ...moved })
      }),
      trigger: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        const { invoice } = yield* deskSandbox.trigger(yield* CurrentDesk, body)
        return json(renderInvoice(invoice, settings), 201)
      })
    })
  })
)
