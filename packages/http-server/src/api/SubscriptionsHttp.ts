/** `/api/v1/subscriptions` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { renderInvoice } from "@tolem/core/invoice/InvoiceJson"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import { renderSubscription } from "@tolem/core/subscription/SubscriptionJson"
import { rawMember } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { roomForPage } from "../http/RequestRoom.ts"
import { answered, json, type Refusal } from "../http/Responses.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

const caller = Effect.map(CurrentPrincipal, (principal): Caller => ({ ...principal, source: "api" }))

const sentIn = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { object, text } = yield* readJson(request)
  return { body: object, rawMetadata: rawMember(text, "metadata"), headerKey: request.headers["idempotency-key"] }
})

/** The handlers of the group `subscriptions`. */
export const layer = HttpApiBuilder.group(
  Api,
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const { subscriptions, settings } = yield* Engine

    const create = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const made = yield* subscriptions.create(yield* caller, yield* sentIn(request))
      const mismatch: Readonly<Record<string, string>> = made.mismatch ? { "idempotency-mismatch": "true" } : {}
      return json(renderSubscription(made.subscription), made.replayed ? 200 : 201, mismatch)
    })

    const list = Effect.fnUntraced(function* () {
      const query = yield* HttpServerRequest.ParsedSearchParams
      const status = Array.isArray(query["status"]) ? query["status"].join(",") : query["status"]
      yield* roomForPage(query["limit"], settings)
      const page = yield* subscriptions.list(yield* caller, { ...query, status })
      const items = page.subscriptions.map((subscription) => renderSubscription(subscription)).join(",")
      const { total, limit, offset } = page
      return json(`{"total":${total},"limit":${limit},"offset":${offset},"subscriptions":[${items}]}`)
    })

    const get = Effect.fnUntraced(function* (id: string) {
      return json(renderSubscription(yield* subscriptions.get(yield* caller, id)))
    })

    const patch = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
      return json(renderSubscription(yield* subscriptions.patch(yield* caller, id, yield* sentIn(request))))
    })

    type Verb = (caller: Caller, id: string) => Effect.Effect<Subscription, Refusal>
    const command = (verb: Verb) =>
      Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
        yield* readOptionalJson(request)
        return json(renderSubscription(yield* verb(yield* caller, id)))
      })
    const [pause, resume, cancel] = [subscriptions.pause, subscriptions.resume, subscriptions.cancel].map(command)

    const run = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
      yield* readOptionalJson(request)
      return json(renderInvoice(yield* subscriptions.run(yield* caller, id), settings), 201)
    })

    return handlers
      .handleRaw("create", ({ request }) => answered(create(request)), write)
      .handle("list", () => answered(list()))
      .handle("get", ({ params }) => answered(get(params.id)))
      .handleRaw("patch", ({ request, params }) => answered(patch(request, params.id)), write)
      .handleRaw("pause", ({ request, params }) => answered(pause!(request, params.id)), write)
      .handleRaw("resume", ({ request, params }) => answered(resume!(request, params.id)), write)
      .handleRaw("cancel", ({ request, params }) => answered(cancel!(request, params.id)), write)
      .handleRaw("run", ({ request, params }) => answered(run(request, params.id)), write)
  })
)
