/** The contract of refunds over all invoices in the cabinet, and of saying what became of those that are unknown. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { bodyCodes, confirmedCodes, deskCodes, errors } from "./Errors.ts"
import { Refund } from "./Invoice.ts"
import { DateTime, money, optional, text, whole } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ofOne, ofOrganization, RefundsQuery } from "./Requests.ts"

const Checks = Schema.Struct({
  asked: whole(0).annotate({ description: "How often the provider was to be asked about it by now" }),
  nextAt: Schema.NullOr(DateTime).annotate({ description: "When it is asked next; null: people have to look" })
}).annotate({ identifier: "PanelRefundChecks" })

const ListedRefund = Schema.Struct({
  ...Refund.fields,
  providerReference: text.annotate({ description: "The provider's own number of it" }),
  invoiceId: Schema.String,
  connectionId: text,
  externalOrderId: text,
  description: text,
  receiptNumber: text,
  checks: Schema.NullOr(Checks).annotate({ description: "Of a live one whose outcome is not known" })
}).annotate({ identifier: "PanelRefund" })

const RefundPage = Schema.Struct({
  limit: whole(1),
  refunds: Schema.Array(ListedRefund),
  next: text.annotate({ description: "The `after` of the next page; null: there is none" })
}).annotate({ identifier: "PanelRefundPage" })

const RefundSums = Schema.Struct({
  isExact: Schema.Boolean.annotate({ description: "Of all that match; else of the newest only" }),
  sums: Schema.Array(Schema.Struct({ status: Refund.fields.status, count: whole(1), amount: money }))
}).annotate({ identifier: "PanelRefundSums" })

const Resolution = Schema.Struct({
  made: Schema.Boolean.annotate({ description: "Whether the provider has made it" }),
  reference: optional(Schema.String.annotate({ description: "The provider's own number of it, if it was made" })),
  note: Schema.String.annotate({ description: "How it was found out: 3 to 500 characters" })
}).annotate({
  identifier: "PanelRefundResolution",
  examples: [{ made: true, reference: "8841-22", note: "Seen in the bank's own app" }]
})

const Resolved = Schema.Struct({
  invoiceId: Schema.String,
  status: Schema.String.annotate({ description: "Of the invoice, as it is now" }),
  refunds: Schema.Array(Refund)
}).annotate({ identifier: "PanelResolvedRefund" })

const listCodes = ["invalid_status", "invalid_from", "invalid_to", "invalid_connection_id"] as const

/** Refunds, for members. */
export const panelRefunds = HttpApiGroup.make("panelRefunds")
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/refunds", {
      params: ofOrganization.params,
      query: RefundsQuery,
      success: RefundPage,
      error: errors(...deskCodes, ...listCodes, "invalid_limit", "invalid_after")
    }).annotateMerge(needs("invoices:read", "List refunds of all invoices that are the member's to see, newest first")),
    HttpApiEndpoint.get("sums", "/orgs/:organizationId/refunds/sums", {
      params: ofOrganization.params,
      query: RefundsQuery,
      success: RefundSums,
      error: errors(...deskCodes, ...listCodes, "invalid_limit", "invalid_after")
    }).annotateMerge(needs("invoices:read", "The sums by status of the refunds that a filter lets through")),
    HttpApiEndpoint.post("resolve", "/orgs/:organizationId/refunds/:id/resolve", {
      ...ofOne,
      payload: Resolution,
      success: Resolved,
      error: errors(
        ...confirmedCodes,
        ...bodyCodes,
        "invalid_request",
        "invalid_note",
        "invoice_not_found",
        "refund_state_conflict"
      )
    }).annotateMerge(
      needs("refunds:resolve", "Say what became of a refund of which the provider does not tell; takes a fresh code")
    )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
