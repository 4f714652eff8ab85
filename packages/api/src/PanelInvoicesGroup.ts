/** The contract of invoices in the cabinet: the same JSON as in `/api/v1`, within what a member may do. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { bodyCodes, changingCodes, confirmedCodes, deskCodes, errors } from "./Errors.ts"
import * as Wire from "./Invoice.ts"
import { cancelCodes, createCodes, refundCodes, simulateCodes } from "./InvoicesGroup.ts"
import { optional } from "./Members.ts"
import { filterCodes, PanelInvoicePage } from "./PanelReport.ts"
import { DeskAdmission, needs, SessionAuthentication } from "./PanelSecurity.ts"
import * as Requests from "./Requests.ts"

const base = "/orgs/:organizationId/invoices"
const { ofOne, ofOrganization } = Requests

const PanelInvoiceCreate = Schema.Struct({
  ...Wire.InvoiceCreate.fields,
  connectionId: optional(Schema.String.annotate({ description: "The cashier of a live invoice" }))
}).annotate({ identifier: "PanelInvoiceCreate", examples: [{ amount: 1500 }] })

const list = HttpApiEndpoint.get("list", base, {
  params: ofOrganization.params,
  query: Requests.PlaceQuery,
  success: PanelInvoicePage,
  error: errors(...deskCodes, ...filterCodes, "invalid_limit", "invalid_offset", "invalid_after")
}).annotateMerge(needs("invoices:read", "List the invoices that are the member's to see, newest first"))

const create = HttpApiEndpoint.post("create", base, {
  ...ofOrganization,
  headers: Requests.IdempotencyHeader,
  payload: PanelInvoiceCreate,
  success: [Wire.Invoice.pipe(HttpApiSchema.status(201)), Wire.InvoiceReplay],
  error: errors(...changingCodes, ...createCodes, "invalid_connection_id")
}).annotateMerge(needs("invoices:create", "Create an invoice; in live mode `connectionId` names its cashier"))

const get = HttpApiEndpoint.get("get", `${base}/:id`, {
  params: ofOne.params,
  query: { ...ofOne.query, ...Requests.LiveQuery },
  success: Wire.InvoiceDetail,
  error: errors(...deskCodes, "invalid_live", "invoice_not_found")
}).annotateMerge(
  needs("invoices:read", "Read an invoice with its events and refunds; `live=1` asks the provider first")
)

const cancel = HttpApiEndpoint.post("cancel", `${base}/:id/cancel`, {
  ...ofOne,
  success: Wire.CancelledInvoice,
  error: errors(...changingCodes, ...cancelCodes)
}).annotateMerge(needs("invoices:cancel", "Close an open invoice"))

const refund = HttpApiEndpoint.post("refund", `${base}/:id/refund`, {
  ...ofOne,
  headers: Requests.IdempotencyHeader,
  payload: [Wire.RefundCreate, HttpApiSchema.NoContent],
  success: [Wire.Invoice.pipe(HttpApiSchema.status(201)), Wire.InvoiceReplay],
  error: errors(...confirmedCodes, ...bodyCodes, ...refundCodes, "refund_not_allowed")
}).annotateMerge(needs("invoices:refund", "Give back all or part of a payment; a large one takes a fresh code"))

const simulate = HttpApiEndpoint.post("simulate", `${base}/:id/simulate`, {
  ...ofOne,
  payload: Wire.Simulation,
  success: Wire.Invoice,
  error: errors(...changingCodes, ...simulateCodes)
}).annotateMerge(needs("invoices:simulate", "Sandbox: pretend that the customer paid, failed to pay, or let it expire"))

/** Invoices, for the members of an organization. */
export const panelInvoices = HttpApiGroup.make("panelInvoices")
  .add(list, create, get, cancel, refund, simulate)
  .middleware(DeskAdmission)
  .middleware(SessionAuthentication)
