/** `/api/v1/payment-links` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import { linkJson } from "@tolem/core/paymentlink/LinkJson"
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson } from "../http/Bodies.ts"
import { answered, object } from "../http/Responses.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

/** The handlers of the group `paymentLinks`. */
export const layer = HttpApiBuilder.group(
  Api,
  "paymentLinks",
  Effect.fnUntraced(function* (handlers) {
    const { paymentLinks, settings } = yield* Engine
    const shown = (link: PaymentLink, status = 200) => object(linkJson(link, settings), status)

    const list = Effect.fnUntraced(function* () {
      const links = yield* paymentLinks.list(yield* CurrentPrincipal)
      return object({ links: links.map((link) => linkJson(link, settings)) })
    })
    const create = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { object: body } = yield* readJson(request)
      return shown(yield* paymentLinks.create(yield* CurrentPrincipal, body), 201)
    })
    const get = Effect.fnUntraced(function* (id: string) {
      return shown(yield* paymentLinks.get(yield* CurrentPrincipal, id))
    })
    const patch = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
      const { object: body } = yield* readJson(request)
      return shown(yield* paymentLinks.patch(yield* CurrentPrincipal, id, body))
    })
    const remove = Effect.fnUntraced(function* (id: string) {
      yield* paymentLinks.remove(yield* CurrentPrincipal, id)
      return HttpServerResponse.empty({ status: 204 })
    })

    return handlers
      .handle("list", () => answered(list()))
      .handleRaw("create", ({ request }) => answered(create(request)), write)
      .handle("get", ({ params }) => answered(get(params.id)))
      .handleRaw("patch", ({ request, params }) => answered(patch(request, params.id)), write)
      .handle("remove", ({ params }) => answered(remove(params.id)), write)
  })
)
