/** The operators' console about people, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { Engine } from "@tolem/core/engine/Engine"
import { consoleAccountsJson, consolePersonJson } from "@tolem/core/operator/console/ConsoleJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { apiGroup } from "../../http/ApiGroup.ts"
import { serving } from "../../http/Contract.ts"
import { object } from "../../http/Responses.ts"

interface One {
  readonly params: { readonly id: string }
}

/** The handlers of the group `operatorAccounts`. */
export const layer = apiGroup(
  PanelApi,
  "operatorAccounts",
  Effect.fnUntraced(function* (handlers) {
    const { accountConsole } = yield* Engine
    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        return object(consoleAccountsJson(yield* accountConsole.list(yield* HttpServerRequest.ParsedSearchParams)))
      }),
      get: Effect.fnUntraced(function* ({ params }: One) {
        return object(consolePersonJson(yield* accountConsole.get(params.id)))
      }),
      block: Effect.fnUntraced(function* ({ params }: One) {
        return object(consolePersonJson(yield* accountConsole.block(params.id)))
      }),
      unblock: Effect.fnUntraced(function* ({ params }: One) {
        return object(consolePersonJson(yield* accountConsole.unblock(params.id)))
      }),
      endSessions: Effect.fnUntraced(function* ({ params }: One) {
        return object({ ended: yield* accountConsole.endSessions(params.id) })
      })
    })
  })
)
