/** The contract of sums and totals in the cabinet. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import {
  filterCodes,
  InvoiceSums,
  PanelShift,
  PanelStatement,
  PanelTotals,
  StatementLetterChoice,
  StatementLetterWish
} from "./PanelReport.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ExportQuery, ofOrganization, PeriodQuery, SumsQuery } from "./Requests.ts"

const periodCodes = ["invalid_from", "invalid_to", "invalid_connection_id"] as const

/** Sums, totals and statements, for members. */
export const reports = HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("sums", "/orgs/:organizationId/sums", {
      params: ofOrganization.params,
      query: SumsQuery,
      success: InvoiceSums,
      error: errors(...deskCodes, ...filterCodes, "invalid_after")
    }).annotateMerge(needs("reports:read", "Sum up the invoices that a filter of the list lets through, by status")),
    HttpApiEndpoint.get("invoicesCsv", "/orgs/:organizationId/invoices.csv", {
      params: ofOrganization.params,
      query: ExportQuery,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" })),
      error: errors(...deskCodes, ...filterCodes, "too_many_exports")
    }).annotateMerge(
      needs(
        "invoices:export",
        "Export what a filter lets through, newest first; `lang` of the heads, `bom=1` as Excel reads it in Russian"
      )
    ),
    HttpApiEndpoint.get("totals", "/orgs/:organizationId/totals", {
      params: ofOrganization.params,
      query: PeriodQuery,
      success: PanelTotals,
      error: errors(...deskCodes, ...periodCodes)
    }).annotateMerge(
      needs("reports:read", "Total a period by day, cashier and source, and the one before; default: the last 7 days")
    )
  )
  .add(
    HttpApiEndpoint.get("statement", "/orgs/:organizationId/statement", {
      params: ofOrganization.params,
      query: PeriodQuery,
      success: PanelStatement,
      error: errors(...deskCodes, ...periodCodes)
    }).annotateMerge(
      needs(
        "reports:read",
        "What was paid and given back in a period, by the day on which money moved; default: this month up to today"
      )
    ),
    HttpApiEndpoint.get("shift", "/orgs/:organizationId/shift", {
      params: ofOrganization.params,
      query: PeriodQuery,
      success: PanelShift,
      error: errors(...deskCodes, ...periodCodes)
    }).annotateMerge(needs("reports:read", "What came to a till between two instants or days; default: today"))
  )
  .add(
    HttpApiEndpoint.get("letters", "/orgs/:organizationId/statement-letters", {
      ...ofOrganization,
      success: StatementLetterChoice,
      error: errors(...deskCodes)
    }).annotateMerge(needs("reports:letters", "Whether one has the statement of each month by letter")),
    HttpApiEndpoint.put("chooseLetters", "/orgs/:organizationId/statement-letters", {
      ...ofOrganization,
      payload: StatementLetterWish,
      success: StatementLetterChoice,
      error: errors(...changingCodes, "invalid_request", "invalid_email")
    }).annotateMerge(needs("reports:letters", "Choose to have the statement of each month by letter, or no longer"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
