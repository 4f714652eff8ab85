/** The contract of `/payment-links`: requests, answers, errors and scopes of each endpoint. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { accessCodes, bodyCodes, errors } from "./Errors.ts"
import * as Wire from "./PaymentLink.ts"
import * as Requests from "./Requests.ts"
import { requires } from "./Security.ts"

const reading = requires("invoices:read", "invoices:write")
const writing = requires("invoices:write")

const findCodes = ["forbidden", "link_not_found"] as const

const fieldCodes = [
  "invalid_slug",
  "invalid_title",
  "invalid_description",
  "invalid_amount",
  "amount_too_small",
  "amount_too_large",
  "invalid_url",
  "invalid_status",
  "slug_taken"
] as const

/** Payment links. */
export const paymentLinks = HttpApiGroup.make("paymentLinks").add(
  HttpApiEndpoint.get("list", "/payment-links", {
    success: Wire.PaymentLinkList,
    error: errors(...accessCodes)
  })
    .annotateMerge(reading)
    .annotate(OpenApi.Summary, "List the payment links of the key's organization and mode"),
  HttpApiEndpoint.post("create", "/payment-links", {
    payload: Wire.PaymentLinkCreate,
    success: Wire.PaymentLink.pipe(HttpApiSchema.status(201)),
    error: errors(...accessCodes, ...bodyCodes, ...fieldCodes, "too_many_links")
  })
    .annotateMerge(writing)
    .annotate(OpenApi.Summary, "Add a payment link; its invoices are new until their page is opened"),
  HttpApiEndpoint.get("get", "/payment-links/:id", {
    params: Requests.IdParam,
    success: Wire.PaymentLink,
    error: errors(...accessCodes, ...findCodes)
  })
    .annotateMerge(reading)
    .annotate(OpenApi.Summary, "Read a payment link"),
  HttpApiEndpoint.patch("patch", "/payment-links/:id", {
    params: Requests.IdParam,
    payload: Wire.PaymentLinkPatch,
    success: Wire.PaymentLink,
    error: errors(...accessCodes, ...bodyCodes, ...findCodes, ...fieldCodes)
  })
    .annotateMerge(writing)
    .annotate(OpenApi.Summary, "Change, pause or resume a payment link; absent members stay"),
  HttpApiEndpoint.delete("remove", "/payment-links/:id", {
    params: Requests.IdParam,
    success: HttpApiSchema.NoContent,
    error: errors(...accessCodes, ...findCodes)
  })
    .annotateMerge(writing)
    .annotate(OpenApi.Summary, "Remove a payment link; its invoices stay payable")
)
