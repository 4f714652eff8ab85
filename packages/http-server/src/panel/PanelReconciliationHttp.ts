/** Reconciliation in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { reconciledDaysJson, reconciliationJson, workItemJson } from "@tolem/core/reconciliation/ReconciliationJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

type One = Sent & { readonly params: { readonly id: string } }

/** The handlers of the group `reconciliations`. */
export const layer = apiGroup(
  PanelApi,
  "reconciliations",
  Effect.fnUntraced(function* (handlers) {
    const { reconciliations } = yield* Engine
    return serving(handlers, {
      days: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(reconciledDaysJson(yield* reconciliations.days(yield* CurrentDesk, query)))
      }),
      items: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        const { items, ...page } = yield* reconciliations.items(yield* CurrentDesk, query)
        return object({ ...page, differences: items.map(workItemJson) })
      }),
      compare: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        return object(reconciliationJson(yield* reconciliations.compare(yield* CurrentDesk, body), 0))
      }),
      accept: Effect.fnUntraced(function* ({ request, params }: One) {
        const { object: body } = yield* readJson(request)
        return object(workItemJson(yield* reconciliations.accept(yield* CurrentDesk, params.id, body)))
      }),
      check: Effect.fnUntraced(function* ({ params }: One) {
        return object(workItemJson(yield* reconciliations.check(yield* CurrentDesk, params.id)))
      })
    })
  })
)
