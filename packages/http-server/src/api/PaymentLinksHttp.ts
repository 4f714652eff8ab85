/** `/api/v1/payment-links` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { Engine } from "@tolem/core/engine/Engine"
import { linkFace } from "@tolem/core/paymentlink/LinkJson"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { handlersOf } from "./Resource.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

/** The handlers of the group `paymentLinks`. */
export const layer = HttpApiBuilder.group(
  Api,
  "paymentLinks",
  Effect.fnUntraced(function* (handlers) {
    const { paymentLinks, settings } = yield* Engine
    const { list, create, get, patch, remove } = handlersOf({ verbs: paymentLinks, face: linkFace(settings) })

    return handlers
      .handle("list", list)
      .handleRaw("create", create, write)
      .handle("get", get)
      .handleRaw("patch", patch, write)
      .handle("remove", remove, write)
  })
)
