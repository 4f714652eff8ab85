/** Invoices of files in the cabinet, over the core's use-cases. */
import { hash } from "node:crypto"
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import type { FileFault } from "@tolem/core/cabinet/bulk/BulkFile"
import { type BulkSheet, checkSheet } from "@tolem/core/cabinet/bulk/BulkSheet"
import { cellsOf, textOfBytes } from "@tolem/core/cabinet/bulk/CsvText"
import { bulkTemplate, linkTable } from "@tolem/core/cabinet/bulk/LinkTable"
import { tableLanguage } from "@tolem/core/cabinet/export/Table"
import { Engine } from "@tolem/core/engine/Engine"
import { FieldRefused } from "@tolem/core/error/Refusals"
import { Effect, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { bulkAnswer, elementsOf } from "../api/InvoicesHttp.ts"
import type { Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { maxBulkBytes, readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"
import { csv, xlsx } from "./TableAnswers.ts"
import { isArchive, workbookRows } from "./WorkbookRows.ts"

const maxFileBytes = 1024 * 1024

/** The handlers of the group `bulk`. */
export const layer = apiGroup(
  PanelApi,
  "bulk",
  Effect.fnUntraced(function* (handlers) {
    const { deskInvoices, settings } = yield* Engine

    const query = HttpServerRequest.ParsedSearchParams
    const language = Effect.map(query, ({ lang }) => tableLanguage(lang))

    const check = Effect.fnUntraced(function* ({ request }: Sent) {
      const { content } = (yield* readJson(request, maxBulkBytes)).object
      const bytes = Buffer.from(typeof content === "string" ? content : "", "base64")
      if (bytes.length > maxFileBytes) return shown({ ...nothing, fault: { cause: "bytes", row: null } })
      // Who uploads the same file again finds what was made of it; another organization has its own keys.
      const upload = hash("sha256", bytes).slice(0, 32)
      const cells = isArchive(bytes)
        ? workbookRows(bytes)
        : Effect.fromResult(Result.flatMap(textOfBytes(bytes), cellsOf))
      const sheet = Effect.flatMap(cells, (rows) => Effect.fromResult(checkSheet(rows, upload, settings)))
      return yield* Effect.match(sheet, {
        onFailure: (fault) => shown({ ...nothing, fault }),
        onSuccess: (found) => shown({ ...found, fault: null })
      })
    })

    const create = Effect.fnUntraced(function* ({ request }: Sent) {
      const body = yield* readJson(request, maxBulkBytes)
      const requests = yield* Effect.fromResult(elementsOf(body, settings))
      const judged = requests.filter((one) => one !== null)
      const wanted = body.object["connectionId"]
      const made = judged.length === 0 ? [] : yield* deskInvoices.bulk(yield* CurrentDesk, wanted, judged)
      return bulkAnswer(requests, made, settings)
    })

    const links = Effect.fnUntraced(function* ({ request }: Sent) {
      const { rows } = (yield* readJson(request, maxBulkBytes)).object
      return linkTable(rows, yield* language) ?? (yield* new FieldRefused({ code: "invalid_invoices" }))
    })

    return serving(handlers, {
      check,
      create,
      linksCsv: Effect.fnUntraced(function* (sent: Sent) {
        const { bom } = yield* query
        return csv(yield* links(sent), bom, { filename: "tolem-links.csv", accepted: undefined })
      }),
      linksXlsx: Effect.fnUntraced(function* (sent: Sent) {
        return xlsx(yield* links(sent), "tolem-links.xlsx")
      }),
      templateCsv: Effect.fnUntraced(function* () {
        const { bom } = yield* query
        return csv(bulkTemplate(yield* language), bom, { filename: "tolem-invoices.csv", accepted: undefined })
      }),
      templateXlsx: Effect.fnUntraced(function* () {
        return xlsx(bulkTemplate(yield* language), "tolem-invoices.xlsx")
      })
    })
  })
)

interface Shown extends BulkSheet {
  readonly fault: FileFault | null
}

const nothing = { total: 0, ignored: [], rows: [], faults: [] }

const shown = (sheet: Shown) => object(sheet)
