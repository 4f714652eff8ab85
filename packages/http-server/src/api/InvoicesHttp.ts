/** `/api/v1/invoices` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { Engine } from "@tolem/core/engine/Engine"
import type { Settings } from "@tolem/core/engine/Settings"
import { FieldRefused } from "@tolem/core/error/Refusals"
import type { CreateResult } from "@tolem/core/invoice/CreationWithin"
import type { CreateError, CreateRequest } from "@tolem/core/invoice/InvoiceCreation"
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
import { apiGroup } from "../http/ApiGroup.ts"
import { type JsonBody, maxBulkBytes, readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { json } from "../http/Responses.ts"
import { bodyToMake, caller, listQuery, type One, replayHeaders, type Sent } from "./RequestParts.ts"

/** The handlers of the group `invoices`. */
export const layer = apiGroup(
  Api,
  "invoices",
  Effect.fnUntraced(function* (handlers) {
    const { invoices, settings } = yield* Engine

    return serving(handlers, {
      create: Effect.fnUntraced(function* ({ request }: Sent) {
        return created(yield* invoices.create(yield* caller, yield* bodyToMake({ request })), settings)
      }),
      bulk: Effect.fnUntraced(function* ({ request }: Sent) {
        const requests = yield* Effect.fromResult(elementsOf(yield* readJson(request, maxBulkBytes), settings))
        const judged = requests.filter((one) => one !== null)
        const made = judged.length === 0 ? [] : yield* invoices.bulk(yield* caller, judged)
        return bulkAnswer(requests, made, settings)
      }),
      list: Effect.fnUntraced(function* () {
        const page = yield* invoices.list(yield* caller, yield* listQuery(settings))
        const { total, limit, offset } = page
        const items = arrayText(page.invoices.map((invoice) => renderInvoice(invoice, settings)))
        return json(withRawMember({ total, limit, offset }, "invoices", items))
      }),
      get: Effect.fnUntraced(function* ({ params }: One) {
        const { live } = yield* HttpServerRequest.ParsedSearchParams
        if (Array.isArray(live)) return yield* new FieldRefused({ code: "invalid_live" })
        const detail = yield* invoices.get(yield* caller, params.id, { live: live === "1" })
        return json(renderInvoice(detail.invoice, settings, detailExtras(detail)))
      }),
      cancel: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        const invoice = yield* invoices.cancel(yield* caller, params.id)
        return json(renderInvoice(invoice, settings, cancelExtras(invoice)))
      }),
      refund: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const body = yield* readOptionalJson(request)
        const headerKey = request.headers["idempotency-key"]
        return created(yield* invoices.refund(yield* caller, params.id, { body: body.object, headerKey }), settings)
      }),
      simulate: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const body = yield* readJson(request)
        return json(renderInvoice(yield* invoices.simulate(yield* caller, params.id, body.object), settings))
      })
    })
  })
)

/** The answer to what makes an invoice or a refund: 201, or 200 if it was made before. */
export const created = (made: CreateResult | RefundResult, settings: Settings) =>
  json(renderInvoice(made.invoice, settings, replayExtras(made)), made.replayed ? 200 : 201, replayHeaders(made))

/** The create requests of a bulk body; null for an element that is no object. */
export const elementsOf = (
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

/** The answer to a bulk request: what became of each element. */
export const bulkAnswer = (
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
