/** The contract of files that members take along: tables for spreadsheets, and the exchange file of 1C. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { deskCodes, errors } from "./Errors.ts"
import { filterCodes } from "./PanelReport.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import {
  ClientBankQuery,
  ExportQuery,
  JournalFileQuery,
  MovementsQuery,
  ofOrganization,
  RefundsFileQuery,
  StatementFileQuery
} from "./Requests.ts"

const file = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))
const csv = file("text/csv")
const xlsx = file("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

const refundErrors = errors(
  ...deskCodes,
  "invalid_status",
  "invalid_from",
  "invalid_to",
  "invalid_connection_id",
  "too_many_exports"
)
const periodErrors = errors(...deskCodes, "invalid_from", "invalid_to", "invalid_connection_id")
const exportErrors = errors(...deskCodes, "invalid_from", "invalid_to", "invalid_connection_id", "too_many_exports")

/** Files, for members. */
export const exports = HttpApiGroup.make("exports")
  .add(
    HttpApiEndpoint.get("invoicesXlsx", "/orgs/:organizationId/invoices.xlsx", {
      params: ofOrganization.params,
      query: ExportQuery,
      success: xlsx,
      error: errors(...deskCodes, ...filterCodes, "too_many_exports")
    }).annotateMerge(needs("invoices:export", "Export what a filter lets through as a workbook, newest first")),
    HttpApiEndpoint.get("refundsCsv", "/orgs/:organizationId/refunds.csv", {
      params: ofOrganization.params,
      query: RefundsFileQuery,
      success: csv,
      error: refundErrors
    }).annotateMerge(needs("invoices:export", "Export what a filter of refunds lets through, newest first")),
    HttpApiEndpoint.get("refundsXlsx", "/orgs/:organizationId/refunds.xlsx", {
      params: ofOrganization.params,
      query: RefundsFileQuery,
      success: xlsx,
      error: refundErrors
    }).annotateMerge(needs("invoices:export", "Export what a filter of refunds lets through as a workbook")),
    HttpApiEndpoint.get("movementsCsv", "/orgs/:organizationId/movements.csv", {
      params: ofOrganization.params,
      query: MovementsQuery,
      success: csv,
      error: exportErrors
    }).annotateMerge(needs("invoices:export", "Export payments and refunds of a period, oldest first")),
    HttpApiEndpoint.get("movementsXlsx", "/orgs/:organizationId/movements.xlsx", {
      params: ofOrganization.params,
      query: MovementsQuery,
      success: xlsx,
      error: exportErrors
    }).annotateMerge(needs("invoices:export", "Export payments and refunds of a period as a workbook, oldest first")),
    HttpApiEndpoint.get("clientBank", "/orgs/:organizationId/1c.txt", {
      params: ofOrganization.params,
      query: ClientBankQuery,
      success: file("text/plain"),
      error: exportErrors
    }).annotateMerge(
      needs(
        "invoices:export",
        "Export payments and refunds of a period as the exchange file of 1C (1CClientBankExchange 1.03)"
      )
    ),
    HttpApiEndpoint.get("journalCsv", "/orgs/:organizationId/journal.csv", {
      params: ofOrganization.params,
      query: JournalFileQuery,
      success: csv,
      error: errors(...deskCodes, "invalid_from", "invalid_to", "invalid_after", "too_many_exports")
    }).annotateMerge(needs("journal:read", "Export what a filter of the journal lets through, newest first")),
    HttpApiEndpoint.get("statementCsv", "/orgs/:organizationId/statement.csv", {
      params: ofOrganization.params,
      query: StatementFileQuery,
      success: csv,
      error: periodErrors
    }).annotateMerge(
      needs("reports:read", "The statement of a period as a table; `by` day, month, cashier or source; with its sums")
    ),
    HttpApiEndpoint.get("statementXlsx", "/orgs/:organizationId/statement.xlsx", {
      params: ofOrganization.params,
      query: StatementFileQuery,
      success: xlsx,
      error: periodErrors
    }).annotateMerge(needs("reports:read", "The statement of a period as a workbook"))
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
