/** The contract of a person's own sessions in the cabinet. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { bodyCodes, errors, sessionCodes } from "./Errors.ts"
import {
  ChannelChoice,
  CodeEntry,
  EmailChallenge,
  EndedSessions,
  LoginChallenge,
  OwnEmail,
  OwnName,
  PanelSession,
  RateLimited,
  SessionList
} from "./Panel.ts"
import { SessionAuthentication } from "./PanelSecurity.ts"
import { IdParam } from "./Requests.ts"

/** Sessions: a person sees theirs, and ends them. */
export const sessions = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/sessions", {
      success: SessionList,
      error: errors(...sessionCodes)
    }).annotate(OpenApi.Summary, "List one's live sessions, newest first"),
    HttpApiEndpoint.delete("endOthers", "/sessions", {
      success: EndedSessions,
      error: errors(...sessionCodes, "cross_site_request")
    }).annotate(OpenApi.Summary, "End all of one's sessions but this one"),
    HttpApiEndpoint.delete("endOne", "/sessions/:id", {
      params: IdParam,
      success: HttpApiSchema.NoContent,
      error: errors(...sessionCodes, "cross_site_request", "session_not_found")
    }).annotate(OpenApi.Summary, "End one of one's sessions"),
    HttpApiEndpoint.post("code", "/session/code", {
      payload: [ChannelChoice, HttpApiSchema.NoContent],
      success: LoginChallenge,
      error: [
        ...errors(...sessionCodes, ...bodyCodes, "cross_site_request", "channel_forbidden", "no_channel"),
        RateLimited
      ]
    }).annotate(OpenApi.Summary, "Send a fresh code to one's own phone, for what a session alone may not do"),
    HttpApiEndpoint.post("verify", "/session/verify", {
      payload: Schema.Struct({ challengeId: CodeEntry.fields.challengeId, code: CodeEntry.fields.code }),
      success: PanelSession,
      error: errors(
        ...sessionCodes,
        ...bodyCodes,
        "cross_site_request",
        "invalid_code",
        "challenge_expired",
        "challenge_used",
        "too_many_attempts"
      )
    }).annotate(OpenApi.Summary, "Give the fresh code: it is good for ten minutes"),
    HttpApiEndpoint.patch("rename", "/account", {
      payload: OwnName,
      success: PanelSession,
      error: errors(...sessionCodes, ...bodyCodes, "cross_site_request", "invalid_name")
    }).annotate(OpenApi.Summary, "Change one's own name"),
    HttpApiEndpoint.post("emailCode", "/account/email", {
      payload: OwnEmail,
      success: EmailChallenge,
      error: [
        ...errors(
          ...sessionCodes,
          ...bodyCodes,
          "cross_site_request",
          "fresh_code_required",
          "invalid_email",
          "channel_forbidden",
          "no_channel"
        ),
        RateLimited
      ]
    }).annotate(OpenApi.Summary, "Send a code to what is to become one's own address; takes a fresh code of the phone"),
    HttpApiEndpoint.put("confirmEmail", "/account/email", {
      payload: Schema.Struct({
        email: OwnEmail.fields.email,
        challengeId: CodeEntry.fields.challengeId,
        code: CodeEntry.fields.code
      }),
      success: PanelSession,
      error: errors(
        ...sessionCodes,
        ...bodyCodes,
        "cross_site_request",
        "fresh_code_required",
        "invalid_email",
        "invalid_code",
        "challenge_expired",
        "challenge_used",
        "too_many_attempts"
      )
    }).annotate(OpenApi.Summary, "Note the address with the code that came to it; takes a fresh code of the phone"),
    HttpApiEndpoint.delete("removeEmail", "/account/email", {
      success: HttpApiSchema.NoContent,
      error: errors(...sessionCodes, "cross_site_request", "fresh_code_required")
    }).annotate(OpenApi.Summary, "Take one's own address away; takes a fresh code of the phone")
  )
  .middleware(SessionAuthentication)
