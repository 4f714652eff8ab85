/** A person's own sessions in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { sessionsJson } from "@tolem/core/login/SessionJson"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { serving } from "../http/Contract.ts"
import { nothing, object } from "../http/Responses.ts"

/** The handlers of the group `sessions`. */
export const layer = HttpApiBuilder.group(
  PanelApi,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const { logins } = yield* Engine

    const list = Effect.gen(function* () {
      const { session, account } = yield* CurrentSession
      return object(sessionsJson(yield* logins.sessions(account.id), session.id))
    })
    const endOthers = Effect.gen(function* () {
      const { session, account } = yield* CurrentSession
      return object({ ended: yield* logins.endOthers(account.id, session.id) })
    })
    const endOne = Effect.fnUntraced(function* (id: string) {
      const { account } = yield* CurrentSession
      yield* logins.endOne(account.id, id)
      return nothing
    })

    return serving(handlers, {
      list: () => list,
      endOthers: () => endOthers,
      endOne: ({ params }) => endOne(params.id)
    })
  })
)
