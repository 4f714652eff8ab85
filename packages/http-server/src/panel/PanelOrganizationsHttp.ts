/** What members do for their organizations in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk, CurrentSession } from "@tolem/api/PanelSecurity"
import { deskJson, deskKeyJson, madeKeyJson, partsJson, teamJson, teamMemberJson } from "@tolem/core/cabinet/DeskJson"
import { Engine } from "@tolem/core/engine/Engine"
import { OrganizationInactive } from "@tolem/core/error/Refusals"
import { letterJson, lettersJson } from "@tolem/core/letters/InvoiceLetters"
import type { Organization } from "@tolem/core/merchant/Merchant"
import { organizationJson } from "@tolem/core/partner/PartnerClient"
import { Clock, Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { nothing, object } from "../http/Responses.ts"

/** The handlers of the group `memberships`. */
export const layerMemberships = apiGroup(
  PanelApi,
  "memberships",
  Effect.fnUntraced(function* (handlers) {
    const { directory, ownOrganizations, settings } = yield* Engine

    const list = Effect.gen(function* () {
      const { account } = yield* CurrentSession
      return object(partsJson(yield* directory.parts(account.id)))
    })

    const open = Effect.fnUntraced(function* (request: Request) {
      const { object: body } = yield* readJson(request)
      const { account } = yield* CurrentSession
      const opened = yield* ownOrganizations.open(account, body, request.headers["idempotency-key"])
      const shown = organizationJson(opened.organization, yield* Clock.currentTimeMillis, settings.tariffs.catalogue)
      return object(shown, opened.replayed ? 200 : 201)
    })

    return serving(handlers, { list: () => list, open: ({ request }) => open(request) })
  })
)

/** The handlers of the group `organizations`. */
export const layer = apiGroup(
  PanelApi,
  "organizations",
  Effect.fnUntraced(function* (handlers) {
    const { desks, organizations, ownOrganizations, letters, tariffs, team, settings } = yield* Engine
    const shown = Effect.fnUntraced(function* (organization: Organization) {
      const now = yield* Clock.currentTimeMillis
      return object(organizationJson(organization, now, settings.tariffs.catalogue))
    })

    const get = Effect.gen(function* () {
      const desk = yield* CurrentDesk
      const standing = yield* Effect.catchTag(tariffs.standing(desk.organization.id), "OrganizationNotFound", () =>
        Effect.fail(new OrganizationInactive())
      )
      return object(deskJson(desk, standing, yield* Clock.currentTimeMillis, settings.tariffs.catalogue))
    })

    const archive = Effect.fnUntraced(function* (request: Request) {
      yield* readOptionalJson(request)
      return yield* shown(yield* ownOrganizations.archive(yield* CurrentDesk))
    })

    const switchMode = Effect.fnUntraced(function* (request: Request) {
      const { mode } = (yield* readJson(request)).object
      return yield* shown(yield* ownOrganizations.switchMode(yield* CurrentDesk, mode))
    })

    const createKey = Effect.fnUntraced(function* (request: Request) {
      const { object: body } = yield* readJson(request)
      const desk = yield* CurrentDesk
      const made = yield* ownOrganizations.createKey(desk, body)
      return object(madeKeyJson(made, yield* team.list(desk)), 201)
    })

    const deleteKey = Effect.fnUntraced(function* (id: string) {
      yield* ownOrganizations.deleteKey(yield* CurrentDesk, id)
      return nothing
    })

    const bindKey = Effect.fnUntraced(function* (request: Request, id: string) {
      const { object: body } = yield* readJson(request)
      const desk = yield* CurrentDesk
      const key = yield* ownOrganizations.bindKey(desk, id, body["connectionId"])
      return object(deskKeyJson(key, yield* team.list(desk)))
    })

    const keys = Effect.gen(function* () {
      const desk = yield* CurrentDesk
      const members = yield* team.list(desk)
      const all = yield* organizations.keys(desk.organization.id)
      return object({ keys: all.map((key) => deskKeyJson(key, members)) })
    })

    const lettersOf = Effect.fnUntraced(function* (id: string) {
      const { organizationId } = yield* desks.callerFor(yield* CurrentDesk, id)
      return object(lettersJson(yield* letters.list(organizationId, id)))
    })

    const sendLetterAgain = Effect.fnUntraced(function* (request: Request, id: string, letterId: string) {
      yield* readOptionalJson(request)
      const { organizationId } = yield* desks.callerFor(yield* CurrentDesk, id)
      return object(letterJson(yield* letters.sendAgain(organizationId, id, letterId)))
    })

    return serving(handlers, {
      ...(yield* membersOf),
      get: () => get,
      archive: ({ request }) => archive(request),
      switchMode: ({ request }) => switchMode(request),
      createKey: ({ request }) => createKey(request),
      deleteKey: ({ params }) => deleteKey(params.id),
      keys: () => keys,
      bindKey: ({ request, params }) => bindKey(request, params.id),
      letters: ({ params }) => lettersOf(params.id),
      sendLetterAgain: ({ request, params }) => sendLetterAgain(request, params.id, params.letterId)
    })
  })
)

/** What is done with members. */
const membersOf = Effect.gen(function* () {
  const { team } = yield* Engine

  const change = Effect.fnUntraced(function* (request: Request, id: string) {
    const { object: body } = yield* readJson(request)
    return object(teamMemberJson(yield* team.change(yield* CurrentDesk, id, body)))
  })

  return {
    members: Effect.fnUntraced(function* () {
      return object(teamJson(yield* team.list(yield* CurrentDesk)))
    }),
    changeMember: ({ request, params }: Sent) => change(request, params.id),
    removeMember: Effect.fnUntraced(function* ({ params }: Pick<Sent, "params">) {
      yield* team.remove(yield* CurrentDesk, params.id)
      return nothing
    })
  }
})

type Request = HttpServerRequest.HttpServerRequest

interface Sent {
  readonly request: Request
  readonly params: { readonly id: string }
}
