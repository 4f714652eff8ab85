/** What members do for their organizations in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { keyJson, keysJson } from "@tolem/core/merchant/KeyJson"
import { isStorable } from "@tolem/core/value/Checks"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson } from "../http/Bodies.ts"
import { answered, object } from "../http/Responses.ts"

/** The handlers of the group `organizations`. */
export const layer = HttpApiBuilder.group(
  PanelApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const { members, organizations } = yield* Engine

    const bindKey = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      { organizationId, id }: Key
    ) {
      const { account } = yield* CurrentSession
      yield* members.enter(account.id, isStorable(organizationId) ? organizationId : "")
      const { object: body } = yield* readJson(request)
      const key = yield* organizations.rebindKey(organizationId, isStorable(id) ? id : "", body["connectionId"])
      return object(keyJson(key))
    })

    const keys = Effect.fnUntraced(function* (organizationId: OrganizationId) {
      const { account } = yield* CurrentSession
      yield* members.enter(account.id, isStorable(organizationId) ? organizationId : "")
      return object(keysJson(yield* organizations.keys(organizationId)))
    })

    return handlers
      .handle("keys", ({ params }) => answered(keys(params.organizationId)))
      .handleRaw("bindKey", ({ request, params }) => answered(bindKey(request, params)), { uninterruptible: true })
  })
)

interface Key {
  readonly organizationId: OrganizationId
  readonly id: string
}
