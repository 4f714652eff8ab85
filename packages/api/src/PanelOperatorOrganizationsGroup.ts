/** The contract of the operators' console about organizations, and of looks at their invoices. */

import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { OrganizationStatus } from "./Account.ts"
import { bodyCodes, consoleChangeCodes, consoleCodes, errors } from "./Errors.ts"
import { Invoice } from "./Invoice.ts"
import { DateTime, money, text } from "./Members.ts"
import { isFor, OperatorAdmission, SessionAuthentication } from "./PanelSecurity.ts"
import { anyText, IdParam } from "./Requests.ts"

const fields = {
  id: Schema.String,
  name: Schema.String,
  idn: text,
  mode: Mode,
  status: OrganizationStatus,
  ownerStatus: Schema.Literals(["active", "blocked"]),
  tariff: Schema.String,
  tariffUntil: Schema.NullOr(DateTime),
  createdAt: DateTime
}

const ConsoleOrganizations = Schema.Struct({
  organizations: Schema.Array(Schema.Struct(fields).annotate({ identifier: "ConsoleOrganizationEntry" })),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" }),
  isCut: Schema.Boolean.annotate({ description: "Whether more was found: look for something longer" })
}).annotate({ identifier: "ConsoleOrganizations" })

const ConsoleOrganization = Schema.Struct({
  ...fields,
  owner: Schema.Struct({ id: Schema.String, name: text, phone: text }),
  isTariffActive: Schema.Boolean,
  usedThisMonth: Schema.Int,
  usedToday: Schema.Int,
  counts: Schema.Struct({ members: Schema.Int, keys: Schema.Int, cashiers: Schema.Int })
}).annotate({ identifier: "ConsoleOrganization" })

const Grant = Schema.Struct({
  tariff: Schema.String,
  months: Schema.NullOr(Schema.Int).annotate({ description: "From 1 to 120; null: without end" }),
  seenTariff: Schema.String.annotate({ description: "The tariff that it has, as it was read" }),
  seenUntil: Schema.NullOr(DateTime).annotate({ description: "Its end, as it was read" })
}).annotate({ identifier: "ConsoleGrant" })

const ConsoleTariffs = Schema.Struct({
  enforced: Schema.Boolean.annotate({ description: "Whether limits are in force" }),
  referralPercent: Schema.Number.annotate({ description: "What a referrer earns of each payment for a tariff" }),
  tariffs: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      name: Schema.String,
      monthlyLimit: Schema.Int,
      dailyLimit: Schema.Int,
      price: Schema.NullOr(money).annotate({ description: "For a month; null: it cannot be bought" }),
      partner: Schema.Boolean
    }).annotate({ identifier: "ConsoleTariff" })
  )
}).annotate({ identifier: "ConsoleTariffs" })

const Look = Schema.Struct({
  invoiceId: Schema.String,
  reason: Schema.String.annotate({ description: "From 10 to 300 characters; the owner reads it in their journal" })
}).annotate({ identifier: "ConsoleLook" })

/** Organizations, for those who run the platform. */
export const operatorOrganizations = HttpApiGroup.make("operatorOrganizations")
  .add(
    HttpApiEndpoint.get("list", "/operator/organizations", {
      query: { search: anyText, after: anyText },
      success: ConsoleOrganizations,
      error: errors(...consoleCodes, "invalid_after")
    }).annotateMerge(isFor("organizations:read", "List organizations, newest first, or find those that begin so")),
    HttpApiEndpoint.get("get", "/operator/organizations/:id", {
      params: IdParam,
      success: ConsoleOrganization,
      error: errors(...consoleCodes, "organization_not_found")
    }).annotateMerge(isFor("organizations:read", "Read an organization, with its tariff and counts")),
    HttpApiEndpoint.get("tariffs", "/operator/tariffs", {
      success: ConsoleTariffs,
      error: errors(...consoleCodes)
    }).annotateMerge(isFor("organizations:read", "Read the tariffs of the settings, with their limits and prices")),
    HttpApiEndpoint.post("archive", "/operator/organizations/:id/archive", {
      params: IdParam,
      success: ConsoleOrganization,
      error: errors(...consoleChangeCodes, "organization_not_found")
    }).annotateMerge(isFor("organizations:change", "Archive an organization")),
    HttpApiEndpoint.post("restore", "/operator/organizations/:id/restore", {
      params: IdParam,
      success: ConsoleOrganization,
      error: errors(...consoleChangeCodes, "organization_not_found")
    }).annotateMerge(isFor("organizations:change", "Put an archived organization in force again")),
    HttpApiEndpoint.post("grant", "/operator/organizations/:id/tariff", {
      params: IdParam,
      payload: Grant,
      success: ConsoleOrganization,
      error: errors(
        ...consoleChangeCodes,
        ...bodyCodes,
        "organization_not_found",
        "organization_changed",
        "invalid_tariff",
        "invalid_months"
      )
    }).annotateMerge(isFor("tariffs:grant", "Grant an organization a tariff free of charge")),
    HttpApiEndpoint.post("look", "/operator/looks", {
      payload: Look,
      success: Invoice,
      error: errors(...consoleChangeCodes, ...bodyCodes, "invoice_not_found", "invalid_look_reason")
    }).annotateMerge(isFor("invoices:look", "Look at an invoice once, for a reason that its owner reads"))
  )
  .middleware(OperatorAdmission)
  .middleware(SessionAuthentication)
