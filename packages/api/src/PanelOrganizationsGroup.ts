/** The contract of what members do for their organizations in the cabinet. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { bodyCodes, changingCodes, confirmedCodes, deskCodes, errors, sessionCodes } from "./Errors.ts"
import { KeyBinding, Letter, LetterList, PanelKey, PanelKeyList } from "./Panel.ts"
import {
  PanelKeyCreate,
  PanelKeyMade,
  PanelOrganization,
  PanelOrganizationCreate,
  PanelOrganizationList,
  PanelOrganizationMade,
  Team,
  TeamMember,
  TeamMemberPatch
} from "./PanelOrganization.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ModeSwitch } from "./Partner.ts"
import { IdempotencyHeader, ofOne, ofOrganization } from "./Requests.ts"

/** A person's organizations. */
export const memberships = HttpApiGroup.make("memberships")
  .add(
    HttpApiEndpoint.get("list", "/orgs", {
      success: PanelOrganizationList,
      error: errors(...sessionCodes)
    }).annotate(OpenApi.Summary, "List what one is a member of, oldest first, archived organizations among them"),
    HttpApiEndpoint.post("open", "/orgs", {
      headers: IdempotencyHeader,
      payload: PanelOrganizationCreate,
      success: [PanelOrganizationMade, PanelOrganizationMade.pipe(HttpApiSchema.status(201))],
      error: errors(
        ...sessionCodes,
        ...bodyCodes,
        "cross_site_request",
        "invalid_name",
        "invalid_phone",
        "invalid_idn",
        "invalid_referral_code",
        "invalid_idempotency_key",
        "too_many_organizations"
      )
    }).annotate(OpenApi.Summary, "Open an organization of one's own, with a trial and in the sandbox")
  )
  .middleware(SessionAuthentication)

/** Organizations, for their members. */
export const organizations = HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("get", "/orgs/:organizationId", {
      ...ofOrganization,
      success: PanelOrganization,
      error: errors(...deskCodes)
    }).annotateMerge(needs("organization:read", "Read an organization, its tariff, and what one may do there")),
    HttpApiEndpoint.post("archive", "/orgs/:organizationId/archive", {
      ...ofOrganization,
      success: PanelOrganizationMade,
      error: errors(...changingCodes)
    }).annotateMerge(
      needs("organization:archive", "Archive an organization: its keys and members are refused at once")
    ),
    HttpApiEndpoint.patch("switchMode", "/orgs/:organizationId/mode", {
      ...ofOrganization,
      payload: ModeSwitch,
      success: PanelOrganizationMade,
      error: errors(...confirmedCodes, ...bodyCodes, "no_provider")
    }).annotateMerge(needs("mode:switch", "Switch between the sandbox and live, which takes a cashier who works")),
    HttpApiEndpoint.get("members", "/orgs/:organizationId/members", {
      ...ofOrganization,
      success: Team,
      error: errors(...deskCodes)
    }).annotateMerge(needs("members:read", "List the members, oldest first")),
    HttpApiEndpoint.patch("changeMember", "/orgs/:organizationId/members/:id", {
      ...ofOne,
      payload: TeamMemberPatch,
      success: TeamMember,
      error: errors(
        ...confirmedCodes,
        ...bodyCodes,
        "member_not_found",
        "invalid_role",
        "invalid_connection_ids",
        "invalid_refund_limit"
      )
    }).annotateMerge(needs("members:change", "Give a member another role, other cashiers or another limit of refunds")),
    HttpApiEndpoint.delete("removeMember", "/orgs/:organizationId/members/:id", {
      ...ofOne,
      success: HttpApiSchema.NoContent,
      error: errors(...confirmedCodes, "member_not_found")
    }).annotateMerge(needs("members:change", "End a membership; the owner stays")),
    HttpApiEndpoint.get("keys", "/orgs/:organizationId/api-keys", {
      ...ofOrganization,
      success: PanelKeyList,
      error: errors(...deskCodes)
    }).annotateMerge(needs("keys:read", "List the organization's keys, without their texts")),
    HttpApiEndpoint.post("createKey", "/orgs/:organizationId/api-keys", {
      ...ofOrganization,
      payload: PanelKeyCreate,
      success: PanelKeyMade.pipe(HttpApiSchema.status(201)),
      error: errors(
        ...confirmedCodes,
        ...bodyCodes,
        "invalid_name",
        "invalid_scopes",
        "invalid_connection_id",
        "connection_not_found",
        "too_many_keys"
      )
    }).annotateMerge(needs("keys:change", "Make a key of the mode; its text is shown this once")),
    HttpApiEndpoint.delete("deleteKey", "/orgs/:organizationId/api-keys/:id", {
      ...ofOne,
      success: HttpApiSchema.NoContent,
      error: errors(...confirmedCodes, "key_not_found")
    }).annotateMerge(needs("keys:change", "Delete a key at once and for good")),
    HttpApiEndpoint.patch("bindKey", "/orgs/:organizationId/api-keys/:id", {
      ...ofOne,
      payload: KeyBinding,
      success: PanelKey,
      error: errors(...confirmedCodes, ...bodyCodes, "key_not_found", "connection_not_found", "invalid_connection_id")
    }).annotateMerge(needs("keys:bind", "Bind a key to another cashier, or to none; a live one takes a fresh code")),
    HttpApiEndpoint.get("letters", "/orgs/:organizationId/invoices/:id/letters", {
      ...ofOne,
      success: LetterList,
      error: errors(...deskCodes, "invoice_not_found")
    }).annotateMerge(
      needs("invoices:read", "List the letters about an invoice, also those that were kept and not sent")
    ),
    HttpApiEndpoint.post("sendLetterAgain", "/orgs/:organizationId/invoices/:id/letters/:letterId/resend", {
      ...ofOne,
      params: { ...ofOne.params, letterId: Schema.String },
      success: Letter,
      error: errors(...changingCodes, "invoice_not_found", "letter_not_found", "letter_outdated", "letter_limit")
    })
      .annotateMerge(needs("letters:resend", "Have a letter sent again, to the address that it was for"))
      .annotate(
        OpenApi.Description,
        "A letter that is on its way, or was sent within the last minute, is answered as it stands."
      )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
