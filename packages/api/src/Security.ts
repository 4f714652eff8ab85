/** Who may call: the key in either header, the scopes an endpoint asks for, and the caller that handlers get to see. */
import type { Principal } from "@tolem/core/access/Access"
import type { KeyScope } from "@tolem/core/merchant/Merchant"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"

/** The holder of the key of the current request, let in and counted. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()("@tolem/api/CurrentPrincipal") {}

/** Annotation of an endpoint: the caller's key needs one of these scopes. */
export class RequiredScopes extends Context.Service<RequiredScopes, ReadonlyArray<KeyScope>>()(
  "@tolem/api/RequiredScopes"
) {}

/** Says of an endpoint that the caller's key needs one of these scopes. */
export const requires = (...scopes: ReadonlyArray<KeyScope>): Context.Context<RequiredScopes> =>
  Context.add(OpenApi.annotations({ override: { "x-required-scopes": scopes } }), RequiredScopes, scopes)

/** Says of an endpoint what it does, and that the caller's key needs one of these scopes. */
export const does = (summary: string, ...scopes: ReadonlyArray<KeyScope>): Context.Context<RequiredScopes> =>
  Context.add(requires(...scopes), OpenApi.Summary, summary)

const schemes = {
  apiKey: HttpApiSecurity.apiKey({ in: "header", key: "X-API-Key" }).pipe(
    HttpApiSecurity.annotate(OpenApi.Description, "API key: `svc_live_…` or `svc_test_…`. Wins over the other header.")
  ),
  bearer: HttpApiSecurity.bearer.pipe(
    HttpApiSecurity.annotate(OpenApi.Description, "The same API key as a bearer token.")
  )
}

/** Lets the holder of a key in, or answers why not. The server implements it. */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "@tolem/api/Authentication",
  { security: schemes }
) {}
