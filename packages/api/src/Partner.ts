/** Organizations that partners open, and what referrals earn, as the wire carries them. */
import { KeyScope } from "@tolem/core/merchant/Merchant"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { Connection, OrganizationStatus } from "./Account.ts"
import { amount, DateTime, optionalText, text } from "./Members.ts"

const organizationFields = {
  id: Schema.String,
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
  count: Schema.Int,
  amount,
  byStatus: Schema.Record(Schema.String, Schema.Struct({ count: Schema.Int, amount }))
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
  total: Schema.Int,
  limit: Schema.Int,
  offset: Schema.Int,
  organizations: Schema.Array(PartnerClient)
}).annotate({ identifier: "PartnerClientPage" })

/** A client to open. */
export const PartnerOrganizationCreate = Schema.Struct({
  name: Schema.String,
  ownerPhone: Schema.String.annotate({ description: "7XXXXXXXXXX" }),
  ownerName: optionalText,
  legalName: optionalText,
  idn: optionalText
}).annotate({ identifier: "PartnerOrganizationCreate" })

/** A client that was opened, its owner, and its first sandbox key, which is shown this once. */
export const PartnerOrganizationOpened = Schema.Struct({
  organization: PartnerOrganization,
  owner: Schema.Struct({ id: Schema.String, phone: Schema.String, name: text }),
  apiKey: Schema.String
}).annotate({ identifier: "PartnerOrganizationOpened" })

/** The client that the same idempotency key has opened before; its key is not shown again. */
export const PartnerOrganizationReplay = Schema.Struct({
  organization: PartnerOrganization,
  owner: Schema.Struct({ id: Schema.String, phone: Schema.String, name: text }),
  idempotentReplay: Schema.Literal(true)
}).annotate({ identifier: "PartnerOrganizationReplay" })

/** The mode that a client is to work in. */
export const ModeSwitch = Schema.Struct({ mode: Mode }).annotate({ identifier: "ModeSwitch" })

/** A key to make. Without scopes it may do all that a merchant may. */
export const PartnerKeyCreate = Schema.Struct({
  name: Schema.String,
  scopes: Schema.optionalKey(Schema.Array(KeyScope))
}).annotate({ identifier: "PartnerKeyCreate" })

/** A key of the client's mode, shown this once. */
export const PartnerKey = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  mode: Mode,
  scopes: Schema.Array(KeyScope),
  lastCharacters: Schema.String,
  createdAt: DateTime,
  lastUsedAt: Schema.NullOr(DateTime),
  apiKey: Schema.String
}).annotate({ identifier: "PartnerKey" })

/** A cashier to add; without a name they get the organization's. */
export const ConnectionCreate = Schema.Struct({ name: optionalText }).annotate({ identifier: "ConnectionCreate" })

/** A login that has begun. */
export const LoginProcess = Schema.Struct({ processId: Schema.String }).annotate({ identifier: "LoginProcess" })

/** Step 2 of a login: a code is sent to this phone. */
export const LoginPhone = Schema.Struct({ processId: Schema.String, phone: Schema.String }).annotate({
  identifier: "LoginPhone"
})

/** Step 3 of a login: the code. */
export const LoginCode = Schema.Struct({ processId: Schema.String, otp: Schema.String }).annotate({
  identifier: "LoginCode"
})

const earnings = {
  referralCode: Schema.String,
  clients: Schema.Array(
    Schema.Struct({
      organizationId: Schema.String,
      name: Schema.String,
      createdAt: DateTime,
      accrued: amount,
      paidOut: amount
    })
  ),
  accrued: amount,
  paidOut: amount
}

/** What the partner's owner earns by the merchants that they have brought, and by the partner's clients. */
export const Earnings = Schema.Struct(earnings).annotate({ identifier: "Earnings" })

/** What a person earns by referrals. */
export const Referral = Schema.Struct({
  ...earnings,
  link: Schema.String.annotate({ description: "The address to give to others: who registers there is attached" })
}).annotate({ identifier: "Referral" })
