/** The operators' console about organizations, and looks at their invoices, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { Engine } from "@tolem/core/engine/Engine"
import { renderInvoice } from "@tolem/core/invoice/InvoiceJson"
import {
  consoleOrganizationJson,
  consoleOrganizationsJson,
  consoleTariffsJson
} from "@tolem/core/operator/console/ConsoleJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { One, Sent } from "../../api/RequestParts.ts"
import { apiGroup } from "../../http/ApiGroup.ts"
import { readJson } from "../../http/Bodies.ts"
import { serving } from "../../http/Contract.ts"
import { json, object } from "../../http/Responses.ts"

/** The handlers of the group `operatorOrganizations`. */
export const layer = apiGroup(
  PanelApi,
  "operatorOrganizations",
  Effect.fnUntraced(function* (handlers) {
    const { organizationConsole: merchants, looks, settings } = yield* Engine
    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        return object(consoleOrganizationsJson(yield* merchants.list(yield* HttpServerRequest.ParsedSearchParams)))
      }),
      get: Effect.fnUntraced(function* ({ params }: One) {
        return object(consoleOrganizationJson(yield* merchants.get(params.id)))
      }),
      tariffs: () => Effect.succeed(object(consoleTariffsJson(settings.tariffs))),
      archive: Effect.fnUntraced(function* ({ params }: One) {
        return object(consoleOrganizationJson(yield* merchants.archive(params.id)))
      }),
      restore: Effect.fnUntraced(function* ({ params }: One) {
        return object(consoleOrganizationJson(yield* merchants.restore(params.id)))
      }),
      grant: Effect.fnUntraced(function* ({ request, params }: One & Sent) {
        const { object: body } = yield* readJson(request)
        return object(consoleOrganizationJson(yield* merchants.grant(params.id, body)))
      }),
      look: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        return json(renderInvoice(yield* looks.invoice(body), settings))
      })
    })
  })
)
