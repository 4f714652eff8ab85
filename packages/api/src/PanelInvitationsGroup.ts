/** The contract of invitations: organizations ask phones to become members, and people answer. */
import { InvitationStatus } from "@tolem/core/invitation/Invitation"
import { Role } from "@tolem/core/merchant/Merchant"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { OrganizationStatus } from "./Account.ts"
import { bodyCodes, confirmedCodes, deskCodes, errors, sessionCodes } from "./Errors.ts"
import { amount, DateTime, id, money } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { IdParam, ofOne, ofOrganization } from "./Requests.ts"

const givenRole = Schema.Literals(["manager", "accountant", "cashier", "developer"])

/** An invitation, for those who may see the members. */
const Invitation = Schema.Struct({
  id: id("ivt"),
  phone: Schema.String,
  role: Role,
  connectionIds: Schema.Array(id("con")).annotate({ description: "The cashiers that the member will be given" }),
  refundLimit: Schema.NullOr(money).annotate({
    description: "The most that a cashier may give back at once; null: nothing"
  }),
  status: InvitationStatus,
  createdAt: DateTime,
  expiresAt: DateTime.annotate({ description: "From then on it cannot be accepted" }),
  settledAt: Schema.NullOr(DateTime).annotate({ description: "When it was accepted, declined or withdrawn" })
}).annotate({ identifier: "Invitation" })

/** The phone to ask, and what the person is to be. */
const InvitationCreate = Schema.Struct({
  phone: Schema.String.annotate({ description: "7XXXXXXXXXX" }),
  role: givenRole,
  connectionIds: Schema.optionalKey(Schema.Array(Schema.String)),
  refundLimit: Schema.optionalKey(Schema.NullOr(amount))
}).annotate({ identifier: "InvitationCreate", examples: [{ phone: "77001234567", role: "cashier" }] })

/** What waits for an answer of a person. */
const OfferedInvitations = Schema.Struct({
  invitations: Schema.Array(
    Schema.Struct({
      id: id("ivt"),
      organization: Schema.Struct({ id: id("org"), name: Schema.String }),
      role: Role,
      createdAt: DateTime,
      expiresAt: DateTime
    }).annotate({ identifier: "OfferedInvitation" })
  )
}).annotate({ identifier: "OfferedInvitations" })

/** The organization that a person has become a member of. */
const JoinedOrganization = Schema.Struct({
  organizationId: id("org"),
  name: Schema.String,
  mode: Schema.Literals(["sandbox", "live"]),
  status: OrganizationStatus,
  role: Role
}).annotate({ identifier: "JoinedOrganization" })

/** Invitations of an organization, for its members. */
export const invitations = HttpApiGroup.make("invitations")
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/invitations", {
      ...ofOrganization,
      success: Schema.Struct({ invitations: Schema.Array(Invitation) }).annotate({ identifier: "InvitationList" }),
      error: errors(...deskCodes)
    }).annotateMerge(needs("members:read", "List invitations: those that wait for an answer first, 50 at most")),
    HttpApiEndpoint.post("create", "/orgs/:organizationId/invitations", {
      ...ofOrganization,
      payload: InvitationCreate,
      success: Invitation.pipe(HttpApiSchema.status(201)),
      error: errors(
        ...confirmedCodes,
        ...bodyCodes,
        "invalid_phone",
        "invalid_role",
        "invalid_connection_ids",
        "invalid_refund_limit",
        "already_member",
        "too_many_invitations",
        "invitation_limit"
      )
    }).annotateMerge(
      needs("members:change", "Ask a phone to become a member, in place of what it was asked before; nothing is sent")
    ),
    HttpApiEndpoint.delete("withdraw", "/orgs/:organizationId/invitations/:id", {
      ...ofOne,
      success: HttpApiSchema.NoContent,
      error: errors(...confirmedCodes, "invitation_not_found", "invitation_closed")
    }).annotateMerge(needs("members:change", "Take an invitation back that waits for an answer"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)

const answerCodes = [
  ...sessionCodes,
  ...bodyCodes,
  "cross_site_request",
  "invitation_not_found",
  "invitation_closed"
] as const

/** What a person is asked to become. */
export const ownInvitations = HttpApiGroup.make("ownInvitations")
  .add(
    HttpApiEndpoint.get("list", "/invitations", {
      success: OfferedInvitations,
      error: errors(...sessionCodes)
    }).annotate(OpenApi.Summary, "List what waits for one's answer, newest first, 50 at most"),
    HttpApiEndpoint.post("accept", "/invitations/:id/accept", {
      params: IdParam,
      success: JoinedOrganization,
      error: errors(...answerCodes, "organization_inactive", "already_member")
    }).annotate(OpenApi.Summary, "Become a member, as the invitation says; again is as once"),
    HttpApiEndpoint.post("decline", "/invitations/:id/decline", {
      params: IdParam,
      success: HttpApiSchema.NoContent,
      error: errors(...answerCodes)
    }).annotate(OpenApi.Summary, "Say no to an invitation; again is as once")
  )
  .middleware(SessionAuthentication)
