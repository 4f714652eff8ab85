/** `/api/v1/invoices` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import type { Settings } from "@tolem/core/engine/Settings"
import { FieldRefused } from "@tolem/core/error/Refusals"
import type { CreateResult } from "@tolem/core/invoice/CreationWithin"
import type { Caller, CreateError, CreateRequest } from "@tolem/core/invoice/InvoiceCreation"
import {
  type BulkResult,
  bulkJson,
  cancelExtras,
  detailExtras,
  renderInvoice,
  replayExtras
} from "@tolem/core/invoice/InvoiceJson"
import type { RefundResult } from "@tolem/core/invoice/Invoices"
import { isObject } from "@tolem/core/value/Checks"
import { arrayText, type JsonText, rawElements, rawMember, textOf, withRawMember } from "@tolem/core/value/RawJson"
import { Effect, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { type JsonBody, maxBulkBytes, readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { roomForPage } from "../http/RequestRoom.ts"
import { json } from "../http/Responses.ts"

const caller = Effect.map(CurrentPrincipal, (principal): Caller => ({ ...principal, source: "api" }))

/** The handlers of the group `invoices`. */
export const layer = HttpApiBuilder.group(
  Api,
  "invoices",
  Effect.fnUntraced(function* (handlers) {
    const { invoices, settings } = yield* Engine

    const create = Effect.fnUntraced(function* (request: Request) {
      const body = yield* readJson(request)
      const made = yield* invoices.create(yield* caller, {
        body: body.object,
        rawMetadata: rawMember(body.text, "metadata"),
        headerKey: request.headers["idempotency-key"]
      })
      return created(made, settings)
    })

    const bulk = Effect.fnUntraced(function* (request: Request) {
      const requests = yield* Effect.fromResult(elementsOf(yield* readJson(request, maxBulkBytes), settings))
      const judged = requests.filter((one) => one !== null)
      const made = judged.length === 0 ? [] : yield* invoices.bulk(yield* caller, judged)
      return bulkAnswer(requests, made, settings)
    })

    const list = Effect.fnUntraced(function* () {
      const query = yield* HttpServerRequest.ParsedSearchParams
      const status = Array.isArray(query["status"]) ? query["status"].join(",") : query["status"]
      yield* roomForPage(query["limit"], settings)
      const page = yield* invoices.list(yield* caller, { ...query, status })
      const { total, limit, offset } = page
      const items = arrayText(page.invoices.map((invoice) => renderInvoice(invoice, settings)))
      return json(withRawMember({ total, limit, offset }, "invoices", items))
    })

    const get = Effect.fnUntraced(function* (id: string) {
      const { live } = yield* HttpServerRequest.ParsedSearchParams
      if (Array.isArray(live)) return yield* new FieldRefused({ code: "invalid_live" })
      const detail = yield* invoices.get(yield* caller, id, { live: live === "1" })
      return json(renderInvoice(detail.invoice, settings, detailExtras(detail)))
    })

    const cancel = Effect.fnUntraced(function* (request: Request, id: string) {
      yield* readOptionalJson(request)
      const invoice = yield* invoices.cancel(yield* caller, id)
      return json(renderInvoice(invoice, settings, cancelExtras(invoice)))
    })

    const refund = Effect.fnUntraced(function* (request: Request, id: string) {
      const body = yield* readOptionalJson(request)
      const headerKey = request.headers["idempotency-key"]
      return created(yield* invoices.refund(yield* caller, id, { body: body.object, headerKey }), settings)
    })

    const simulate = Effect.fnUntraced(function* (request: Request, id: string) {
      const body = yield* readJson(request)
      return json(renderInvoice(yield* invoices.simulate(yield* caller, id, body.object), settings))
    })

    return serving(handlers, {
      create: ({ request }) => create(request),
      bulk: ({ request }) => bulk(request),
      list: () => list(),
      get: ({ params }) => get(params.id),
      cancel: ({ request, params }) => cancel(request, params.id),
      refund: ({ request, params }) => refund(request, params.id),
      simulate: ({ request, params }) => simulate(request, params.id)
    })
  })
)

type Request = Parameters<typeof readJson>[0]

const created = (made: CreateResult | RefundResult, settings: Settings) => {
  const headers: Readonly<Record<string, string>> = made.mismatch ? { "idempotency-mismatch": "true" } : {}
  return json(renderInvoice(made.invoice, settings, replayExtras(made)), made.replayed ? 200 : 201, headers)
}

/** The create requests of a bulk body; null for an element that is no object. */
const elementsOf = (
  { text, object }: JsonBody,
  settings: Settings
): Result.Result<ReadonlyArray<CreateRequest | null>, FieldRefused<"invalid_invoices">> => {
  const elements: unknown = object["invoices"]
  if (!Array.isArray(elements) || elements.length === 0 || elements.length > settings.maxBulk) {
    return Result.fail(new FieldRefused({ code: "invalid_invoices" }))
  }
  const texts = rawElements(rawMember(text, "invoices") ?? "[]")
  return Result.succeed(
    elements.map((body: unknown, index) =>
      isObject(body) ? { body, rawMetadata: rawMember(texts[index] ?? "{}", "metadata") } : null
    )
  )
}

const bulkAnswer = (
  requests: ReadonlyArray<CreateRequest | null>,
  made: ReadonlyArray<Result.Result<CreateResult, CreateError>>,
  settings: Settings
) => {
  const judged = made.values()
  const outcomes = requests.map((request) => (request === null ? null : judged.next().value!))
  const show = (one: CreateResult) => renderInvoice(one.invoice, settings, replayExtras(one))
  const { total, created, results } = bulkJson(outcomes, show)
  return json(withRawMember({ total, created }, "results", arrayText(results.map(resultText))), 207)
}

const resultText = <Shown>(result: BulkResult<JsonText<Shown>>): JsonText<BulkResult<Shown>> =>
  result.ok ? withRawMember({ index: result.index, ok: true as const }, "invoice", result.invoice) : textOf(result)
