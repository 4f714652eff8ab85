/** The contract of files that members take along: tables for spreadsheets, and the exchange file of 1C. */
import type { Code } from "@tolem/core/error/ErrorCatalog"
import type { Permission } from "@tolem/core/merchant/Permission"
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

const text = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))
const csv = text("text/csv")
const xlsx = text("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

const period = ["invalid_from", "invalid_to"] as const
const ofCashier = [...period, "invalid_connection_id"] as const
const ofMovements = [...ofCashier, "too_many_exports"] as const
const ofRefunds = ["invalid_status", ...ofMovements] as const

/** A file of an organization: who may take it along, what it is, what may be asked for and what is refused. */
const file = <
  const Name extends string,
  const Path extends string,
  Query extends Schema.Struct.Fields,
  const Codes extends ReadonlyArray<Code>
>(
  name: Name,
  path: Path,
  success: typeof csv,
  query: Query,
  codes: Codes,
  [permission, about]: readonly [permission: Permission, about: string]
) =>
  HttpApiEndpoint.get(name, `/orgs/:organizationId/${path}`, {
    params: ofOrganization.params,
    query,
    success,
    error: errors(...deskCodes, ...codes)
  }).annotateMerge(needs(permission, about))

/** Files, for members. */
export const exports = HttpApiGroup.make("exports")
  .add(
    file(
      "invoicesXlsx",
      "invoices.xlsx",
      xlsx,
      ExportQuery,
      [...filterCodes, "too_many_exports"],
      ["invoices:export", "Export what a filter lets through as a workbook, newest first"]
    ),
    file("refundsCsv", "refunds.csv", csv, RefundsFileQuery, ofRefunds, [
      "invoices:export",
      "Export what a filter of refunds lets through, newest first"
    ]),
    file("refundsXlsx", "refunds.xlsx", xlsx, RefundsFileQuery, ofRefunds, [
      "invoices:export",
      "Export what a filter of refunds lets through as a workbook"
    ]),
    file("movementsCsv", "movements.csv", csv, MovementsQuery, ofMovements, [
      "invoices:export",
      "Export payments and refunds of a period, oldest first"
    ]),
    file("movementsXlsx", "movements.xlsx", xlsx, MovementsQuery, ofMovements, [
      "invoices:export",
      "Export payments and refunds of a period as a workbook, oldest first"
    ]),
    file("clientBank", "1c.txt", text("text/plain"), ClientBankQuery, ofMovements, [
      "invoices:export",
      "Export payments and refunds of a period as the exchange file of 1C (1CClientBankExchange 1.03)"
    ]),
    file(
      "journalCsv",
      "journal.csv",
      csv,
      JournalFileQuery,
      [...period, "invalid_after", "too_many_exports"],
      ["journal:read", "Export what a filter of the journal lets through, newest first"]
    ),
    file("statementCsv", "statement.csv", csv, StatementFileQuery, ofCashier, [
      "reports:read",
      "The statement of a period as a table; `by` day, month, cashier or source; with its sums"
    ]),
    file("statementXlsx", "statement.xlsx", xlsx, StatementFileQuery, ofCashier, [
      "reports:read",
      "The statement of a period as a workbook"
    ])
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
