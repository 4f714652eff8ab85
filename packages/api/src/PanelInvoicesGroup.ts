/** The contract of invoices in the cabinet: the same JSON as in `/api/v1`, within what a member may do. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { bodyCodes, confirmedCodes, deskCodes, errors } from "./Errors.ts"
import * as Wire from "./Invoice.ts"
import { cancelCodes, createCodes, listCodes, refundCodes, simulateCodes } from "./InvoicesGroup.ts"
import { optional } from "./Members.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import * as Requests from "./Requests.ts"

const base = "/orgs/:organizationId/invoices"
const { OrganizationParam, PanelQuery } = Requests
const one = { ...OrganizationParam, ...Requests.IdParam }
const changing = [...deskCodes, ...bodyCodes, "cross_site_request"] as const

const PanelInvoiceCreate = Schema.Struct({
  ...Wire.InvoiceCreate.fields,
  connectionId: optional(Schema.String.annotate({ description: "The cashier of a live invoice" }))
}).annotate({ identifier: "PanelInvoiceCreate", examples: [{ amount: 1500 }] })

const list = HttpApiEndpoint.get("list", base, {
  params: OrganizationParam,
  query: Requests.ListQuery,
  success: Wire.InvoicePage,
  error: errors(...deskCodes, ...listCodes)
})
  .annotateMerge(needs("invoices:read"))
  .annotate(OpenApi.Summary, "List the invoices that are the member's to see, newest first")

const create = HttpApiEndpoint.post("create", base, {
  params: OrganizationParam,
  query: PanelQuery,
  headers: Requests.IdempotencyHeader,
  payload: PanelInvoiceCreate,
  success: [Wire.Invoice.pipe(HttpApiSchema.status(201)), Wire.InvoiceReplay],
  error: errors(...changing, ...createCodes, "invalid_connection_id")
})
  .annotateMerge(needs("invoices:create"))
  .annotate(OpenApi.Summary, "Create an invoice; in live mode `connectionId` names its cashier")

const get = HttpApiEndpoint.get("get", `${base}/:id`, {
  params: one,
  query: { ...PanelQuery, ...Requests.LiveQuery },
  success: Wire.InvoiceDetail,
  error: errors(...deskCodes, "invalid_live", "invoice_not_found")
})
  .annotateMerge(needs("invoices:read"))
  .annotate(OpenApi.Summary, "Read an invoice with its events and refunds; `live=1` asks the provider first")

const cancel = HttpApiEndpoint.post("cancel", `${base}/:id/cancel`, {
  params: one,
  query: PanelQuery,
  success: Wire.CancelledInvoice,
  error: errors(...changing, ...cancelCodes)
})
  .annotateMerge(needs("invoices:cancel"))
  .annotate(OpenApi.Summary, "Close an open invoice")

const refund = HttpApiEndpoint.post("refund", `${base}/:id/refund`, {
  params: one,
  query: PanelQuery,
  headers: Requests.IdempotencyHeader,
  payload: [Wire.RefundCreate, HttpApiSchema.NoContent],
  success: [Wire.Invoice.pipe(HttpApiSchema.status(201)), Wire.InvoiceReplay],
  error: errors(...confirmedCodes, ...bodyCodes, ...refundCodes, "refund_not_allowed")
})
  .annotateMerge(needs("invoices:refund"))
  .annotate(OpenApi.Summary, "Give back all or part of a payment; a large one takes a fresh code")

const simulate = HttpApiEndpoint.post("simulate", `${base}/:id/simulate`, {
  params: one,
  query: PanelQuery,
  payload: Wire.Simulation,
  success: Wire.Invoice,
  error: errors(...changing, ...simulateCodes)
})
  .annotateMerge(needs("invoices:simulate"))
  .annotate(OpenApi.Summary, "Sandbox: pretend that the customer paid, failed to pay, or let it expire")

/** Invoices, for the members of an organization. */
export const panelInvoices = HttpApiGroup.make("panelInvoices")
  .add(list, create, get, cancel, refund, simulate)
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
