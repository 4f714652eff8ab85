/** Organizations as their members are shown them. */
import { KeyScope, Role } from "@tolem/core/merchant/Merchant"
import { organizationBounds } from "@tolem/core/merchant/OrganizationRequests"
import { allPermissions, type Permission, Reach } from "@tolem/core/merchant/Permission"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { OrganizationStatus } from "./Account.ts"
import { amount, DateTime, id, line, money, optional, text, whole } from "./Members.ts"
import { PanelKey } from "./Panel.ts"
import { PartnerOrganization } from "./Partner.ts"

/** What a person is a member of. */
export const PanelOrganizationList = Schema.Struct({
  organizations: Schema.Array(
    Schema.Struct({
      id: id("org"),
      name: Schema.String,
      mode: Mode,
      status: OrganizationStatus,
      role: Role,
      createdAt: DateTime
    }).annotate({ identifier: "PanelMembership" })
  )
}).annotate({ identifier: "PanelOrganizationList" })

const terms = {
  role: Role,
  connectionIds: Schema.Array(id("con")).annotate({ description: "The cashiers given to the member" }),
  refundLimit: Schema.NullOr(money).annotate({
    description: "The most that a cashier may give back at once; null: nothing"
  })
}

/** A member of an organization. */
export const TeamMember = Schema.Struct({
  accountId: id("acc"),
  phone: Schema.String,
  name: text,
  ...terms
}).annotate({ identifier: "TeamMember" })

/** The members of an organization, oldest first. */
export const Team = Schema.Struct({ members: Schema.Array(TeamMember) }).annotate({ identifier: "Team" })

/** What is to change about a member; what is left out stays. */
export const TeamMemberPatch = Schema.Struct({
  role: Schema.optionalKey(Schema.Literals(["manager", "accountant", "cashier", "developer"])),
  connectionIds: Schema.optionalKey(Schema.Array(Schema.String)),
  refundLimit: Schema.optionalKey(Schema.NullOr(amount))
}).annotate({ identifier: "TeamMemberPatch", examples: [{ role: "cashier", refundLimit: 20_000 }] })

/** An organization to open. Its owner is the person who asks. */
export const PanelOrganizationCreate = Schema.Struct({
  name: line(organizationBounds.name),
  legalName: optional(line(organizationBounds.name)),
  idn: optional(line(organizationBounds.idn).annotate({ description: "BIN or IIN" })),
  referralCode: optional(Schema.String.annotate({ description: "The code of who has brought them, or its link" }))
}).annotate({ identifier: "PanelOrganizationCreate", examples: [{ name: "Dastarkhan", idn: "990140000385" }] })

/** A key to make, of the mode of the query. */
export const PanelKeyCreate = Schema.Struct({
  name: line(organizationBounds.name),
  scopes: Schema.Array(KeyScope).annotate({ minItems: 1 }),
  connectionId: optional(Schema.String.annotate({ description: "The cashier that it is bound to" }))
}).annotate({ identifier: "PanelKeyCreate", examples: [{ name: "Shop", scopes: ["invoices:read"] }] })

/** A key, and its text, which is shown this once. */
export const PanelKeyMade = Schema.Struct({ ...PanelKey.fields, apiKey: Schema.String }).annotate({
  identifier: "PanelKeyMade"
})

const reaches = Object.fromEntries(allPermissions.map((permission) => [permission, Schema.NullOr(Reach)])) as Readonly<
  Record<Permission, Schema.NullOr<typeof Reach>>
>

const limit = whole(0).annotate({ description: "Live invoices; the sandbox counts none" })

/** An organization that was opened, or changed. */
export const PanelOrganizationMade = Schema.Struct(PartnerOrganization.fields).annotate({
  identifier: "PanelOrganizationMade"
})

/** An organization, what it has used of its tariff, and what the member may do there. */
export const PanelOrganization = Schema.Struct({
  ...PartnerOrganization.fields,
  tariff: Schema.Struct({
    ...PartnerOrganization.fields.tariff.fields,
    partner: Schema.Boolean.annotate({ description: "Whether it opens clients" }),
    monthlyLimit: limit,
    monthlyUsed: whole(0),
    dailyLimit: limit,
    dailyUsed: whole(0)
  }),
  ...terms,
  permissions: Schema.Struct(reaches).annotate({
    description: "How far the member may go with each; null: not at all. See the table of permissions"
  })
}).annotate({ identifier: "PanelOrganization" })
