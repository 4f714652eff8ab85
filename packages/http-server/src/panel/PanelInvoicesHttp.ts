/** Invoices of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { lookJson } from "@tolem/core/cabinet/ReportJson"
import { Engine } from "@tolem/core/engine/Engine"
import { FieldRefused } from "@tolem/core/error/Refusals"
import { cancelExtras, detailExtras, renderInvoice } from "@tolem/core/invoice/InvoiceJson"
import { arrayText, rawMember, withRawMember } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { created } from "../api/InvoicesHttp.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { roomForPage } from "../http/RequestRoom.ts"
import { json } from "../http/Responses.ts"
import { filterQuery } from "./PanelReportsHttp.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The handlers of the group `panelInvoices`. */
export const layer = apiGroup(
  PanelApi,
  "panelInvoices",
  Effect.fnUntraced(function* (handlers) {
    const { invoices, deskInvoices, desks, reports, settings } = yield* Engine

    const callerFor = (id: string) => Effect.flatMap(CurrentDesk, (desk) => desks.callerFor(desk, id))

    const list = Effect.gen(function* () {
      const query = yield* filterQuery
      yield* roomForPage(query.limit, settings)
      const page = yield* reports.page(yield* CurrentDesk, query)
      const { total, limit, offset, invoices: shown, next, lookedTo } = page
      const head = { total: total.count, totalIsExact: total.isExact, limit, offset, ...lookJson(next, lookedTo) }
      const items = arrayText(shown.map((invoice) => renderInvoice(invoice, settings)))
      return json(withRawMember(head, "invoices", items))
    })

    const create = Effect.fnUntraced(function* (request: Request) {
      const body = yield* readJson(request)
      const made = yield* deskInvoices.create(yield* CurrentDesk, {
        body: body.object,
        rawMetadata: rawMember(body.text, "metadata"),
        headerKey: request.headers["idempotency-key"]
      })
      return created(made, settings)
    })

    const get = Effect.fnUntraced(function* (id: string) {
      const { live } = yield* HttpServerRequest.ParsedSearchParams
      if (Array.isArray(live)) return yield* new FieldRefused({ code: "invalid_live" })
      const detail = yield* invoices.get(yield* callerFor(id), id, { live: live === "1" })
      return json(renderInvoice(detail.invoice, settings, detailExtras(detail)))
    })

    const cancel = Effect.fnUntraced(function* (request: Request, id: string) {
      yield* readOptionalJson(request)
      const invoice = yield* invoices.cancel(yield* callerFor(id), id)
      return json(renderInvoice(invoice, settings, cancelExtras(invoice)))
    })

    const refund = Effect.fnUntraced(function* (request: Request, id: string) {
      const { object: body } = yield* readOptionalJson(request)
      const headerKey = request.headers["idempotency-key"]
      return created(yield* deskInvoices.refund(yield* CurrentDesk, id, { body, headerKey }), settings)
    })

    const simulate = Effect.fnUntraced(function* (request: Request, id: string) {
      const { object: body } = yield* readJson(request)
      return json(renderInvoice(yield* invoices.simulate(yield* callerFor(id), id, body), settings))
    })

    return serving(handlers, {
      list: () => list,
      create: ({ request }) => create(request),
      get: ({ params }) => get(params.id),
      cancel: ({ request, params }) => cancel(request, params.id),
      refund: ({ request, params }) => refund(request, params.id),
      simulate: ({ request, params }) => simulate(request, params.id)
    })
  })
)
