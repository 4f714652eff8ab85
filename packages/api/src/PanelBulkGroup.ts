/** The contract of invoices that are made of a file: it is looked through, its good rows are made, links come back. */
import { fileCauses } from "@tolem/core/cabinet/bulk/BulkFile"
import { bulkColumns } from "@tolem/core/cabinet/bulk/BulkSheet"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { changingCodes, deskCodes, errors } from "./Errors.ts"
import * as Wire from "./Invoice.ts"
import { money, optional, text, whole } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import { ofOrganization, TableQuery } from "./Requests.ts"

const file = (contentType: string) => Schema.String.pipe(HttpApiSchema.asText({ contentType }))
const csv = file("text/csv")
const xlsx = file("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

const BulkFile = Schema.Struct({
  content: Schema.String.annotate({ description: "The file in base64: CSV or XLSX, at most 1 MiB" })
}).annotate({ identifier: "PanelBulkFile", examples: [{ content: "QW1vdW50CjE1MDAK" }] })

const row = whole(1).annotate({ description: "As spreadsheets count: the heads are in row 1" })

const BulkInvoice = Schema.Struct({
  amount: money,
  kind: Schema.Literals(["qr", "phone"]),
  description: text,
  externalOrderId: text,
  customer: Schema.Struct({ name: text, phone: text, email: text }),
  successUrl: text,
  failUrl: text,
  idempotencyKey: Schema.String
}).annotate({ identifier: "PanelBulkInvoice" })

const BulkCheck = Schema.Struct({
  fault: Schema.NullOr(
    Schema.Struct({ cause: Schema.Literals(fileCauses), row: Schema.NullOr(whole(1)) }).annotate({
      description: "Why nothing of the file can be used"
    })
  ),
  total: whole(0),
  ignored: Schema.Array(Schema.String).annotate({ description: "Heads of columns that are left out" }),
  rows: Schema.Array(Schema.Struct({ row, invoice: BulkInvoice })),
  faults: Schema.Array(
    Schema.Struct({
      row,
      column: Schema.Literals(bulkColumns),
      code: Schema.String.annotate({ description: "A code, as of a single create" }),
      value: Schema.String.annotate({ description: "What stands there, shortened" })
    })
  )
}).annotate({ identifier: "PanelBulkCheck" })

const PanelBulkCreate = Schema.Struct({
  ...Wire.BulkCreate.fields,
  connectionId: optional(Schema.String.annotate({ description: "The cashier of live invoices" }))
}).annotate({ identifier: "PanelBulkCreate", examples: [{ invoices: [{ amount: 1500 }] }] })

const LinkRows = Schema.Struct({
  rows: Schema.Array(
    Schema.Struct({
      row,
      amount: money,
      description: optional(Schema.String),
      externalOrderId: optional(Schema.String),
      name: optional(Schema.String),
      phone: optional(Schema.String),
      id: Schema.String,
      payUrl: Schema.String
    })
  )
}).annotate({
  identifier: "PanelBulkLinks",
  examples: [{ rows: [{ row: 2, amount: 1500, id: "inv_1", payUrl: "https://pay.example.kz/p/inv_1" }] }]
})

const base = "/orgs/:organizationId/bulk"
const filesOfLinks = { params: ofOrganization.params, query: TableQuery, payload: LinkRows } as const
const templates = { params: ofOrganization.params, query: TableQuery, error: errors(...deskCodes) } as const

/** Invoices of files, for members. */
export const bulk = HttpApiGroup.make("bulk")
  .add(
    HttpApiEndpoint.post("check", `${base}/check`, {
      ...ofOrganization,
      payload: BulkFile,
      success: BulkCheck,
      error: errors(...changingCodes)
    }).annotateMerge(needs("invoices:create", "Look a file of invoices through, row by row; nothing is made")),
    HttpApiEndpoint.post("create", base, {
      ...ofOrganization,
      payload: PanelBulkCreate,
      success: Wire.BulkResult,
      error: errors(...changingCodes, "invalid_invoices", "invalid_connection_id", "provider_session_not_configured")
    }).annotateMerge(needs("invoices:create", "Create up to 100 invoices, each judged by itself")),
    HttpApiEndpoint.post("linksCsv", `${base}/links.csv`, {
      ...filesOfLinks,
      success: csv,
      error: errors(...changingCodes, "invalid_invoices")
    }).annotateMerge(needs("invoices:create", "Write a list of invoices with their links as a table")),
    HttpApiEndpoint.post("linksXlsx", `${base}/links.xlsx`, {
      ...filesOfLinks,
      success: xlsx,
      error: errors(...changingCodes, "invalid_invoices")
    }).annotateMerge(needs("invoices:create", "Write a list of invoices with their links as a workbook")),
    HttpApiEndpoint.get("templateCsv", `${base}/template.csv`, { ...templates, success: csv }).annotateMerge(
      needs("invoices:create", "A table to fill in")
    ),
    HttpApiEndpoint.get("templateXlsx", `${base}/template.xlsx`, { ...templates, success: xlsx }).annotateMerge(
      needs("invoices:create", "A workbook to fill in")
    )
  )
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
