/** Clients of a partner in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { partnerFace } from "@tolem/core/partner/PartnerClient"
import { isStorable } from "@tolem/core/value/Checks"
import type { ConnectionId } from "@tolem/core/value/Ids"
import { Clock, Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import type { One, Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

interface Cashier {
  readonly params: { readonly id: string; readonly connectionId: ConnectionId }
}

const textOf = (value: unknown): string => (typeof value === "string" && isStorable(value) ? value : "")

const partnerId = Effect.map(CurrentDesk, ({ organization }) => organization.id)

const bodyOf = (request: Sent["request"]) => Effect.map(readJson(request), ({ object }) => object)

/** The handlers of the group `clients`. */
export const layer = apiGroup(
  PanelApi,
  "clients",
  Effect.fnUntraced(function* (handlers) {
    const { partners, settings } = yield* Engine
    const face = partnerFace(settings)
    const now = Clock.currentTimeMillis

    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        const { limit, offset } = yield* HttpServerRequest.ParsedSearchParams
        return object(face.clients(yield* partners.clients(yield* partnerId, { limit, offset }), yield* now))
      }),
      open: Effect.fnUntraced(function* ({ request }: Sent) {
        const { name, ownerPhone, ownerName, legalName, idn } = yield* bodyOf(request)
        const wanted = { name, ownerPhone, ownerName, legalName, idn }
        const opened = yield* partners.open(yield* partnerId, wanted, request.headers["idempotency-key"])
        return object(face.open(opened, yield* now), opened.text === null ? 200 : 201)
      }),
      get: Effect.fnUntraced(function* ({ params }: One) {
        return object(face.client(yield* partners.client(yield* partnerId, params.id), yield* now))
      }),
      switchMode: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const { mode } = yield* bodyOf(request)
        return object(face.switchMode(yield* partners.switchMode(yield* partnerId, params.id, mode), yield* now))
      }),
      createKey: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const { name, scopes } = yield* bodyOf(request)
        return object(face.createKey(yield* partners.createKey(yield* partnerId, params.id, { name, scopes })), 201)
      }),
      createConnection: Effect.fnUntraced(function* ({ request, params: { id } }: Sent & One) {
        const { name } = yield* bodyOf(request)
        return object(face.createConnection(yield* partners.createConnection(yield* partnerId, id, { name })), 201)
      }),
      initLogin: Effect.fnUntraced(function* ({ request, params: { id, connectionId } }: Sent & Cashier) {
        yield* readOptionalJson(request)
        return object(face.initLogin(yield* partners.initLogin(yield* partnerId, id, connectionId)))
      }),
      sendPhone: Effect.fnUntraced(function* ({ request, params: { id, connectionId } }: Sent & Cashier) {
        const { processId, phone } = yield* bodyOf(request)
        const given = { processId: textOf(processId), phone }
        return object(face.sendPhone(yield* partners.sendPhone(yield* partnerId, id, connectionId, given)))
      }),
      verifyOtp: Effect.fnUntraced(function* ({ request, params: { id, connectionId } }: Sent & Cashier) {
        const { processId, otp } = yield* bodyOf(request)
        const given = { processId: textOf(processId), otp: Redacted.make(textOf(otp)) }
        return object(face.verifyOtp(yield* partners.verifyOtp(yield* partnerId, id, connectionId, given)))
      })
    })
  })
)
