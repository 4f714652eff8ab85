/** Wire schemas of payment links. */
import { maxLinkText } from "@tolem/core/paymentlink/LinkRequests"
import { Ask, LinkStatus, linkBounds, slugForm } from "@tolem/core/paymentlink/PaymentLink"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { amount, customerInput, DateTime, id, line, money, optional, page, returnUrl, text, upTo } from "./Members.ts"

const typed = "Tenge (KZT); null: the customer types it"
const slug = Schema.String.annotate({
  pattern: slugForm.source,
  description: "3 to 64 of a-z, 0-9 and hyphens; of one link in the whole service"
})

const ask = Ask.annotate({ description: "Whether customers are asked for it; `off`: the page has no such field" })
const count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const pictureUrl = text.annotate({
  description: "Where its picture is, a JPEG of 1200 pixels a side at most; null: it has none"
})

const asked = {
  minAmount: Schema.NullOr(money),
  maxAmount: Schema.NullOr(money),
  presets: Schema.Array(money).annotate({ description: "Amounts that are offered where the customer types one" }),
  fields: Schema.Struct({ name: ask, phone: ask, email: ask, comment: ask }).annotate({ identifier: "AskedFields" })
}

/** What the invoices of a link come to. */
export const LinkTotals = Schema.Struct({
  invoices: count,
  payments: count.annotate({ description: "Invoices that were paid, whatever was refunded since" }),
  paidAmount: Schema.Number.annotate({ description: "Tenge (KZT) that were paid, late money included" }),
  refundedAmount: Schema.Number.annotate({ description: "Tenge (KZT) of it that were refunded" }),
  placesLeft: Schema.NullOr(count).annotate({ description: "Payments that it still takes; null: any number" }),
  placesBeyond: count.annotate({ description: "Payments beyond `maxPayments`, by late money" })
}).annotate({ identifier: "LinkTotals" })

/** A public address at which any visitor can have an invoice made. */
export const PaymentLink = Schema.Struct({
  id: id("lnk"),
  mode: Mode,
  status: LinkStatus,
  slug,
  url: Schema.String.annotate({ format: "uri", description: "Where customers reach it" }),
  title: Schema.String,
  description: text,
  pictureUrl,
  amount: Schema.NullOr(money).annotate({ description: typed }),
  currency: Schema.Literal("KZT"),
  ...asked,
  thankYou: text,
  maxPayments: Schema.NullOr(count).annotate({ description: "How many payments it takes in all; null: any number" }),
  opensAt: Schema.NullOr(DateTime),
  closesAt: Schema.NullOr(DateTime),
  totals: LinkTotals,
  successUrl: returnUrl,
  failUrl: returnUrl,
  createdAt: DateTime,
  updatedAt: DateTime
}).annotate({ identifier: "PaymentLink" })
/** See the schema of the same name. */
export type PaymentLink = typeof PaymentLink.Type

/** The links of the key's organization and mode, oldest first. */
export const PaymentLinkList = Schema.Struct({ links: Schema.Array(PaymentLink) }).annotate({
  identifier: "PaymentLinkList"
})

const title = line(maxLinkText)

const members = {
  description: optional(upTo(maxLinkText)),
  picture: Schema.optionalKey(
    text.annotate({
      description: "A PNG, JPEG or WebP file up to 256 KiB in base64, which is drawn anew; null: no picture any more"
    })
  ),
  amount: Schema.optionalKey(Schema.NullOr(amount).annotate({ description: typed })),
  minAmount: optional(amount),
  maxAmount: optional(amount),
  presets: optional(Schema.Array(amount).check(Schema.isMaxLength(linkBounds.presets))),
  fields: optional(
    Schema.Struct({
      name: Schema.optionalKey(ask),
      phone: Schema.optionalKey(ask),
      email: Schema.optionalKey(ask),
      comment: Schema.optionalKey(ask)
    })
  ),
  thankYou: optional(upTo(linkBounds.thankYou)),
  maxPayments: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: linkBounds.maxPayments }))),
  opensAt: optional(DateTime),
  closesAt: optional(DateTime),
  successUrl: optional(page),
  failUrl: optional(page),
  status: Schema.optionalKey(LinkStatus)
}

/** A new link. Without a slug it gets one made up. */
export const PaymentLinkCreate = Schema.Struct({
  title,
  slug: optional(slug),
  ...members
}).annotate({
  identifier: "PaymentLinkCreate",
  examples: [{ title: "Yoga in the park", amount: 3000, fields: { name: "required" }, maxPayments: 20 }]
})

/** What to change of a link; absent members stay. A status pauses or resumes it. */
export const PaymentLinkPatch = Schema.Struct({
  title: Schema.optionalKey(title),
  slug: Schema.optionalKey(slug),
  ...members
}).annotate({ identifier: "PaymentLinkPatch", examples: [{ status: "paused" }] })

/** A link as visitors see it. */
export const LinkOffer = Schema.Struct({
  title: Schema.String,
  description: text,
  pictureUrl,
  amount: Schema.NullOr(money).annotate({ description: typed }),
  currency: Schema.Literal("KZT"),
  ...asked,
  sellerName: Schema.String
}).annotate({ identifier: "LinkOffer" })

/** What a visitor sends to a link to have an invoice made. */
export const LinkPayment = Schema.Struct({
  amount: optional(amount),
  customer: customerInput,
  comment: optional(upTo(linkBounds.comment))
}).annotate({ identifier: "LinkPayment", examples: [{ customer: { name: "Aliya" } }] })

/** What the form of a link's page sends. */
export const LinkForm = Schema.Struct({
  amount: Schema.optionalKey(Schema.String.annotate({ description: "Tenge, as people type it" })),
  preset: Schema.optionalKey(
    Schema.String.annotate({ description: "An amount that was offered; empty: see `amount`" })
  ),
  name: Schema.optionalKey(Schema.String),
  phone: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Schema.String),
  comment: Schema.optionalKey(Schema.String),
  ticket: Schema.optionalKey(
    Schema.String.annotate({
      description: "Of one rendering of the page: what is sent with it twice makes one invoice"
    })
  )
}).annotate({ identifier: "LinkForm", examples: [{ amount: "3 500" }] })
