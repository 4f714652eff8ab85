/** What members do for their organizations in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { lettersJson } from "@tolem/core/letters/InvoiceLetters"
import { keyJson, keysJson } from "@tolem/core/merchant/KeyJson"
import { isStorable } from "@tolem/core/value/Checks"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

/** The handlers of the group `organizations`. */
export const layer = HttpApiBuilder.group(
  PanelApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const { members, organizations, letters } = yield* Engine

    const enter = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const { account } = yield* CurrentSession
      return yield* members.enter(account.id, storable(organizationId))
    })

    const bindKey = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      { organizationId, id }: Place
    ) {
      yield* enter(organizationId)
      const { object: body } = yield* readJson(request)
      const key = yield* organizations.rebindKey(organizationId, storable(id), body["connectionId"])
      return object(keyJson(key))
    })

    const keys = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      yield* enter(organizationId)
      return object(keysJson(yield* organizations.keys(organizationId)))
    })

    const lettersOf = Effect.fnUntraced(function* ({ organizationId, id }: Place) {
      yield* enter(organizationId)
      return object(lettersJson(yield* letters.list(organizationId, storable(id))))
    })

    return serving(handlers, {
      keys: ({ params }) => keys(params.organizationId),
      bindKey: ({ request, params }) => bindKey(request, params),
      letters: ({ params }) => lettersOf(params)
    })
  })
)

// No database takes any text, and none holds an id of such.
const storable = (id: string): string => (isStorable(id) ? id : "")

interface Place {
  readonly organizationId: OrganizationId
  readonly id: string
}
