/**
 * The addresses that customers reach without a key: pages, images, payment links and forms. The server's pages serve
 * them; this says what they take and answer, for the OpenAPI document.
 */

import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { always, bodyCodes, errors } from "./Errors.ts"
import { amountCodes, customerCodes, offerCodes } from "./InvoicesGroup.ts"
import { DateTime, id } from "./Members.ts"
import * as Links from "./PaymentLink.ts"

const visitorCodes = ["invalid_request", "request_rate_limited", ...always] as const
const pageCodes = ["invoice_not_found", ...visitorCodes] as const

const page = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html" }))
/** Problems are told by pages too: nothing there, too many views, a storage that is away. */
const problems = [404, 429, 503].map((status) => page.pipe(HttpApiSchema.status(status)))
const png = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "image/png" }))
const svg = Schema.String.pipe(HttpApiSchema.asText({ contentType: "image/svg+xml" }))

const InvoiceParam = { id: id("inv") }
const LanguageQuery = { lang: Schema.optionalKey(Schema.Literals(["kk", "ru", "en"])) }

const Made = Schema.Struct({ invoiceId: id("inv"), payUrl: Schema.String.annotate({ format: "uri" }) }).annotate({
  identifier: "MadeInvoice"
})

/** What a form may send; of several names for one thing the first that is filled in counts. */
const Form = Schema.Struct({
  amount: Schema.optionalKey(Schema.String.annotate({ description: "Tenge, as people type it; or `sum`, or `price`" })),
  phone: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Schema.String),
  name: Schema.optionalKey(Schema.String),
  comment: Schema.optionalKey(Schema.String),
  lang: Schema.optionalKey(Schema.Literals(["kk", "ru", "en"]))
}).annotate({ identifier: "Form", examples: [{ amount: "1500", name: "Aliya", comment: "Order 1001" }] })

const pages = HttpApiGroup.make("pages")
  .add(
    HttpApiEndpoint.get("pay", "/pay/:id", {
      params: InvoiceParam,
      query: LanguageQuery,
      success: page,
      error: problems
    })
      .annotate(OpenApi.Summary, "The pay page of an invoice")
      .annotate(OpenApi.Description, "Where `payUrl` leads to. Problems are told by pages too, in the same language."),
    HttpApiEndpoint.get("status", "/pay/:id/status", {
      params: InvoiceParam,
      success: Schema.Struct({ status: InvoiceStatus, expiresAt: Schema.NullOr(DateTime) }).annotate({
        identifier: "PageStatus"
      }),
      error: errors(...pageCodes, "too_many_waiting")
    }).annotate(OpenApi.Summary, "What an open pay page asks for"),
    HttpApiEndpoint.get("qrImage", "/pay/:id/qr.svg", { params: InvoiceParam, success: svg, error: problems }).annotate(
      OpenApi.Summary,
      "The QR code of an invoice as an image, which any site may show"
    ),
    HttpApiEndpoint.get("preview", "/pay/:id/preview.png", {
      params: InvoiceParam,
      query: LanguageQuery,
      success: [png, HttpApiSchema.Empty(304)],
      error: errors("route_not_found", ...visitorCodes)
    }).annotate(OpenApi.Summary, "What messengers show of a pay page, as an image"),
    HttpApiEndpoint.get("receipt", "/receipts/:id", {
      params: InvoiceParam,
      query: LanguageQuery,
      success: page,
      error: problems
    }).annotate(OpenApi.Summary, "The receipt of a paid invoice"),
    HttpApiEndpoint.get("picture", "/pictures/:name", {
      params: { name: Schema.String.check(Schema.isPattern(/^[0-9a-f]{40}$/)) },
      success: png,
      error: errors("route_not_found", ...visitorCodes)
    }).annotate(OpenApi.Summary, "A merchant's logo, or the picture of a payment link, which any site may show")
  )
  .annotate(OpenApi.Description, "What customers see. No key is needed; requests are counted by address.")

/** Errors as JSON for programs, and as pages for people. */
const told = <const Codes extends ReadonlyArray<Code>>(...codes: Codes) => [
  ...errors(...codes),
  ...[...new Set(codes.map((code) => entry(code).status))].map((status) => page.pipe(HttpApiSchema.status(status)))
]

const linkCodes = [
  "link_invalid",
  "link_paused",
  "link_not_open",
  "link_closed",
  "link_sold_out",
  ...visitorCodes
] as const

const askedCodes = ["phone_required", "invalid_comment", "name_required", "email_required", "comment_required"] as const

const forms = HttpApiGroup.make("forms")
  .add(
    HttpApiEndpoint.get("link", "/l/:slug", {
      params: { slug: Schema.String },
      query: LanguageQuery,
      success: [Links.LinkOffer, page],
      error: told(...linkCodes)
    })
      .annotate(OpenApi.Summary, "What a payment link asks for")
      .annotate(OpenApi.Description, "JSON for programs, and a page with a form for who asks for `text/html`."),
    HttpApiEndpoint.get("poster", "/l/:slug/poster", {
      params: { slug: Schema.String },
      query: { size: Schema.optionalKey(Schema.Literals(["a4", "a6"])), ...LanguageQuery },
      success: page,
      error: [410, 429, 503].map((status) => page.pipe(HttpApiSchema.status(status)))
    }).annotate(OpenApi.Summary, "A sheet to print, with the code of a payment link"),
    HttpApiEndpoint.get("linkPreview", "/l/:slug/preview.png", {
      params: { slug: Schema.String },
      query: LanguageQuery,
      success: [png, HttpApiSchema.Empty(304)],
      error: errors("route_not_found", ...visitorCodes)
    }).annotate(OpenApi.Summary, "What messengers show of a payment link, as an image"),
    HttpApiEndpoint.post("payLink", "/l/:slug", {
      params: { slug: Schema.String },
      query: LanguageQuery,
      payload: [Links.LinkPayment, Links.LinkForm.pipe(HttpApiSchema.asFormUrlEncoded())],
      success: [Made.pipe(HttpApiSchema.status(201)), HttpApiSchema.Empty(303)],
      error: told(
        ...linkCodes,
        ...askedCodes,
        "cross_site_request",
        ...bodyCodes,
        ...amountCodes,
        ...customerCodes,
        ...offerCodes
      )
    })
      .annotate(OpenApi.Summary, "Have an invoice made by a payment link")
      .annotate(
        OpenApi.Description,
        "A form is what the link's own page sends: people are led to the pay page, wrong input comes back as that page."
      ),
    HttpApiEndpoint.post("submitForm", "/f/:id", {
      params: { id: id("hok") },
      query: { redirect: Schema.optionalKey(Schema.Literal("1")), ...LanguageQuery },
      payload: Form.pipe(HttpApiSchema.asFormUrlEncoded()),
      success: [
        Schema.Struct({ ok: Schema.Literal(true), ...Made.fields }).annotate({ identifier: "SubmittedForm" }),
        page,
        HttpApiSchema.Empty(302),
        HttpApiSchema.Empty(303)
      ],
      error: told(
        "hook_not_found",
        "hook_paused",
        "form_refused",
        "form_required",
        "payload_too_large",
        ...visitorCodes,
        ...amountCodes,
        ...customerCodes,
        "invalid_description",
        ...offerCodes
      )
    })
      .annotate(OpenApi.Summary, "Have an invoice made by a form on the merchant's own site")
      .annotate(
        OpenApi.Description,
        [
          "With `redirect=1` browsers are sent on to the pay page. People, whose browsers ask for `text/html`, get a",
          "form that is wrong back as a page, or are sent to the hook's `failUrl` with the parameter `error`."
        ].join(" ")
      )
  )
  .annotate(OpenApi.Description, "Addresses that customers and forms send to without a key.")

/** The public addresses. */
export const PublicApi = HttpApi.make("tolem-public").add(pages, forms)
