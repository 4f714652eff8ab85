/** `/api/v1/account` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import { accountJson } from "@tolem/core/partner/AccountJson"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answered, object } from "../http/Responses.ts"

/** The handlers of the group `account`. */
export const layer = HttpApiBuilder.group(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const { tariffs } = yield* Engine
    const get = Effect.fnUntraced(function* () {
      const { organizationId, mode, connectionId } = yield* CurrentPrincipal
      const standing = yield* tariffs.standing(organizationId)
      const { connections } = standing
      // A bound key sees its own cashier.
      const seen = connectionId === null ? connections : connections.filter(({ id }) => id === connectionId)
      return object(accountJson(standing, mode, seen))
    })
    return handlers.handle("get", () => answered(get()))
  })
)
