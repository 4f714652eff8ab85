/**
 * Lets the owners of sessions in, and keeps other sites out. A session travels as a cookie that scripts cannot read and
 * that other sites cannot send, or as a bearer token.
 */
import {
  CurrentDesk,
  CurrentOperator,
  CurrentSession,
  DeskAdmission,
  NeededDuty,
  NeededPermission,
  OperatorAdmission,
  PanelGuard,
  SessionAuthentication,
  sessionCookie
} from "@tolem/api/PanelSecurity"
import { CurrentActor } from "@tolem/core/audit/Audit"
import { Engine } from "@tolem/core/engine/Engine"
import type { Settings } from "@tolem/core/engine/Settings"
import type { OpenSession } from "@tolem/core/login/Logins"
import { Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { RequestState } from "../http/RequestState.ts"
import { type JsonAnswer, refuse, rejected } from "../http/Responses.ts"
import { isSecure } from "../http/SecurityHeaders.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** The contract's authentication over the engine's sessions. */
export const layerSessions: Layer.Layer<SessionAuthentication, never, Engine> = Layer.effect(
  SessionAuthentication,
  Effect.map(Engine, ({ logins, settings }) => {
    const enter = <E, R>(handler: Effect.Effect<Response, E, R>) =>
      Effect.withFiber<Response, E, Exclude<R, CurrentSession>>((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const token = tokenOf(request, settings)
        // A failure would be followed by the other security scheme, which would ask for the session again.
        if (token === undefined) return Effect.succeed(refuse("unauthorized"))
        return Effect.matchEffect(logins.session(token), {
          onFailure: rejected,
          onSuccess: (holder) =>
            handler.pipe(
              Effect.provideService(CurrentSession, holder),
              Effect.provideService(CurrentActor, {
                kind: "account",
                id: holder.account.id,
                origin: Option.getOrNull(request.remoteAddress)
              })
            )
        })
      })
    // Both are looked for whichever scheme asks.
    return { cookie: enter, bearer: enter }
  })
)

/**
 * Lets members in at the organization of the address. An endpoint that says not what it needs is closed to all: the
 * contract's tests find it, and so does its first caller.
 */
export const layerDesks: Layer.Layer<DeskAdmission, never, Engine> = Layer.effect(
  DeskAdmission,
  Effect.map(Engine, ({ desks }) => (handler, { endpoint }) => {
    const permission = Context.getOrUndefined(endpoint.annotations, NeededPermission)
    if (permission === undefined) return Effect.succeed(refuse("insufficient_role"))
    return Effect.gen(function* () {
      const holder = yield* CurrentSession
      const { organizationId = "" } = yield* HttpRouter.params
      const { mode } = yield* HttpServerRequest.ParsedSearchParams
      const purpose = { organizationId, permission, mode }
      return yield* Effect.matchEffect(desks.open(holder, purpose), {
        onFailure: rejected,
        onSuccess: (desk) =>
          Effect.flatMap(RequestState, (state) => {
            if (state !== undefined) state.organizationId = desk.organization.id
            return Effect.provideService(handler, CurrentDesk, desk)
          })
      })
    })
  })
)

/**
 * Lets operators in to the console. An endpoint that says not what it is for is closed to all, as one of an
 * organization is.
 */
export const layerOperators: Layer.Layer<OperatorAdmission, never, Engine> = Layer.effect(
  OperatorAdmission,
  Effect.map(Engine, ({ operators }) => (handler, { endpoint }) => {
    const duty = Context.getOrUndefined(endpoint.annotations, NeededDuty)
    if (duty === undefined) return Effect.succeed(refuse("forbidden"))
    return Effect.gen(function* () {
      const { origin } = yield* CurrentActor
      return yield* Effect.matchEffect(operators.admit(yield* CurrentSession, duty), {
        onFailure: rejected,
        onSuccess: (desk) =>
          handler.pipe(
            Effect.provideService(CurrentOperator, desk),
            Effect.provideService(CurrentActor, { kind: "operator", id: desk.account.id, origin })
          )
      })
    })
  })
)

/**
 * Refuses requests that change something and that a browser says another site has made; those with the cookie also
 * if it says nothing.
 */
export const layerGuard: Layer.Layer<PanelGuard, never, Engine> = Layer.effect(
  PanelGuard,
  Effect.map(
    Engine,
    ({ settings }) =>
      (handler) =>
        Effect.withFiber((fiber) => {
          const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
          return mayChange(request, settings) ? handler : Effect.succeed(refuse("cross_site_request"))
        })
  )
)

const mayChange = ({ method, headers }: Request, { baseUrl }: Settings): boolean => {
  if (method === "GET" || method === "HEAD") return true
  const { origin, "sec-fetch-site": site } = headers
  // Browsers let no page set either of them, and send at least one with every request that changes something.
  if (site === "same-origin" || (origin !== undefined && origin === URL.parse(baseUrl)?.origin)) return true
  return origin === undefined && site === undefined && headers["cookie"]?.includes(sessionCookie) !== true
}

/** The token that a request carries, in whichever form. */
export const tokenOf = ({ headers }: Request, settings: Settings): Redacted.Redacted | undefined => {
  const text =
    /^Bearer +(.+)$/i.exec(headers["authorization"] ?? "")?.[1] ?? cookieOf(headers["cookie"] ?? "", settings)
  return text === undefined || text === "" ? undefined : Redacted.make(text)
}

/** By https only this host can have set the prefixed cookie. Two of one name are none: one is not of this service. */
const cookieOf = (header: string, settings: Settings): string | undefined => {
  const name = `${nameOf(settings)}=`
  const found = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
  return found.length === 1 ? found[0]?.slice(name.length) : undefined
}

const nameOf = ({ baseUrl }: Settings): string => (isSecure(baseUrl) ? `__Host-${sessionCookie}` : sessionCookie)

/** The answer with the cookie of a session that was just opened. */
export const withSession = <Body>(answer: JsonAnswer<Body>, { token, session }: OpenSession, settings: Settings) =>
  withCookie(answer, Redacted.value(token), Duration.millis(session.expiresAt - session.createdAt), settings)

/** The answer that takes the cookie away. */
export const withoutSession = <Body>(answer: JsonAnswer<Body>, settings: Settings) =>
  withCookie(answer, "", Duration.zero, settings)

const withCookie = <Body>(answer: JsonAnswer<Body>, value: string, maxAge: Duration.Duration, settings: Settings) =>
  HttpServerResponse.setCookieUnsafe(answer, nameOf(settings), value, {
    ...cookieOptions(settings),
    maxAge
  }) as JsonAnswer<Body>

const cookieOptions = ({ baseUrl }: Settings) => {
  const common = { httpOnly: true, sameSite: "strict" } as const
  // What `__Host-` asks for. Elsewhere the cookie goes to the panel only, under the prefix that a proxy may add.
  if (isSecure(baseUrl)) return { ...common, secure: true, path: "/" } as const
  return { ...common, path: `${URL.parse(baseUrl)?.pathname.replace(/\/+$/, "") ?? ""}/panel` } as const
}
