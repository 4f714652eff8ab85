/** `/api/v1/partner` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { connectionJson } from "@tolem/core/connection/Connection"
import { Engine } from "@tolem/core/engine/Engine"
import { clientJson, earnedJson, newKeyJson, organizationJson, ownerJson } from "@tolem/core/partner/PartnerClient"
import { isStorable } from "@tolem/core/value/Checks"
import type { ConnectionId } from "@tolem/core/value/Ids"
import { Clock, Effect, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { answered, object } from "../http/Responses.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

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
    const { catalogue } = settings.tariffs

    const open = Effect.fnUntraced(function* (request: Request) {
      const { name, ownerPhone, ownerName, legalName, idn } = yield* bodyOf(request)
      const wanted = { name, ownerPhone, ownerName, legalName, idn }
      const idempotencyKey = request.headers["idempotency-key"]
      const { organization, owner, text } = yield* partners.open(yield* partnerId, wanted, idempotencyKey)
      const opened = {
        organization: organizationJson(organization, yield* Clock.currentTimeMillis, catalogue),
        owner: ownerJson(owner)
      }
      return text === null
        ? object({ ...opened, idempotentReplay: true })
        : object({ ...opened, apiKey: Redacted.value(text) }, 201)
    })

    const list = Effect.fnUntraced(function* () {
      const { limit, offset } = yield* HttpServerRequest.ParsedSearchParams
      const { clients, ...page } = yield* partners.clients(yield* partnerId, { limit, offset })
      const now = yield* Clock.currentTimeMillis
      return object({ ...page, organizations: clients.map((client) => clientJson(client, now, catalogue)) })
    })

    const get = Effect.fnUntraced(function* (id: string) {
      return object(clientJson(yield* partners.client(yield* partnerId, id), yield* Clock.currentTimeMillis, catalogue))
    })

    const switchMode = Effect.fnUntraced(function* (request: Request, id: string) {
      const { mode } = yield* bodyOf(request)
      const organization = yield* partners.switchMode(yield* partnerId, id, mode)
      return object(organizationJson(organization, yield* Clock.currentTimeMillis, catalogue))
    })

    const createKey = Effect.fnUntraced(function* (request: Request, id: string) {
      const { name, scopes } = yield* bodyOf(request)
      const { key, text } = yield* partners.createKey(yield* partnerId, id, { name, scopes })
      return object(newKeyJson(key, Redacted.value(text)), 201)
    })

    const createConnection = Effect.fnUntraced(function* (request: Request, id: string) {
      const { name } = (yield* readOptionalJson(request)).object
      return object(connectionJson(yield* partners.createConnection(yield* partnerId, id, { name })), 201)
    })

    const initLogin = Effect.fnUntraced(function* (request: Request, { id, connectionId }: Cashier) {
      yield* readOptionalJson(request)
      const login = yield* partners.initLogin(yield* partnerId, id, connectionId)
      return object({ processId: login.id })
    })

    const sendPhone = Effect.fnUntraced(function* (request: Request, { id, connectionId }: Cashier) {
      const { processId: given, phone } = yield* bodyOf(request)
      const processId = textOf(given)
      yield* partners.sendPhone(yield* partnerId, id, connectionId, { processId, phone })
      return object({ processId })
    })

    const verifyOtp = Effect.fnUntraced(function* (request: Request, { id, connectionId }: Cashier) {
      const { processId, otp } = yield* bodyOf(request)
      const given = { processId: textOf(processId), otp: Redacted.make(textOf(otp)) }
      return object(connectionJson(yield* partners.verifyOtp(yield* partnerId, id, connectionId, given)))
    })

    const earnings = Effect.fnUntraced(function* () {
      return object(earnedJson(yield* partners.earnings(yield* partnerId)))
    })

    return handlers
      .handleRaw("open", ({ request }) => answered(open(request)), write)
      .handle("list", () => answered(list()))
      .handle("get", ({ params }) => answered(get(params.id)))
      .handleRaw("switchMode", ({ request, params }) => answered(switchMode(request, params.id)), write)
      .handleRaw("createKey", ({ request, params }) => answered(createKey(request, params.id)), write)
      .handleRaw("createConnection", ({ request, params }) => answered(createConnection(request, params.id)), write)
      .handleRaw("initLogin", ({ request, params }) => answered(initLogin(request, params)), write)
      .handleRaw("sendPhone", ({ request, params }) => answered(sendPhone(request, params)), write)
      .handleRaw("verifyOtp", ({ request, params }) => answered(verifyOtp(request, params)), write)
      .handle("earnings", () => answered(earnings()))
  })
)

interface Cashier {
  readonly id: string
  readonly connectionId: ConnectionId
}
