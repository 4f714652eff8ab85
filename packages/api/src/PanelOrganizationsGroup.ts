/** The contract of what members do for their organizations in the cabinet. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { bodyCodes, errors, sessionCodes } from "./Errors.ts"
import { KeyBinding, LetterList, PanelKey, PanelKeyList } from "./Panel.ts"
import { SessionAuthentication } from "./PanelSecurity.ts"

/** Organizations, for their members. */
export const organizations = HttpApiGroup.make("organizations").add(
  HttpApiEndpoint.get("keys", "/orgs/:organizationId/api-keys", {
    params: { organizationId: Schema.String },
    success: PanelKeyList,
    error: errors(...sessionCodes, "forbidden", "organization_inactive")
  })
    .middleware(SessionAuthentication)
    .annotate(OpenApi.Summary, "List the organization's keys, without their texts"),
  HttpApiEndpoint.patch("bindKey", "/orgs/:organizationId/api-keys/:id", {
    params: { organizationId: Schema.String, id: Schema.String },
    payload: KeyBinding,
    success: PanelKey,
    error: errors(
      ...sessionCodes,
      ...bodyCodes,
      "cross_site_request",
      "forbidden",
      "organization_inactive",
      "key_not_found",
      "connection_not_found",
      "invalid_connection_id"
    )
  })
    .middleware(SessionAuthentication)
    .annotate(OpenApi.Summary, "Bind a key to another cashier, or to none"),
  HttpApiEndpoint.get("letters", "/orgs/:organizationId/invoices/:id/letters", {
    params: { organizationId: Schema.String, id: Schema.String },
    success: LetterList,
    error: errors(...sessionCodes, "forbidden", "organization_inactive", "invoice_not_found")
  })
    .middleware(SessionAuthentication)
    .annotate(OpenApi.Summary, "List the letters about an invoice, also those that were kept and not sent")
)
