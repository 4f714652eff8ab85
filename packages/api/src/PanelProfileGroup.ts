/** The contract of what customers see of an organization, for its members. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import { id, text, whole } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ofOrganization } from "./Requests.ts"

/** How customers reach a merchant. */
const contact = { phone: text, whatsapp: text, email: text, web: text, address: text }

/** What customers see of an organization. */
const PanelProfile = Schema.Struct({
  id: id("org"),
  name: Schema.String,
  legalName: text,
  idn: text,
  contact: Schema.Struct(contact),
  colour: text,
  returnUrl: text,
  allowedOrigins: Schema.Array(Schema.String).annotate({ description: "Sites that may show pay pages in a frame" }),
  logoUrl: text,
  version: whole(0)
}).annotate({ identifier: "PanelProfile" })

const optional = Schema.optionalKey(text)

/** Changes of it. What is left out stays; null takes it away. */
const PanelProfilePatch = Schema.Struct({
  name: Schema.optionalKey(Schema.String),
  legalName: optional,
  idn: optional.annotate({ description: "12 digits" }),
  contact: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({ phone: optional, whatsapp: optional, email: optional, web: optional, address: optional })
    )
  ),
  colour: optional.annotate({ description: "#RRGGBB" }),
  returnUrl: optional,
  allowedOrigins: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String)).annotate({
      description: "Sites that may show pay pages in a frame: `https://shop.kz`, ten at most"
    })
  ),
  logo: optional.annotate({ description: "A PNG, JPEG or WebP file up to 256 KiB in base64; it is drawn anew" }),
  version: Schema.optionalKey(whole(0).annotate({ description: "The version that the change is made for" }))
}).annotate({ identifier: "PanelProfilePatch" })

/** Profiles, for members. */
export const profiles = HttpApiGroup.make("profiles")
  .add(
    HttpApiEndpoint.get("get", "/orgs/:organizationId/profile", {
      ...ofOrganization,
      success: PanelProfile,
      error: errors(...deskCodes)
    }).annotateMerge(needs("organization:read", "Read what customers see of an organization")),
    HttpApiEndpoint.patch("change", "/orgs/:organizationId/profile", {
      ...ofOrganization,
      payload: PanelProfilePatch,
      success: PanelProfile,
      error: errors(
        ...changingCodes,
        "organization_changed",
        "invalid_name",
        "invalid_idn",
        "invalid_contact",
        "invalid_phone",
        "invalid_email",
        "invalid_url",
        "invalid_address",
        "invalid_colour",
        "invalid_allowed_origins",
        "invalid_picture",
        "pictures_unavailable"
      )
    }).annotateMerge(needs("organization:change", "Change what customers see of an organization"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
