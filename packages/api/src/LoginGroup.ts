/** The contract of the cabinet's login: a code is asked for, tried, and turned into a session. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { always, bodyCodes, errors, sessionCodes } from "./Errors.ts"
import { CodeEntry, CodeRequest, LoginChallenge, PanelSession, RateLimited } from "./Panel.ts"
import { SessionAuthentication } from "./PanelSecurity.ts"
import { Referral } from "./Partner.ts"

/** Login, session, logout. */
export const login = HttpApiGroup.make("login").add(
  HttpApiEndpoint.post("code", "/login/code", {
    payload: CodeRequest,
    success: LoginChallenge,
    error: [
      ...errors(...always, ...bodyCodes, "cross_site_request", "invalid_phone", "channel_forbidden", "no_channel"),
      RateLimited
    ]
  }).annotate(OpenApi.Summary, "Send a login code to a phone"),
  HttpApiEndpoint.post("verify", "/login/verify", {
    payload: CodeEntry,
    success: PanelSession,
    error: errors(
      ...always,
      ...bodyCodes,
      "cross_site_request",
      "invalid_name",
      "invalid_code",
      "challenge_expired",
      "challenge_used",
      "too_many_attempts",
      "account_blocked"
    )
  }).annotate(OpenApi.Summary, "Log in with the code: sets the cookie of the session"),
  HttpApiEndpoint.post("logout", "/logout", {
    success: HttpApiSchema.NoContent,
    error: errors(...always, ...bodyCodes, "cross_site_request")
  }).annotate(OpenApi.Summary, "End the session, if there is one"),
  HttpApiEndpoint.get("session", "/session", {
    success: PanelSession,
    error: errors(...sessionCodes)
  })
    .middleware(SessionAuthentication)
    .annotate(OpenApi.Summary, "Read who is logged in"),
  HttpApiEndpoint.get("referral", "/referral", {
    success: Referral,
    error: errors(...sessionCodes)
  })
    .middleware(SessionAuthentication)
    .annotate(OpenApi.Summary, "Read one's referral code, its link, and what it has earned")
)
