/** What members do for their organizations in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk, CurrentSession } from "@tolem/api/PanelSecurity"
import { deskJson, partsJson } from "@tolem/core/cabinet/DeskJson"
import { Engine } from "@tolem/core/engine/Engine"
import { OrganizationInactive } from "@tolem/core/error/Refusals"
import { lettersJson } from "@tolem/core/letters/InvoiceLetters"
import { keyJson, keysJson } from "@tolem/core/merchant/KeyJson"
import { isStorable } from "@tolem/core/value/Checks"
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

/** The handlers of the group `memberships`. */
export const layerMemberships = HttpApiBuilder.group(
  PanelApi,
  "memberships",
  Effect.fnUntraced(function* (handlers) {
    const { directory } = yield* Engine

    const list = Effect.gen(function* () {
      const { account } = yield* CurrentSession
      return object(partsJson(yield* directory.parts(account.id)))
    })

    return serving(handlers, { list: () => list })
  })
)

/** The handlers of the group `organizations`. */
export const layer = HttpApiBuilder.group(
  PanelApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const { desks, organizations, letters, tariffs, settings } = yield* Engine

    const get = Effect.gen(function* () {
      const desk = yield* CurrentDesk
      const standing = yield* Effect.catchTag(tariffs.standing(desk.organization.id), "OrganizationNotFound", () =>
        Effect.fail(new OrganizationInactive())
      )
      return object(deskJson(desk, standing, yield* Clock.currentTimeMillis, settings.tariffs.catalogue))
    })

    const bindKey = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, id: string) {
      const { organization } = yield* CurrentDesk
      const { object: body } = yield* readJson(request)
      const key = yield* organizations.rebindKey(organization.id, storable(id), body["connectionId"])
      return object(keyJson(key))
    })

    const keys = Effect.gen(function* () {
      const { organization } = yield* CurrentDesk
      return object(keysJson(yield* organizations.keys(organization.id)))
    })

    const lettersOf = Effect.fnUntraced(function* (id: string) {
      const { organizationId } = yield* desks.callerFor(yield* CurrentDesk, id)
      return object(lettersJson(yield* letters.list(organizationId, id)))
    })

    return serving(handlers, {
      get: () => get,
      keys: () => keys,
      bindKey: ({ request, params }) => bindKey(request, params.id),
      letters: ({ params }) => lettersOf(params.id)
    })
  })
)

// No database takes any text, and none holds an id of such.
const storable = (id: string): string => (isStorable(id) ? id : "")
