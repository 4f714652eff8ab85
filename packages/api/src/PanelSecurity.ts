/** Who may call for the cabinet: the cookie of a session, the origin that a browser calls from, the member's role. */
import type { Desk } from "@tolem/core/cabinet/Desks"
import type { SessionHolder } from "@tolem/core/login/LoginStore"
import type { Permission } from "@tolem/core/merchant/Permission"
import type { Duty } from "@tolem/core/operator/Duty"
import type { OperatorDesk } from "@tolem/core/operator/Operators"
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

/** The member that the current request was let in as, at the organization that its address names. */
export class CurrentDesk extends Context.Service<CurrentDesk, Desk>()("@tolem/api/CurrentDesk") {}

/** Annotation of an endpoint: what members must be allowed to do there. */
export class NeededPermission extends Context.Service<NeededPermission, Permission>()("@tolem/api/NeededPermission") {}

/** Says of an endpoint of an organization what members must be allowed to do there, and what it does. */
export const needs = (permission: Permission, summary: string): Context.Context<NeededPermission> =>
  Context.add(OpenApi.annotations({ summary, override: { "x-permission": permission } }), NeededPermission, permission)

/**
 * Lets members of the organization in the address in, if their role may do what the endpoint needs, in the mode of the
 * query; or answers why not. The server implements it.
 */
export class DeskAdmission extends HttpApiMiddleware.Service<
  DeskAdmission,
  { provides: CurrentDesk; requires: CurrentSession }
>()("@tolem/api/DeskAdmission") {}

/** The operator that the current request was let in as. */
export class CurrentOperator extends Context.Service<CurrentOperator, OperatorDesk>()("@tolem/api/CurrentOperator") {}

/** Annotation of an endpoint of the console: what operators must be let in for there. */
export class NeededDuty extends Context.Service<NeededDuty, Duty>()("@tolem/api/NeededDuty") {}

/** Says of an endpoint of the console what operators must be let in for there, and what it does. */
export const isFor = (duty: Duty, summary: string): Context.Context<NeededDuty> =>
  Context.add(OpenApi.annotations({ summary, override: { "x-duty": duty } }), NeededDuty, duty)

/**
 * Lets those who run the platform in, for what the endpoint says, and refuses all others alike. What they do is noted
 * as done by an operator. The server implements it.
 */
export class OperatorAdmission extends HttpApiMiddleware.Service<
  OperatorAdmission,
  { provides: CurrentOperator; requires: CurrentSession }
>()("@tolem/api/OperatorAdmission") {}

/** Refuses what another site makes a browser send, and keeps answers out of caches. The server implements it. */
export class PanelGuard extends HttpApiMiddleware.Service<PanelGuard>()("@tolem/api/PanelGuard") {}
