/** `/api/v1/form-hooks` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { hookJson } from "@tolem/core/formhook/HookJson"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson } from "../http/Bodies.ts"
import { answered, object } from "../http/Responses.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

/** The handlers of the group `formHooks`. */
export const layer = HttpApiBuilder.group(
  Api,
  "formHooks",
  Effect.fnUntraced(function* (handlers) {
    const { formHooks, settings } = yield* Engine
    const shown = (hook: FormHook, status = 200) => object(hookJson(hook, settings), status)

    const list = Effect.fnUntraced(function* () {
      const hooks = yield* formHooks.list(yield* CurrentPrincipal)
      return object({ hooks: hooks.map((hook) => hookJson(hook, settings)) })
    })
    const create = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { object: body } = yield* readJson(request)
      return shown(yield* formHooks.create(yield* CurrentPrincipal, body), 201)
    })
    const get = Effect.fnUntraced(function* (id: string) {
      return shown(yield* formHooks.get(yield* CurrentPrincipal, id))
    })
    const patch = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
      const { object: body } = yield* readJson(request)
      return shown(yield* formHooks.patch(yield* CurrentPrincipal, id, body))
    })
    const remove = Effect.fnUntraced(function* (id: string) {
      yield* formHooks.remove(yield* CurrentPrincipal, id)
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
