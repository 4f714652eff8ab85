/** The contract of `/invoices`: requests, answers, errors and scopes of each endpoint. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import * as Wire from "./Invoice.ts"
import * as Requests from "./Requests.ts"
import { does } from "./Security.ts"

/** An amount that cannot be owed. */
export const amountCodes = ["invalid_amount", "amount_too_small", "amount_too_large"] as const

/** A customer that cannot be. */
export const customerCodes = ["invalid_phone", "invalid_customer", "invalid_email"] as const

/** What keeps an invoice from being made that is all right. */
export const offerCodes = [
  "not_live",
  "provider_session_not_configured",
  "provider_session_expired",
  "connection_not_active",
  "tariff_limit_reached",
  "tariff_daily_burst",
  "sandbox_limit",
  "tariff_inactive",
  "invoice_create_failed",
  "provider_error"
] as const

/** Why no invoice is made. */
export const createCodes = [
  "invalid_kind",
  ...amountCodes,
  "amount_must_be_whole_tenge",
  "phone_required",
  ...customerCodes,
  "invalid_description",
  "invalid_external_order_id",
  "invalid_url",
  "invalid_metadata",
  "invalid_idempotency_key",
  "forbidden",
  ...offerCodes
] as const

/** Members of a list request that break their rules. */
const listCodes = [
  "invalid_status",
  "invalid_external_order_id",
  "invalid_search",
  "invalid_mode",
  "invalid_from",
  "invalid_to",
  "invalid_limit",
  "invalid_offset"
] as const

/** Why an invoice is not cancelled. */
export const cancelCodes = [
  "forbidden",
  "invoice_not_found",
  "invoice_not_open",
  "invoice_changed",
  "no_provider",
  "provider_session_expired",
  "cancel_failed"
] as const

/** Why nothing is given back. */
export const refundCodes = [
  "forbidden",
  "invoice_not_found",
  "invoice_not_refundable",
  "invoice_changed",
  "invalid_refund_amount",
  "invalid_reason",
  "invalid_idempotency_key",
  "refund_failed",
  "refund_unknown",
  "refund_pending_unknown",
  "refund_state_conflict",
  "no_provider",
  "provider_session_expired"
] as const

/** Why nothing is simulated. */
export const simulateCodes = [
  "forbidden",
  "invoice_not_found",
  "not_sandbox",
  "invalid_status",
  "invoice_not_open",
  "invoice_changed"
] as const

const create = HttpApiEndpoint.post("create", "/invoices", {
  headers: Requests.IdempotencyHeader,
  payload: Wire.InvoiceCreate,
  success: [Wire.Invoice.pipe(HttpApiSchema.status(201)), Wire.InvoiceReplay],
  error: errors(...accessCodes, ...bodyCodes, ...createCodes)
})
  .annotateMerge(does("Create an invoice", "invoices:write"))
  .annotate(
    OpenApi.Description,
    "201 with the new invoice; 200 with the earlier one and `idempotentReplay` if the idempotency key was used " +
      "before. The header wins over the member `idempotencyKey`. Where the earlier request asked for something else, " +
      "the answer carries the header `Idempotency-Mismatch: true`. Keys are the organization's: for one that has " +
      "made an invoice of another cashier than the API key's the answer is `forbidden`. After a 5xx, which names a " +
      "stored invoice in `X-Invoice-Id`, the same request with the same key is answered with a payable invoice once " +
      "there is one."
  )

const bulk = HttpApiEndpoint.post("bulk", "/invoices/bulk", {
  payload: Wire.BulkCreate,
  success: Wire.BulkResult,
  error: errors(...accessCodes, ...bodyCodes, "invalid_invoices")
}).annotateMerge(does("Create up to 100 invoices, each judged by itself", "invoices:write"))

const list = HttpApiEndpoint.get("list", "/invoices", {
  query: Requests.ListQuery,
  success: Wire.InvoicePage,
  error: errors(...accessCodes, ...listCodes)
}).annotateMerge(does("List invoices, newest first", "invoices:read"))

const get = HttpApiEndpoint.get("get", "/invoices/:id", {
  params: Requests.IdParam,
  query: Requests.LiveQuery,
  success: Wire.InvoiceDetail,
  error: errors(...accessCodes, "invalid_live", "forbidden", "invoice_not_found")
}).annotateMerge(does("Read an invoice with its events and refunds", "invoices:read"))

const cancel = HttpApiEndpoint.post("cancel", "/invoices/:id/cancel", {
  params: Requests.IdParam,
  success: Wire.CancelledInvoice,
  error: errors(...accessCodes, ...bodyCodes, ...cancelCodes)
}).annotateMerge(does("Close an open invoice", "invoices:write"))

const refund = HttpApiEndpoint.post("refund", "/invoices/:id/refund", {
  params: Requests.IdParam,
  headers: Requests.IdempotencyHeader,
  payload: [Wire.RefundCreate, HttpApiSchema.NoContent],
  success: [Wire.Invoice.pipe(HttpApiSchema.status(201)), Wire.InvoiceReplay],
  error: errors(...accessCodes, ...bodyCodes, ...refundCodes)
})
  .annotateMerge(does("Give back all or part of a payment", "refunds:write"))
  .annotate(
    OpenApi.Description,
    "Without an amount the whole remainder is refunded. A repeated request with the same `Idempotency-Key` refunds " +
      "once, and is answered with 200 and `idempotentReplay`; after `refund_failed` it is another try. A 5xx names " +
      "the record in `X-Refund-Id`. Never repeat " +
      "after `refund_unknown` or `refund_pending_unknown`: read the invoice first."
  )

const simulate = HttpApiEndpoint.post("simulate", "/invoices/:id/simulate", {
  params: Requests.IdParam,
  payload: Wire.Simulation,
  success: Wire.Invoice,
  error: errors(...accessCodes, ...bodyCodes, ...simulateCodes)
}).annotateMerge(does("Sandbox: pretend that the customer paid, failed to pay, or let it expire", "invoices:write"))

/** Everything about invoices. */
export const invoices = HttpApiGroup.make("invoices")
  .add(create, bulk, list, get, cancel, refund, simulate)
  .annotateMerge(
    OpenApi.annotations({
      description: "Invoices, their refunds, and the sandbox. Every path also answers under the older name `/orders`."
    })
  )
