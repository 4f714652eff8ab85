/** Who may call for the cabinet: the cookie of a session, and the origin that a browser calls from. */
import type { SessionHolder } from "@tolem/core/login/LoginStore"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"

/**
 * Name of the cookie that carries the token of a session. Where the service is reached by https it has the prefix
 * `__Host-`: then no other host can have set it.
 */
export const sessionCookie = "tolem_session"

/** The live session of the current request, with its account. */
export class CurrentSession extends Context.Service<CurrentSession, SessionHolder>()("@tolem/api/CurrentSession") {}

const schemes = {
  cookie: HttpApiSecurity.apiKey({ in: "cookie", key: sessionCookie }).pipe(
    HttpApiSecurity.annotate(
      OpenApi.Description,
      "The session, as `POST /panel/login/verify` sets it; `__Host-tolem_session` by https."
    )
  ),
  bearer: HttpApiSecurity.bearer.pipe(
    HttpApiSecurity.annotate(OpenApi.Description, "The token of a session. Wins over the cookie.")
  )
}

/** Lets the owner of a live session in, or answers why not. The server implements it. */
export class SessionAuthentication extends HttpApiMiddleware.Service<
  SessionAuthentication,
  { provides: CurrentSession }
>()("@tolem/api/SessionAuthentication", { security: schemes }) {}

/** Refuses what another site makes a browser send, and keeps answers out of caches. The server implements it. */
export class PanelGuard extends HttpApiMiddleware.Service<PanelGuard>()("@tolem/api/PanelGuard") {}
