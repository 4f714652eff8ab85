/** Payment links as answers show them (decided here: the specification has no shapes). Pure. */
import { toIso } from "../value/Calendar.ts"
import { toTenge } from "../value/Money.ts"
import type { PaymentLink } from "./PaymentLink.ts"
import type { PaymentLinkSettings } from "./PaymentLinkSettings.ts"
import type { LinkOffer } from "./PaymentLinks.ts"

// Customers reach the link there.
const linkUrl = (slug: string, settings: PaymentLinkSettings): string => `${settings.baseUrl}/l/${slug}`

/** A link as its merchant sees it. `amount` is null if the customer types it. */
const linkJson = (link: PaymentLink, settings: PaymentLinkSettings) => ({
  id: link.id,
  mode: link.mode,
  status: link.status,
  slug: link.slug,
  url: linkUrl(link.slug, settings),
  title: link.title,
  description: link.description,
  amount: link.amount === null ? null : toTenge(link.amount),
  currency: "KZT" as const,
  successUrl: link.successUrl,
  failUrl: link.failUrl,
  createdAt: toIso(link.createdAt),
  updatedAt: toIso(link.updatedAt)
})

/** A link as visitors see it. */
export const offerJson = ({ link, sellerName }: LinkOffer) => ({
  title: link.title,
  description: link.description,
  amount: link.amount === null ? null : toTenge(link.amount),
  currency: "KZT" as const,
  sellerName
})

/** How answers show links: one, one that was just made, and all. */
export const linkFace = (settings: PaymentLinkSettings) => {
  const one = (link: PaymentLink) => linkJson(link, settings)
  return { one, made: one, all: (links: ReadonlyArray<PaymentLink>) => ({ links: links.map(one) }) }
}
