/** `/api/v1/subscriptions` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { renderInvoice } from "@tolem/core/invoice/InvoiceJson"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import { renderSubscription } from "@tolem/core/subscription/SubscriptionJson"
import type { CommandError } from "@tolem/core/subscription/Subscriptions"
import { arrayText, rawMember, withRawMember } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { roomForPage } from "../http/RequestRoom.ts"
import { json } from "../http/Responses.ts"

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
      const { total, limit, offset } = page
      const items = arrayText(page.subscriptions.map(renderSubscription))
      return json(withRawMember({ total, limit, offset }, "subscriptions", items))
    })

    const get = Effect.fnUntraced(function* (id: string) {
      return json(renderSubscription(yield* subscriptions.get(yield* caller, id)))
    })

    const patch = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
      return json(renderSubscription(yield* subscriptions.patch(yield* caller, id, yield* sentIn(request))))
    })

    type Verb = (caller: Caller, id: string) => Effect.Effect<Subscription, CommandError>
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

    return serving(handlers, {
      create: ({ request }) => create(request),
      list: () => list(),
      get: ({ params }) => get(params.id),
      patch: ({ request, params }) => patch(request, params.id),
      pause: ({ request, params }) => pause!(request, params.id),
      resume: ({ request, params }) => resume!(request, params.id),
      cancel: ({ request, params }) => cancel!(request, params.id),
      run: ({ request, params }) => run(request, params.id)
    })
  })
)
