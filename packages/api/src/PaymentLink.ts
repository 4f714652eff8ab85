/** Wire schemas of payment links. */
import { LinkStatus } from "@tolem/core/paymentlink/PaymentLink"
import { Mode } from "@tolem/core/value/Mode"
import { Schema } from "effect"
import { amount, DateTime, optionalText, text } from "./Members.ts"

const fixedAmount = Schema.NullOr(amount).annotate({ description: "Tenge (KZT); null: the customer types it" })
const slug = Schema.String.annotate({
  description: "3 to 64 of a-z, 0-9 and hyphens; of one link in the whole service"
})

/** A public address at which any visitor can have an invoice made. */
export const PaymentLink = Schema.Struct({
  id: Schema.String.annotate({ description: "`lnk_` and an opaque identifier" }),
  mode: Mode,
  status: LinkStatus,
  slug,
  url: Schema.String.annotate({ description: "Where customers reach it" }),
  title: Schema.String,
  description: text,
  amount: fixedAmount,
  currency: Schema.Literal("KZT"),
  successUrl: text,
  failUrl: text,
  createdAt: DateTime,
  updatedAt: DateTime
}).annotate({ identifier: "PaymentLink" })
/** See the schema of the same name. */
export type PaymentLink = typeof PaymentLink.Type

/** The links of the key's organization and mode, oldest first. */
export const PaymentLinkList = Schema.Struct({ links: Schema.Array(PaymentLink) }).annotate({
  identifier: "PaymentLinkList"
})

const members = {
  description: optionalText,
  amount: Schema.optionalKey(fixedAmount),
  successUrl: optionalText,
  failUrl: optionalText,
  status: Schema.optionalKey(LinkStatus)
}

/** A new link. Without a slug it gets one made up. */
export const PaymentLinkCreate = Schema.Struct({
  title: Schema.String,
  slug: Schema.optionalKey(Schema.NullOr(slug)),
  ...members
}).annotate({ identifier: "PaymentLinkCreate" })

/** What to change of a link; absent members stay. A status pauses or resumes it. */
export const PaymentLinkPatch = Schema.Struct({
  title: Schema.optionalKey(Schema.String),
  slug: Schema.optionalKey(slug),
  ...members
}).annotate({ identifier: "PaymentLinkPatch" })
