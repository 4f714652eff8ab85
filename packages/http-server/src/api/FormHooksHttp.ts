/** `/api/v1/form-hooks` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { Engine } from "@tolem/core/engine/Engine"
import { hookFace } from "@tolem/core/formhook/HookJson"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { handlersOf } from "./Resource.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

/** The handlers of the group `formHooks`. */
export const layer = HttpApiBuilder.group(
  Api,
  "formHooks",
  Effect.fnUntraced(function* (handlers) {
    const { formHooks, settings } = yield* Engine
    const { list, create, get, patch, remove } = handlersOf({ verbs: formHooks, face: hookFace(settings) })

    return handlers
      .handle("list", list)
      .handleRaw("create", create, write)
      .handle("get", get)
      .handleRaw("patch", patch, write)
      .handle("remove", remove, write)
  })
)
