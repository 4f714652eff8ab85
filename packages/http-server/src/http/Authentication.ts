/**
 * Lets callers in, in the decided order: key present, well formed, known, account and organization in force, request
 * rate, scope. Only then is the body looked at.
 */
import { Authentication, CurrentPrincipal, RequiredScopes } from "@tolem/api/Security"
import type { Denial, Principal } from "@tolem/core/access/Access"
import { CurrentActor } from "@tolem/core/audit/Audit"
import { Engine } from "@tolem/core/engine/Engine"
import type { StorageError } from "@tolem/core/error/StorageError"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { type Headers, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { RequestState } from "./RequestState.ts"
import { refuse, rejected } from "./Responses.ts"

/** The contract's authentication over the engine's keys. Each request is counted once. */
export const layer: Layer.Layer<Authentication, never, Engine> = Layer.effect(
  Authentication,
  Effect.map(Engine, ({ access }) => {
    const enter = <E, R>(
      handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
      { endpoint }: { readonly endpoint: HttpApiEndpoint.Top }
    ) =>
      Effect.withFiber<HttpServerResponse.HttpServerResponse, E, Exclude<R, CurrentPrincipal>>((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const state = fiber.getRef(RequestState)
        const key = keyOf(request.headers)
        // A failure would be followed by the other security scheme, which would count the request again.
        if (key === undefined) return Effect.succeed(refuse("unauthorized"))
        return Effect.matchEffect(access.enter(key, isRead(request.method) ? "read" : "write"), {
          onFailure: (denial) => denied(denial, state),
          onSuccess: (principal) => {
            if (state !== undefined) {
              state.standing = principal.standing
              state.organizationId = principal.organizationId
              const { keyId: id, organizationId, mode, lastCharacters } = principal
              state.key = { id, organizationId, mode, lastCharacters }
            }
            const scopes = Context.getOrElse(endpoint.annotations, RequiredScopes, () => [])
            return scopes.length > 0 && !scopes.some((scope) => principal.scopes.includes(scope))
              ? Effect.succeed(refuse("insufficient_scope"))
              : handler.pipe(by(principal), acting(request, principal))
          }
        })
      })
    // Both headers are read whichever scheme asks: X-API-Key wins.
    return { apiKey: enter, bearer: enter }
  })
)

const by = (principal: Principal) => Effect.provideService(CurrentPrincipal, principal)

/** Who acts, for the audit log. */
const acting = (request: HttpServerRequest.HttpServerRequest, { keyId }: Principal) =>
  Effect.provideService(CurrentActor, {
    kind: "key",
    id: keyId,
    origin: Option.getOrNull(request.remoteAddress)
  })

const isRead = (method: string): boolean => method === "GET" || method === "HEAD"

const keyOf = (headers: Headers.Headers): Redacted.Redacted | undefined => {
  const text = headers["x-api-key"] || /^Bearer +(.+)$/i.exec(headers["authorization"] ?? "")?.[1]
  return text === undefined || text === "" ? undefined : Redacted.make(text)
}

const denied = (
  denial: Denial | StorageError,
  state: RequestState | undefined
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (denial._tag !== "RequestRateLimited") return rejected(denial)
  const { standing, key } = denial
  if (state !== undefined) Object.assign(state, { standing, key })
  return Effect.succeed(refuse(denial.code, { "retry-after": String(standing.retryAfterSeconds) }))
}
