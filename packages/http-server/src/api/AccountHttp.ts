/** `/api/v1/account` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import { accountJson } from "@tolem/core/partner/AccountJson"
import { isWithin } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import { apiGroup } from "../http/ApiGroup.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

/** The handlers of the group `account`. */
export const layer = apiGroup(
  Api,
  "account",
  Effect.fnUntraced(function* (handlers) {
    const { tariffs } = yield* Engine
    const get = Effect.fnUntraced(function* () {
      const { organizationId, mode, connectionId } = yield* CurrentPrincipal
      const standing = yield* tariffs.standing(organizationId)
      const { connections } = standing
      // A bound key sees its own cashier, whatever its mode: cashiers are of live mode.
      const viewer = { mode: "live", connectionId } as const
      const seen = connections.filter(({ id }) => isWithin(viewer, { mode: "live", connectionId: id }))
      return object(accountJson(standing, mode, seen))
    })
    return serving(handlers, {
      get: () => get()
    })
  })
)
