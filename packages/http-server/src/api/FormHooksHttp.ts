/** `/api/v1/form-hooks` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import { hookFace } from "@tolem/core/formhook/HookJson"
import { Effect } from "effect"
import { apiGroup } from "../http/ApiGroup.ts"
import { serving } from "../http/Contract.ts"
import { handlersOf } from "./Resource.ts"

/** The handlers of the group `formHooks`. */
export const layer = apiGroup(
  Api,
  "formHooks",
  Effect.fnUntraced(function* (handlers) {
    const { formHooks, settings } = yield* Engine
    return serving(handlers, handlersOf(formHooks, hookFace(settings), CurrentPrincipal))
  })
)
