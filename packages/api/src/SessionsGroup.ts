/** The contract of a person's own sessions in the cabinet. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { errors, sessionCodes } from "./Errors.ts"
import { EndedSessions, SessionList } from "./Panel.ts"
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
    }).annotate(OpenApi.Summary, "End one of one's sessions")
  )
  .middleware(SessionAuthentication)
