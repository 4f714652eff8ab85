/** `/api/v1/payment-links` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import { linkFace } from "@tolem/core/paymentlink/LinkJson"
import { Effect } from "effect"
import { apiGroup } from "../http/ApiGroup.ts"
import { maxPictureBodyBytes } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { handlersOf } from "./Resource.ts"

/** The handlers of the group `paymentLinks`. */
export const layer = apiGroup(
  Api,
  "paymentLinks",
  Effect.fnUntraced(function* (handlers) {
    const { paymentLinks, settings } = yield* Engine
    return serving(handlers, handlersOf(paymentLinks, linkFace(settings), CurrentPrincipal, maxPictureBodyBytes))
  })
)
