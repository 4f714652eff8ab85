/** A person's own sessions in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { sessionsJson } from "@tolem/core/login/SessionJson"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { answered, object } from "../http/Responses.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

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
      return HttpServerResponse.empty({ status: 204 })
    })

    return handlers
      .handle("list", () => answered(list))
      .handle("endOthers", () => answered(endOthers), write)
      .handle("endOne", ({ params }) => answered(endOne(params.id)), write)
  })
)
