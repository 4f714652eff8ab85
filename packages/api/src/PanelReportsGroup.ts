/** The contract of sums and totals in the cabinet. */
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { deskCodes, errors } from "./Errors.ts"
import { filterCodes, InvoiceSums, PanelTotals } from "./PanelReport.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { FilterQuery, ofOrganization, PeriodQuery } from "./Requests.ts"

/** Sums and totals, for members. */
export const reports = HttpApiGroup.make("reports")
  .add(
    HttpApiEndpoint.get("sums", "/orgs/:organizationId/sums", {
      params: ofOrganization.params,
      query: FilterQuery,
      success: InvoiceSums,
      error: errors(...deskCodes, ...filterCodes)
    }).annotateMerge(needs("reports:read", "Sum up the invoices that a filter of the list lets through, by status")),
    HttpApiEndpoint.get("totals", "/orgs/:organizationId/totals", {
      params: ofOrganization.params,
      query: PeriodQuery,
      success: PanelTotals,
      error: errors(...deskCodes, "invalid_from", "invalid_to", "invalid_connection_id")
    }).annotateMerge(
      needs("reports:read", "Total a period by day, cashier and source, and the one before; default: the last 7 days")
    )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
