/** What a key's organization is and may still do, as the wire carries it. */
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { DateTime, id, text, whole } from "./Members.ts"

/** A cashier at the provider. */
export const Connection = Schema.Struct({
  id: id("con"),
  name: Schema.String,
  status: Schema.Literals(["pending", "active", "expired", "disabled"]),
  phone: text.annotate({ description: "Masked" }),
  isDefault: Schema.Boolean,
  createdAt: DateTime
}).annotate({ identifier: "Connection" })

/** `archived`: its keys are refused. */
export const OrganizationStatus = Schema.Literals(["active", "archived"])

const limit = whole(0).annotate({ description: "Live invoices; the sandbox counts none" })

/** The organization of the calling key, its tariff with what was used of it, and its cashiers. */
export const Account = Schema.Struct({
  organization: Schema.Struct({
    id: id("org"),
    name: Schema.String,
    legalName: text,
    idn: text,
    status: OrganizationStatus,
    createdAt: DateTime
  }),
  mode: Mode,
  tariff: Schema.Struct({
    code: Schema.String,
    name: Schema.String,
    active: Schema.Boolean,
    validUntil: Schema.NullOr(DateTime).annotate({ description: "Null: it does not end by itself" }),
    monthlyLimit: limit,
    monthlyUsed: whole(0),
    dailyLimit: limit,
    dailyUsed: whole(0)
  }),
  connections: Schema.Array(Connection)
}).annotate({ identifier: "Account" })
