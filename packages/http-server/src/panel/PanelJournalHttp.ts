/** The journal in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { journalJson } from "@tolem/core/cabinet/journal/JournalJson"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

/** The handlers of the group `journal`. */
export const layer = apiGroup(
  PanelApi,
  "journal",
  Effect.fnUntraced(function* (handlers) {
    const { journal } = yield* Engine
    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(journalJson(yield* journal.page(yield* CurrentDesk, query)))
      }),
      actors: Effect.fnUntraced(function* () {
        return object({ actors: yield* journal.actors(yield* CurrentDesk) })
      })
    })
  })
)
