/** Organizations that partners open, and what referrals earn, as the wire carries them. */
import { otpForm } from "@tolem/core/connection/ConnectionLogins"
import { maxConnectionName } from "@tolem/core/connection/Connections"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import { organizationBounds } from "@tolem/core/merchant/OrganizationRequests"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { Connection, OrganizationStatus } from "./Account.ts"
import { DateTime, id, line, money, optional, pageFields, phone, text, whole } from "./Members.ts"

const organizationFields = {
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
    validUntil: Schema.NullOr(DateTime)
  }),
  createdAt: DateTime
}

/** A client of the partner. */
export const PartnerOrganization = Schema.Struct(organizationFields).annotate({ identifier: "PartnerOrganization" })

const period = Schema.Struct({
  count: whole(0),
  amount: money,
  byStatus: Schema.Record(Schema.String, Schema.Struct({ count: whole(0), amount: money }))
})

const clientFields = {
  ...organizationFields,
  statistics: Schema.Struct({ month: period, all: period }).annotate({
    description: "Invoices of the client's mode: this calendar month in Almaty, and in all"
  }),
  connections: Schema.Array(Connection)
}

/** A client with statistics and cashiers: those that work in lists, all of them where it is read alone. */
export const PartnerClient = Schema.Struct(clientFields).annotate({ identifier: "PartnerClient" })

/** A page of clients, newest first. */
export const PartnerClientPage = Schema.Struct({
  ...pageFields,
  organizations: Schema.Array(PartnerClient)
}).annotate({ identifier: "PartnerClientPage" })

const name = line(organizationBounds.name)

/** A client to open. */
export const PartnerOrganizationCreate = Schema.Struct({
  name,
  ownerPhone: phone,
  ownerName: optional(name),
  legalName: optional(name),
  idn: optional(line(organizationBounds.idn).annotate({ description: "BIN or IIN" }))
}).annotate({
  identifier: "PartnerOrganizationCreate",
  examples: [{ name: "Dastarkhan", ownerPhone: "77011234567", ownerName: "Aliya", idn: "990140000385" }]
})

/** A client that was opened, its owner, and its first sandbox key, which is shown this once. */
export const PartnerOrganizationOpened = Schema.Struct({
  organization: PartnerOrganization,
  owner: Schema.Struct({ id: id("acc"), phone: Schema.String, name: text }),
  apiKey: Schema.String
}).annotate({ identifier: "PartnerOrganizationOpened" })

/** The client that the same idempotency key has opened before; its key is not shown again. */
export const PartnerOrganizationReplay = Schema.Struct({
  organization: PartnerOrganization,
  owner: Schema.Struct({ id: id("acc"), phone: Schema.String, name: text }),
  idempotentReplay: Schema.Literal(true)
}).annotate({ identifier: "PartnerOrganizationReplay" })

/** The mode that a client is to work in. */
export const ModeSwitch = Schema.Struct({ mode: Mode }).annotate({
  identifier: "ModeSwitch",
  examples: [{ mode: "sandbox" }]
})

/** A key to make. Without scopes it may do all that a merchant may. */
export const PartnerKeyCreate = Schema.Struct({
  name,
  scopes: Schema.optionalKey(Schema.Array(KeyScope).annotate({ minItems: 1 }))
}).annotate({
  identifier: "PartnerKeyCreate",
  examples: [{ name: "Shop", scopes: ["invoices:read", "invoices:write"] }]
})

/** A key of the client's mode, shown this once. */
export const PartnerKey = Schema.Struct({
  id: id("key"),
  name: Schema.String,
  mode: Mode,
  scopes: Schema.Array(KeyScope),
  lastCharacters: Schema.String,
  createdAt: DateTime,
  lastUsedAt: Schema.NullOr(DateTime),
  apiKey: Schema.String
}).annotate({ identifier: "PartnerKey" })

/** A cashier to add; without a name they get the organization's. */
export const ConnectionCreate = Schema.Struct({ name: optional(line(maxConnectionName)) }).annotate({
  identifier: "ConnectionCreate",
  examples: [{ name: "Till 2" }]
})

/** Why a step of a login is refused. */
export const loginCodes = [
  "connection_not_found",
  "provider_error",
  "no_provider",
  "challenge_expired",
  "challenge_used"
] as const

/** A login that has begun. */
export const LoginProcess = Schema.Struct({ processId: id("prc") }).annotate({ identifier: "LoginProcess" })

/** Step 2 of a login: a code is sent to this phone. */
export const LoginPhone = Schema.Struct({ processId: id("prc"), phone }).annotate({
  identifier: "LoginPhone",
  examples: [{ processId: "prc_01k9fq2n3v8d4c7b6a5s9e1r2t", phone: "77011234567" }]
})

/** Step 3 of a login: the code. */
export const LoginCode = Schema.Struct({
  processId: id("prc"),
  otp: Schema.String.annotate({ pattern: otpForm.source })
}).annotate({
  identifier: "LoginCode",
  examples: [{ processId: "prc_01k9fq2n3v8d4c7b6a5s9e1r2t", otp: "111111" }]
})

const earnings = {
  referralCode: Schema.String,
  clients: Schema.Array(
    Schema.Struct({
      organizationId: id("org"),
      name: Schema.String,
      createdAt: DateTime,
      accrued: money,
      paidOut: money
    })
  ),
  accrued: money,
  paidOut: money
}

/** What the partner's owner earns by the merchants that they have brought, and by the partner's clients. */
export const Earnings = Schema.Struct(earnings).annotate({ identifier: "Earnings" })

/** What a person earns by referrals. */
export const Referral = Schema.Struct({
  ...earnings,
  link: Schema.String.annotate({ description: "The address to give to others: who registers there is attached" })
}).annotate({ identifier: "Referral" })
