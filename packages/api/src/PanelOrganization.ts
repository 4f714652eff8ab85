/** Organizations as their members are shown them. */
import { Role } from "@tolem/core/merchant/Merchant"
import { allPermissions, type Permission, Reach } from "@tolem/core/merchant/Permission"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { OrganizationStatus } from "./Account.ts"
import { DateTime, id, text, whole } from "./Members.ts"

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

const reaches = Object.fromEntries(allPermissions.map((permission) => [permission, Schema.NullOr(Reach)])) as Readonly<
  Record<Permission, Schema.NullOr<typeof Reach>>
>

const limit = whole(0).annotate({ description: "Live invoices; the sandbox counts none" })

/** An organization, what it has used of its tariff, and what the member may do there. */
export const PanelOrganization = Schema.Struct({
  id: id("org"),
  name: Schema.String,
  legalName: text,
  idn: text,
  mode: Mode,
  status: OrganizationStatus,
  tariff: Schema.Struct({
    code: Schema.String,
    name: Schema.String,
    active: Schema.Boolean,
    validUntil: Schema.NullOr(DateTime),
    monthlyLimit: limit,
    monthlyUsed: whole(0),
    dailyLimit: limit,
    dailyUsed: whole(0)
  }),
  createdAt: DateTime,
  role: Role,
  permissions: Schema.Struct(reaches).annotate({
    description: "How far the member may go with each; null: not at all. See the table of permissions"
  })
}).annotate({ identifier: "PanelOrganization" })
