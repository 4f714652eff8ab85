/** The operators' console about who did what, over the core's use-case. */
import { PanelApi } from "@tolem/api/PanelApi"
import { Engine } from "@tolem/core/engine/Engine"
import { consoleJournalJson } from "@tolem/core/operator/console/ConsoleJournalJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { apiGroup } from "../../http/ApiGroup.ts"
import { serving } from "../../http/Contract.ts"
import { object } from "../../http/Responses.ts"

/** The handlers of the group `operatorJournal`. */
export const layer = apiGroup(
  PanelApi,
  "operatorJournal",
  Effect.fnUntraced(function* (handlers) {
    const { journalConsole } = yield* Engine
    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        return object(consoleJournalJson(yield* journalConsole.page(yield* HttpServerRequest.ParsedSearchParams)))
      })
    })
  })
)
