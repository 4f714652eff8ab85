/** Payment links as answers show them (decided here: the specification has no shapes). Pure. */
import { pictureUrl } from "../face/Profiles.ts"
import { toIso } from "../value/Calendar.ts"
import { sumToTenge, toTenge } from "../value/Money.ts"
import type { PaymentLink } from "./PaymentLink.ts"
import type { PaymentLinkSettings } from "./PaymentLinkSettings.ts"
import type { LinkOffer } from "./PaymentLinks.ts"

/** Customers reach the link there. */
export const linkUrl = (slug: string, settings: PaymentLinkSettings): string => `${settings.baseUrl}/l/${slug}`

/** The address of its picture; null: it has none. */
export const linkPictureUrl = ({ picture }: PaymentLink, { baseUrl }: PaymentLinkSettings): string | null =>
  picture === null ? null : pictureUrl(picture.name, baseUrl)

/** A link as its merchant sees it. `amount` is null if the customer types it. */
const linkJson = (link: PaymentLink, settings: PaymentLinkSettings) => ({
  id: link.id,
  mode: link.mode,
  status: link.status,
  slug: link.slug,
  url: linkUrl(link.slug, settings),
  title: link.title,
  description: link.description,
  pictureUrl: linkPictureUrl(link, settings),
  amount: link.amount === null ? null : toTenge(link.amount),
  currency: "KZT" as const,
  ...asked(link),
  thankYou: link.thankYou,
  maxPayments: link.maxPayments,
  opensAt: link.opensAt === null ? null : toIso(link.opensAt),
  closesAt: link.closesAt === null ? null : toIso(link.closesAt),
  totals: totalsJson(link),
  successUrl: link.successUrl,
  failUrl: link.failUrl,
  createdAt: toIso(link.createdAt),
  updatedAt: toIso(link.updatedAt)
})

// What customers may choose, and what they are asked for.
const asked = ({ minAmount, maxAmount, presets, fields }: PaymentLink) => ({
  minAmount: minAmount === null ? null : toTenge(minAmount),
  maxAmount: maxAmount === null ? null : toTenge(maxAmount),
  presets: presets.map(toTenge),
  fields
})

// Late money may come for more than the link takes: then that many payments are beyond.
const totalsJson = ({ maxPayments, totals: { made, held, paid, paidAmount, refunded } }: PaymentLink) => ({
  invoices: made,
  payments: paid,
  paidAmount: sumToTenge(paidAmount),
  refundedAmount: sumToTenge(refunded),
  placesLeft: maxPayments === null ? null : Math.max(0, maxPayments - held),
  placesBeyond: maxPayments === null ? 0 : Math.max(0, held - maxPayments)
})

/** A link as visitors see it. */
export const offerJson = ({ link, seller }: LinkOffer, settings: PaymentLinkSettings) => ({
  title: link.title,
  description: link.description,
  pictureUrl: linkPictureUrl(link, settings),
  amount: link.amount === null ? null : toTenge(link.amount),
  currency: "KZT" as const,
  ...asked(link),
  sellerName: seller.name ?? ""
})

/** How answers show links: one, one that was just made, and all. */
export const linkFace = (settings: PaymentLinkSettings) => {
  const one = (link: PaymentLink) => linkJson(link, settings)
  return { one, made: one, all: (links: ReadonlyArray<PaymentLink>) => ({ links: links.map(one) }) }
}
