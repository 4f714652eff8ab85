/** `/api/v1/partner` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import { partnerFace } from "@tolem/core/partner/PartnerClient"
import { isStorable } from "@tolem/core/value/Checks"
import type { ConnectionId } from "@tolem/core/value/Ids"
import { Clock, Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { object } from "../http/Responses.ts"

type Request = HttpServerRequest.HttpServerRequest

/** A member of a body as text; anything else as one that nothing has. */
const textOf = (value: unknown): string => (typeof value === "string" && isStorable(value) ? value : "")

const partnerId = Effect.map(CurrentPrincipal, ({ organizationId }) => organizationId)

const bodyOf = (request: Request) => Effect.map(readJson(request), ({ object }) => object)

/** The handlers of the group `partner`. */
export const layer = HttpApiBuilder.group(
  Api,
  "partner",
  Effect.fnUntraced(function* (handlers) {
    const { partners, settings } = yield* Engine
    const face = partnerFace(settings)
    const now = Clock.currentTimeMillis

    const open = Effect.fnUntraced(function* (request: Request) {
      const { name, ownerPhone, ownerName, legalName, idn } = yield* bodyOf(request)
      const wanted = { name, ownerPhone, ownerName, legalName, idn }
      const opened = yield* partners.open(yield* partnerId, wanted, request.headers["idempotency-key"])
      return object(face.open(opened, yield* now), opened.text === null ? 200 : 201)
    })

    const list = Effect.fnUntraced(function* () {
      const { limit, offset } = yield* HttpServerRequest.ParsedSearchParams
      return object(face.clients(yield* partners.clients(yield* partnerId, { limit, offset }), yield* now))
    })

    const get = Effect.fnUntraced(function* (id: string) {
      return object(face.client(yield* partners.client(yield* partnerId, id), yield* now))
    })

    const switchMode = Effect.fnUntraced(function* (request: Request, id: string) {
      const { mode } = yield* bodyOf(request)
      return object(face.switchMode(yield* partners.switchMode(yield* partnerId, id, mode), yield* now))
    })

    const createKey = Effect.fnUntraced(function* (request: Request, id: string) {
      const { name, scopes } = yield* bodyOf(request)
      return object(face.createKey(yield* partners.createKey(yield* partnerId, id, { name, scopes })), 201)
    })

    const createConnection = Effect.fnUntraced(function* (request: Request, id: string) {
      const { name } = (yield* readOptionalJson(request)).object
      return object(face.createConnection(yield* partners.createConnection(yield* partnerId, id, { name })), 201)
    })

    const initLogin = Effect.fnUntraced(function* (request: Request, { id, connectionId }: Cashier) {
      yield* readOptionalJson(request)
      return object(face.initLogin(yield* partners.initLogin(yield* partnerId, id, connectionId)))
    })

    const sendPhone = Effect.fnUntraced(function* (request: Request, { id, connectionId }: Cashier) {
      const { processId, phone } = yield* bodyOf(request)
      const given = { processId: textOf(processId), phone }
      return object(face.sendPhone(yield* partners.sendPhone(yield* partnerId, id, connectionId, given)))
    })

    const verifyOtp = Effect.fnUntraced(function* (request: Request, { id, connectionId }: Cashier) {
      const { processId, otp } = yield* bodyOf(request)
      const given = { processId: textOf(processId), otp: Redacted.make(textOf(otp)) }
      return object(face.verifyOtp(yield* partners.verifyOtp(yield* partnerId, id, connectionId, given)))
    })

    const earnings = Effect.fnUntraced(function* () {
      return object(face.earnings(yield* partners.earnings(yield* partnerId)))
    })

    return serving(handlers, {
      open: ({ request }) => open(request),
      list: () => list(),
      get: ({ params }) => get(params.id),
      switchMode: ({ request, params }) => switchMode(request, params.id),
      createKey: ({ request, params }) => createKey(request, params.id),
      createConnection: ({ request, params }) => createConnection(request, params.id),
      initLogin: ({ request, params }) => initLogin(request, params),
      sendPhone: ({ request, params }) => sendPhone(request, params),
      verifyOtp: ({ request, params }) => verifyOtp(request, params),
      earnings: () => earnings()
    })
  })
)

interface Cashier {
  readonly id: string
  readonly connectionId: ConnectionId
}
