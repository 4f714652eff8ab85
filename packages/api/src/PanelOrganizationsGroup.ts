/** The contract of what members do for their organizations in the cabinet. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { bodyCodes, deskCodes, errors, sessionCodes } from "./Errors.ts"
import { KeyBinding, LetterList, PanelKey, PanelKeyList } from "./Panel.ts"
import { PanelOrganization, PanelOrganizationList } from "./PanelOrganization.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { IdParam, OrganizationParam, PanelQuery } from "./Requests.ts"

/** A person's organizations. */
export const memberships = HttpApiGroup.make("memberships").add(
  HttpApiEndpoint.get("list", "/orgs", {
    success: PanelOrganizationList,
    error: errors(...sessionCodes)
  })
    .middleware(SessionAuthentication)
    .annotate(OpenApi.Summary, "List what one is a member of, oldest first, archived organizations among them")
)

/** Organizations, for their members. */
export const organizations = HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("get", "/orgs/:organizationId", {
      params: OrganizationParam,
      query: PanelQuery,
      success: PanelOrganization,
      error: errors(...deskCodes)
    })
      .annotateMerge(needs("organization:read"))
      .annotate(OpenApi.Summary, "Read an organization, its tariff, and what one may do there"),
    HttpApiEndpoint.get("keys", "/orgs/:organizationId/api-keys", {
      params: OrganizationParam,
      query: PanelQuery,
      success: PanelKeyList,
      error: errors(...deskCodes)
    })
      .annotateMerge(needs("keys:read"))
      .annotate(OpenApi.Summary, "List the organization's keys, without their texts"),
    HttpApiEndpoint.patch("bindKey", "/orgs/:organizationId/api-keys/:id", {
      params: { ...OrganizationParam, ...IdParam },
      query: PanelQuery,
      payload: KeyBinding,
      success: PanelKey,
      error: errors(
        ...deskCodes,
        ...bodyCodes,
        "cross_site_request",
        "key_not_found",
        "connection_not_found",
        "invalid_connection_id"
      )
    })
      .annotateMerge(needs("keys:bind"))
      .annotate(OpenApi.Summary, "Bind a key to another cashier, or to none"),
    HttpApiEndpoint.get("letters", "/orgs/:organizationId/invoices/:id/letters", {
      params: { ...OrganizationParam, ...IdParam },
      query: PanelQuery,
      success: LetterList,
      error: errors(...deskCodes, "invoice_not_found")
    })
      .annotateMerge(needs("invoices:read"))
      .annotate(OpenApi.Summary, "List the letters about an invoice, also those that were kept and not sent")
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
