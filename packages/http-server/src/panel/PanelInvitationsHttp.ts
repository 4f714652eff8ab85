/** Invitations to organizations, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk, CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { invitationJson, invitationsJson, offeredJson } from "@tolem/core/invitation/InvitationJson"
import { membershipJson } from "@tolem/core/merchant/KeyJson"
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { nothing, object } from "../http/Responses.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The handlers of the group `invitations`. */
export const layer = apiGroup(
  PanelApi,
  "invitations",
  Effect.fnUntraced(function* (handlers) {
    const { invitations } = yield* Engine

    const list = Effect.gen(function* () {
      const { organization } = yield* CurrentDesk
      return object(invitationsJson(yield* invitations.list(organization.id), yield* Clock.currentTimeMillis))
    })

    const create = Effect.fnUntraced(function* (request: Request) {
      const { object: body } = yield* readJson(request)
      const { organization } = yield* CurrentDesk
      const made = yield* invitations.create(organization.id, body)
      return object(invitationJson(made, yield* Clock.currentTimeMillis), 201)
    })

    const withdraw = Effect.fnUntraced(function* (id: string) {
      const { organization } = yield* CurrentDesk
      yield* invitations.withdraw(organization.id, id)
      return nothing
    })

    return serving(handlers, {
      list: () => list,
      create: ({ request }) => create(request),
      withdraw: ({ params }) => withdraw(params.id)
    })
  })
)

/** The handlers of the group `ownInvitations`. */
export const layerOwn = apiGroup(
  PanelApi,
  "ownInvitations",
  Effect.fnUntraced(function* (handlers) {
    const { invitations } = yield* Engine

    const list = Effect.gen(function* () {
      const { account } = yield* CurrentSession
      return object(offeredJson(yield* invitations.offered(account.id)))
    })

    const accept = Effect.fnUntraced(function* (request: Request, id: string) {
      yield* readOptionalJson(request)
      const { account } = yield* CurrentSession
      return object(membershipJson(yield* invitations.accept(account.id, id)))
    })

    const decline = Effect.fnUntraced(function* (request: Request, id: string) {
      yield* readOptionalJson(request)
      const { account } = yield* CurrentSession
      yield* invitations.decline(account.id, id)
      return nothing
    })

    return serving(handlers, {
      list: () => list,
      accept: ({ request, params }) => accept(request, params.id),
      decline: ({ request, params }) => decline(request, params.id)
    })
  })
)
