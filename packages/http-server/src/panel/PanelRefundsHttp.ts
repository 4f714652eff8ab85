/** Refunds of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { refundPageJson, refundSumsJson } from "@tolem/core/cabinet/refund/RefundListJson"
import { Engine } from "@tolem/core/engine/Engine"
import { refundJson } from "@tolem/core/invoice/InvoiceJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

type One = Sent & { readonly params: { readonly id: string } }

/** The handlers of the group `panelRefunds`. */
export const layer = apiGroup(
  PanelApi,
  "panelRefunds",
  Effect.fnUntraced(function* (handlers) {
    const { deskRefunds } = yield* Engine
    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(refundPageJson(yield* deskRefunds.page(yield* CurrentDesk, query)))
      }),
      sums: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(refundSumsJson(yield* deskRefunds.sums(yield* CurrentDesk, query)))
      }),
      resolve: Effect.fnUntraced(function* ({ request, params }: One) {
        const { object: body } = yield* readJson(request)
        const { invoice, refunds } = yield* deskRefunds.resolve(yield* CurrentDesk, params.id, body)
        return object({ invoiceId: invoice.id, status: invoice.status, refunds: refunds.map(refundJson) })
      })
    })
  })
)
