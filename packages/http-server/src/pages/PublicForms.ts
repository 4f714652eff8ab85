/**
 * Where forms on merchants' own sites have invoices made without a key: `/f/{id}`, a form hook. Each request counts as
 * one view of a public page, and is bounded for each visitor and for each hook.
 */
import { Engine } from "@tolem/core/engine/Engine"
import { isHookId } from "@tolem/core/formhook/FormHook"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { payUrl } from "@tolem/core/invoice/InvoiceJson"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { readForm } from "../http/FormBodies.ts"
import { answered, object, type Refusal, refuse } from "../http/Responses.ts"
import { countInvoice, countView } from "./Visit.ts"

type Answer = HttpServerResponse.HttpServerResponse

/** The routes of form hooks. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { formHooks, settings, visitors } = yield* Engine
    const view = countView(visitors, settings)

    const limited = <R>(handler: Effect.Effect<Answer, Refusal, R>) =>
      Effect.gen(function* () {
        const { allowed, retryAfterSeconds } = yield* view
        if (allowed) return yield* answered(handler)
        return refuse("request_rate_limited", { "retry-after": String(retryAfterSeconds) })
      }).pipe(Effect.map(HttpServerResponse.setHeader("cache-control", "no-store")))

    /** For what could be a hook; what cannot is refused all the same. */
    const bounded = <R>(maker: string | null, handler: Effect.Effect<Answer, Refusal, R>) =>
      Effect.gen(function* () {
        if (maker === null) return yield* handler
        const { allowed, retryAfterSeconds } = yield* countInvoice(visitors, settings, maker)
        if (allowed) return yield* handler
        return refuse("request_rate_limited", { "retry-after": String(retryAfterSeconds) })
      })

    const madeOf = ({ id }: Invoice) => ({ invoiceId: id, payUrl: payUrl(id, settings) })

    const submit = Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      const { redirect } = yield* HttpServerRequest.ParsedSearchParams
      const fields = yield* readForm(yield* HttpServerRequest.HttpServerRequest)
      const submitted = Effect.map(formHooks.submit(id, fields), (invoice) => {
        const made = madeOf(invoice)
        return redirect === "1"
          ? HttpServerResponse.empty({ status: 302, headers: { location: made.payUrl } })
          : object({ ok: true, ...made })
      })
      return yield* bounded(isHookId(id) ? `f/${id}` : null, submitted)
    })

    yield* router.add("POST", "/f/:id", Effect.map(limited(submit), HttpServerResponse.setHeaders(anySite)), write)
    yield* router.add("OPTIONS", "/f/:id", HttpServerResponse.empty({ status: 204, headers: preflight }))
  })
)

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

/** Forms are on sites of merchants, which may read the answers. There is nothing that a browser would send along. */
const anySite = { "access-control-allow-origin": "*", "access-control-expose-headers": "retry-after, x-request-id" }

const preflight = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "POST",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": "86400"
}
