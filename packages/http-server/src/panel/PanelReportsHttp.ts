/** Sums and totals of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import type { ExportRequest } from "@tolem/core/cabinet/export/Exports"
import type { PlaceRequest } from "@tolem/core/cabinet/InvoiceFilters"
import { letterChoiceJson } from "@tolem/core/cabinet/letter/StatementLetters"
import { sumsJson, totalsJson } from "@tolem/core/cabinet/ReportJson"
import { shiftJson, statementJson } from "@tolem/core/cabinet/statement/StatementJson"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"
import { csv } from "./TableAnswers.ts"

/** The query of a filter, in which several statuses may be named one by one. */
export const filterQuery = Effect.map(HttpServerRequest.ParsedSearchParams, (query): PlaceRequest & ExportRequest => ({
  ...query,
  status: Array.isArray(query["status"]) ? query["status"].join(",") : query["status"]
}))

/** The handlers of the group `reports`. */
export const layer = apiGroup(
  PanelApi,
  "reports",
  Effect.fnUntraced(function* (handlers) {
    const { reports, statements, statementLetters, exports } = yield* Engine
    return serving(handlers, {
      sums: Effect.fnUntraced(function* () {
        return object(sumsJson(yield* reports.sums(yield* CurrentDesk, yield* filterQuery)))
      }),
      invoicesCsv: Effect.fnUntraced(function* ({ request }: Sent) {
        const { mode, organization } = yield* CurrentDesk
        const asked = yield* filterQuery
        const table = yield* exports.invoices(yield* CurrentDesk, asked)
        const filename = `tolem-${organization.id}-${mode}.csv`
        return csv(table, asked.bom, { filename, accepted: request.headers["accept-encoding"] })
      }),
      totals: Effect.fnUntraced(function* () {
        return object(totalsJson(yield* reports.totals(yield* CurrentDesk, yield* filterQuery)))
      }),
      statement: Effect.fnUntraced(function* () {
        return object(statementJson(yield* statements.statement(yield* CurrentDesk, yield* filterQuery)))
      }),
      shift: Effect.fnUntraced(function* () {
        return object(shiftJson(yield* statements.shift(yield* CurrentDesk, yield* filterQuery)))
      }),
      letters: Effect.fnUntraced(function* () {
        return object(letterChoiceJson(yield* statementLetters.get(yield* CurrentDesk)))
      }),
      chooseLetters: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        return object(letterChoiceJson(yield* statementLetters.choose(yield* CurrentDesk, body)))
      })
    })
  })
)
