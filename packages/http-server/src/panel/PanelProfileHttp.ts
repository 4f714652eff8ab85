/** What customers see of an organization, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { profileJson } from "@tolem/core/face/Profiles"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { maxPictureBodyBytes, readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

/** The handlers of the group `profiles`. */
export const layer = apiGroup(
  PanelApi,
  "profiles",
  Effect.fnUntraced(function* (handlers) {
    const { profiles, settings } = yield* Engine
    const get = Effect.gen(function* () {
      const { organization } = yield* CurrentDesk
      return object(profileJson(yield* profiles.get(organization.id), settings.baseUrl))
    })

    const change = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { organization } = yield* CurrentDesk
      const { object: body } = yield* readJson(request, maxPictureBodyBytes)
      return object(profileJson(yield* profiles.change(organization.id, body), settings.baseUrl))
    })

    return serving(handlers, { get: () => get, change: ({ request }) => change(request) })
  })
)
