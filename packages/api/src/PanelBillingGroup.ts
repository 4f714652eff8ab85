/** The contract of an organization's tariff in the cabinet: what is used, what was ordered, and ordering. */
import { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import { DateTime, id, money, text, url, whole } from "./Members.ts"
import { PanelOrganization } from "./PanelOrganization.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { AfterQuery, ofOrganization } from "./Requests.ts"

const { tariff } = PanelOrganization.fields

const PanelTariff = Schema.Struct({
  tariff,
  isSold: Schema.Boolean.annotate({ description: "Whether tariffs can be bought here; else ask those who run it" }),
  catalogue: Schema.Array(
    Schema.Struct({
      code: Schema.String,
      name: Schema.String,
      monthlyLimit: tariff.fields.monthlyLimit,
      dailyLimit: tariff.fields.dailyLimit,
      price: Schema.NullOr(money).annotate({ description: "For a month; null: it is not for sale" }),
      partner: tariff.fields.partner
    })
  )
}).annotate({ identifier: "PanelTariff" })

const order = {
  id: id("trf"),
  tariff: Schema.String.annotate({ description: "Its code" }),
  months: whole(1),
  amount: money,
  createdAt: DateTime
}

const pays = { id: id("inv"), status: InvoiceStatus, payUrl: Schema.String.annotate({ format: "uri" }) }

const Bill = Schema.Struct({
  ...order,
  appliedAt: Schema.NullOr(DateTime).annotate({ description: "When it took effect; null: not yet" }),
  invoice: Schema.NullOr(Schema.Struct({ ...pays, receiptNumber: text, receiptUrl: url })).annotate({
    description: "The seller's invoice that pays for it; null: there is none any more, or none yet"
  })
}).annotate({ identifier: "PanelBill" })

const BillPage = Schema.Struct({
  limit: whole(1, 50),
  bills: Schema.Array(Bill),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" })
}).annotate({ identifier: "PanelBillPage" })

const Wish = Schema.Struct({
  tariff: Schema.String.annotate({ description: "The code of one with a price" })
}).annotate({ identifier: "PanelTariffWish", examples: [{ tariff: "start" }] })

const Sale = Schema.Struct({
  ...order,
  invoice: Schema.Struct({
    ...pays,
    qrUrl: text,
    qrImageUrl: url,
    deepLink: text,
    expiresAt: Schema.NullOr(DateTime)
  })
}).annotate({ identifier: "PanelTariffSale" })

/** The tariff and its bills, for members. */
export const billing = HttpApiGroup.make("billing")
  .add(
    HttpApiEndpoint.get("standing", "/orgs/:organizationId/tariff", {
      ...ofOrganization,
      success: PanelTariff,
      error: errors(...deskCodes)
    }).annotateMerge(needs("tariff:read", "Read the tariff, what is used of it, and which there are")),
    HttpApiEndpoint.get("bills", "/orgs/:organizationId/bills", {
      params: ofOrganization.params,
      query: AfterQuery,
      success: BillPage,
      error: errors(...deskCodes, "invalid_limit", "invalid_after")
    }).annotateMerge(needs("bills:read", "List what was ordered of tariffs, newest first")),
    HttpApiEndpoint.post("order", "/orgs/:organizationId/tariff/orders", {
      ...ofOrganization,
      payload: Wish,
      success: Sale,
      error: errors(...changingCodes, "invalid_tariff", "provider_error")
    }).annotateMerge(needs("tariff:buy", "Order a month of a tariff; one that can still be paid is answered again"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
