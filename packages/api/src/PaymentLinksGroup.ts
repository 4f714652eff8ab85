/** The contract of `/payment-links`: requests, answers, errors and scopes of each endpoint. */
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { amountCodes } from "./InvoicesGroup.ts"
import * as Wire from "./PaymentLink.ts"
import { kindOf, resource } from "./Resource.ts"

/** What payment links are to the contract. */
export const linkKind = kindOf({
  body: {
    one: Wire.PaymentLink,
    made: Wire.PaymentLink,
    all: Wire.PaymentLinkList,
    create: Wire.PaymentLinkCreate,
    patch: Wire.PaymentLinkPatch
  },
  codes: {
    find: ["forbidden", "link_not_found"],
    field: [
      "invalid_slug",
      "invalid_title",
      "invalid_description",
      "invalid_picture",
      "pictures_unavailable",
      ...amountCodes,
      "invalid_min_amount",
      "invalid_max_amount",
      "invalid_presets",
      "invalid_fields",
      "invalid_thank_you",
      "invalid_max_payments",
      "invalid_opens_at",
      "invalid_closes_at",
      "invalid_url",
      "invalid_status",
      "slug_taken"
    ],
    create: ["too_many_links"],
    patch: []
  },
  scopes: { reading: ["invoices:read", "invoices:write"], writing: ["invoices:write"] },
  summaries: {
    list: "List the payment links of the key's organization and mode",
    create: "Add a payment link; its invoices are new until their page is opened",
    get: "Read a payment link",
    patch: "Change, pause or resume a payment link; absent members stay",
    remove: "Remove a payment link; its invoices stay payable"
  }
})

/** Payment links. */
export const paymentLinks = HttpApiGroup.make("paymentLinks")
  .annotate(OpenApi.Description, "Public addresses at which any visitor can have an invoice made.")
  .add(...resource("/payment-links", linkKind))
