/** Wire schemas of payment links. */
import { maxLinkText } from "@tolem/core/paymentlink/LinkRequests"
import { LinkStatus, slugForm } from "@tolem/core/paymentlink/PaymentLink"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { amount, customerInput, DateTime, id, line, money, optional, page, text, upTo, url } from "./Members.ts"

const typed = "Tenge (KZT); null: the customer types it"
const slug = Schema.String.annotate({
  pattern: slugForm.source,
  description: "3 to 64 of a-z, 0-9 and hyphens; of one link in the whole service"
})

/** A public address at which any visitor can have an invoice made. */
export const PaymentLink = Schema.Struct({
  id: id("lnk"),
  mode: Mode,
  status: LinkStatus,
  slug,
  url: Schema.String.annotate({ format: "uri", description: "Where customers reach it" }),
  title: Schema.String,
  description: text,
  amount: Schema.NullOr(money).annotate({ description: typed }),
  currency: Schema.Literal("KZT"),
  successUrl: url,
  failUrl: url,
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
  amount: Schema.optionalKey(Schema.NullOr(amount).annotate({ description: typed })),
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
  examples: [{ title: "Yoga in the park", amount: 3000 }]
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
  amount: Schema.NullOr(money).annotate({ description: typed }),
  currency: Schema.Literal("KZT"),
  sellerName: Schema.String
}).annotate({ identifier: "LinkOffer" })

/** What a visitor sends to a link to have an invoice made. */
export const LinkPayment = Schema.Struct({
  amount: optional(amount),
  customer: customerInput
}).annotate({ identifier: "LinkPayment", examples: [{ customer: { name: "Aliya" } }] })

/** What the form of a link's page sends. */
export const LinkForm = Schema.Struct({
  amount: Schema.optionalKey(Schema.String.annotate({ description: "Tenge, as people type it" })),
  ticket: Schema.optionalKey(
    Schema.String.annotate({
      description: "Of one rendering of the page: what is sent with it twice makes one invoice"
    })
  )
}).annotate({ identifier: "LinkForm", examples: [{ amount: "3 500" }] })
