/** Files of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { serving } from "../http/Contract.ts"
import { filterQuery } from "./PanelReportsHttp.ts"
import { csv, file, xlsx } from "./TableAnswers.ts"

const query = HttpServerRequest.ParsedSearchParams

/** What a file is called: of which organization, what, and in which mode. */
const named = (what: string, ending: string) =>
  Effect.map(CurrentDesk, ({ organization, mode }) => `tolem-${organization.id}-${what}-${mode}.${ending}`)

const acceptedBy = ({ request }: Sent) => request.headers["accept-encoding"]

/** The handlers of the group `exports`. */
export const layer = apiGroup(
  PanelApi,
  "exports",
  Effect.fnUntraced(function* (handlers) {
    const { exports } = yield* Engine
    return serving(handlers, {
      invoicesXlsx: Effect.fnUntraced(function* () {
        const table = yield* exports.invoices(yield* CurrentDesk, yield* filterQuery)
        return xlsx(table, yield* named("invoices", "xlsx"))
      }),
      refundsCsv: Effect.fnUntraced(function* (sent: Sent) {
        const asked = yield* query
        const table = yield* exports.refunds(yield* CurrentDesk, asked)
        return csv(table, asked["bom"], { filename: yield* named("refunds", "csv"), accepted: acceptedBy(sent) })
      }),
      refundsXlsx: Effect.fnUntraced(function* () {
        const table = yield* exports.refunds(yield* CurrentDesk, yield* query)
        return xlsx(table, yield* named("refunds", "xlsx"))
      }),
      movementsCsv: Effect.fnUntraced(function* (sent: Sent) {
        const asked = yield* query
        const table = yield* exports.movements(yield* CurrentDesk, asked)
        return csv(table, asked["bom"], { filename: yield* named("movements", "csv"), accepted: acceptedBy(sent) })
      }),
      movementsXlsx: Effect.fnUntraced(function* () {
        const table = yield* exports.movements(yield* CurrentDesk, yield* query)
        return xlsx(table, yield* named("movements", "xlsx"))
      }),
      clientBank: Effect.fnUntraced(function* (sent: Sent) {
        const asked = yield* query
        const bytes = yield* exports.clientBank(yield* CurrentDesk, asked)
        const charset = asked["encoding"] === "utf-8" ? "utf-8" : "windows-1251"
        const delivery = { filename: yield* named("1c", "txt"), accepted: acceptedBy(sent) }
        return file(bytes, `text/plain; charset=${charset}`, delivery)
      }),
      journalCsv: Effect.fnUntraced(function* (sent: Sent) {
        const asked = yield* query
        const table = yield* exports.journal(yield* CurrentDesk, asked)
        const { id } = (yield* CurrentDesk).organization
        return csv(table, asked["bom"], { filename: `tolem-${id}-journal.csv`, accepted: acceptedBy(sent) })
      }),
      statementCsv: Effect.fnUntraced(function* (sent: Sent) {
        const asked = yield* query
        const table = yield* exports.statement(yield* CurrentDesk, asked)
        return csv(table, asked["bom"], { filename: yield* named("statement", "csv"), accepted: acceptedBy(sent) })
      }),
      statementXlsx: Effect.fnUntraced(function* () {
        const table = yield* exports.statement(yield* CurrentDesk, yield* query)
        return xlsx(table, yield* named("statement", "xlsx"))
      })
    })
  })
)
