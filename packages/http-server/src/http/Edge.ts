/**
 * Around every request: the older paths, one error shape for whatever the libraries refuse or break on, the headers of
 * every answer, metrics, and a log line for what went wrong or slowly. Headers, keys and bodies are never logged.
 */
import { Engine } from "@tolem/core/engine/Engine"
import { Cause, Clock, Context, Effect, type Layer } from "effect"
import type { SecureRandom } from "effect/crypto"
import { HttpEffect, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { observe, observeError } from "../operations/Metrics.ts"
import * as Compression from "./Compression.ts"
import { KnownRoutes } from "./KnownRoutes.ts"
import { Learn } from "./Parties.ts"
import * as RefusalLog from "./RefusalLog.ts"
import * as RequestIds from "./RequestIds.ts"
import * as RequestSpans from "./RequestSpans.ts"
import { RequestState, withHeaders } from "./RequestState.ts"
import { codeOf, logFailure, refuse } from "./Responses.ts"
import { Room } from "./Room.ts"
import { securityHeaders } from "./SecurityHeaders.ts"

/** A request that takes longer is logged. */
const slowMs = 1000

/** The routes of the service, for requests as the proxies in front have received them. */
export type Forwarding = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>

/**
 * What is believed of proxies in front; by default nothing. The library's own place for it, around the whole server,
 * has it send each answer in a way that costs a fifth of a short request.
 */
export const Forwarding = Context.Reference<Forwarding>("@tolem/http-server/Forwarding", {
  defaultValue: () => (app) => app
})

type Needs = Engine | HttpRouter.HttpRouter | KnownRoutes | Room | SecureRandom.SecureRandom

/** Wraps every route of the service. */
export const layer: Layer.Layer<never, never, Needs> = HttpRouter.middleware(
  Effect.gen(function* () {
    const known = yield* KnownRoutes
    const room = yield* Room
    const { settings, requestLog } = yield* Engine
    const tellRefusal = RefusalLog.make(settings.refusalLinesPerSecond)
    const nameOf = yield* RequestIds.make
    const learn = yield* Learn
    const forwarded = yield* Forwarding
    return (handler) => {
      const served = Effect.withFiber((fiber) => {
        const original = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const request = plain(original)
        const id = nameOf(original.headers["x-request-id"])
        const state: RequestState = {
          id,
          request,
          room,
          standing: undefined,
          organizationId: undefined,
          key: undefined,
          hold: undefined,
          isShared: false,
          waitedNanos: 0n
        }
        const settle = settleWith(request.method, state, fiber.getRef(Clock.Clock), tellRefusal, requestLog.note)
        // Runs on whatever is sent in the end, even on what answers an interruption.
        HttpEffect.appendPreResponseHandlerUnsafe(fiber.context, (_request, response) => {
          if (state.organizationId !== undefined) learn(original.source, state.organizationId)
          return Effect.succeed(withHeaders(presentable(response), state, securityHeaders(settings)))
        })
        // Not `provideContext`, which copies every service of the server, as each eighth addition does.
        const withState = (given: Context.Context<never>) => {
          const known = Context.add(given, RequestState, state)
          return request === original ? known : Context.add(known, HttpServerRequest.HttpServerRequest, request)
        }
        const answered = !hasOneHost(original.source) ? Effect.succeed(refuse("invalid_request")) : handler
        return Effect.matchCauseEffect(answered, {
          onSuccess: (response) =>
            Compression.fitted(original, response, state.isShared).pipe(
              Effect.flatMap((fitted) => fitting(fitted, state)),
              Effect.flatMap(settle)
            ),
          onFailure: (cause) =>
            Cause.hasInterruptsOnly(cause)
              ? Effect.failCause(cause) // the client left, or we stop
              : Effect.flatMap(refusalOf(cause, request, known), settle)
        }).pipe(
          Effect.updateContext(withState),
          RequestSpans.spanned({ method: request.method, id, headers: original.headers })
        )
      })
      return forwarded(served)
    }
  }),
  { global: true }
)

/** The answer, once there is room for it in memory; until it is sent that room is taken. */
const fitting = (response: HttpServerResponse.HttpServerResponse, state: RequestState) =>
  response.body._tag !== "Uint8Array"
    ? Effect.succeed(response)
    : Effect.match(state.room.settle(state, response.body.contentLength), {
        onFailure: ({ code }) => refuse(code),
        onSuccess: () => response
      })

const aliasPath = /^\/+api\/+v1\/+orders(?=[/?]|$)/i

/**
 * The request under the path that it means. The router takes `;` and `#` for the end of a path, so that
 * `/invoices/;/refund` would create an invoice, and knows no path with an escape that is none.
 */
const plain = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const { url } = request
  if (!hasOddPath.test(url)) return aliasPath.test(url) ? request.modify({ url: withoutAlias(url) }) : request
  const end = url.indexOf("?")
  const path = end < 0 ? url : url.slice(0, end)
  const escaped = (isEscaped(path) ? path : path.replaceAll("%", "%25")).replaceAll(";", "%3B").replaceAll("#", "%23")
  return request.modify({ url: withoutAlias(`${escaped}${end < 0 ? "" : url.slice(end)}`) })
}

const hasOddPath = /^[^?]*[;#%]/

const isEscaped = (path: string): boolean => {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

const withoutAlias = (url: string): string => url.replace(aliasPath, "/api/v1/invoices")

/**
 * Whether the request names its host once, as HTTP/1.1 demands. Two of them are how requests are smuggled past proxies.
 * Only a Node request has headers as they were sent; others were checked where they were made.
 */
const hasOneHost = (source: object): boolean => {
  if (!("rawHeaders" in source) || !Array.isArray(source.rawHeaders)) return true
  let count = 0
  for (let i = 0; i < source.rawHeaders.length; i += 2) {
    const name: unknown = source.rawHeaders[i]
    if (typeof name === "string" && name.length === 4 && name.toLowerCase() === "host") count++
  }
  return count === 1 || (count === 0 && "httpVersion" in source && source.httpVersion !== "1.1")
}

/** What the library itself refuses or breaks on, in the one error shape; anything else is a defect of ours. */
const refusalOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  known: KnownRoutes["Service"]
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (HttpServerResponse.isHttpServerResponse(error)) return Effect.succeed(error)
    if (!HttpServerError.isHttpServerError(error)) continue
    if (error.reason._tag === "RouteNotFound") return Effect.succeed(notRouted(request, known))
    if (error.reason._tag === "RequestParseError") {
      return Effect.succeed(refuse(error.reason.reason === "BodyTooLarge" ? "payload_too_large" : "invalid_json"))
    }
  }
  return Effect.as(logFailure("Unexpected failure", cause), refuse("internal_error"))
}

const notRouted = (request: HttpServerRequest.HttpServerRequest, known: KnownRoutes["Service"]) => {
  const methods = known.methodsOf(request.url)
  if (methods.length === 0) return refuse("route_not_found")
  const allow = methods.includes("GET") ? ["HEAD", ...methods] : methods
  return refuse("method_not_allowed", { allow: allow.toSorted().join(", ") })
}

/** The library answers some failures with an empty body: those get theirs here. */
const presentable = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  if (response.status < 400 || response.body._tag !== "Empty") return response
  return refuse(
    response.status < 500 ? "invalid_request" : response.status === 503 ? "service_unavailable" : "internal_error"
  )
}

const settleWith = (
  method: string,
  state: RequestState,
  clock: Clock.Clock,
  tellRefusal: ReturnType<typeof RefusalLog.make>,
  note: Engine["Service"]["requestLog"]["note"]
) => {
  const startedAt = clock.monotonicTimeNanosUnsafe()
  return (response: HttpServerResponse.HttpServerResponse) =>
    Effect.withFiber((fiber) => {
      const takenNanos = clock.monotonicTimeNanosUnsafe() - startedAt
      const seconds = Number(takenNanos - state.waitedNanos) / 1e9
      const { status } = response
      const route = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)?.route.path ?? "unmatched"
      observe({ method, route, status, seconds }, fiber.context)
      const code = codeOf(response)
      RequestSpans.conclude(fiber.cache.span, { route, status, code })
      if (status >= 400) observeError(code, fiber.context)
      if (state.key !== undefined) {
        const { organizationId, mode, lastCharacters: keyEnding } = state.key
        const at = clock.currentTimeMillisUnsafe() - Math.round(Number(takenNanos) / 1e6)
        const known = { organizationId, mode, at, requestId: state.id, keyEnding, method, route, status }
        note({ ...known, code: code ?? null, durationMs: Math.round(seconds * 1000) })
      }
      if (status >= 400 && status < 500) return Effect.as(tellRefusal({ method, route, response, state }), response)
      if (status < 500 && seconds * 1000 < slowMs) return Effect.succeed(response)
      const facts = { requestId: state.id, method, route, status, durationMs: Math.round(seconds * 1000) }
      return Effect.as(Effect.annotateLogs(Effect.logWarning(status < 500 ? "Slow" : "Failed"), facts), response)
    })
}
