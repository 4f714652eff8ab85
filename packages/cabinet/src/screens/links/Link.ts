/** A payment link as the cabinet has it. Pure. */
import type { Answer } from "../../api/Contract.ts"
import { serverPath } from "../../browser/Place.ts"
import type { LinkState } from "../../texts/LinksTexts.ts"

/** A link. */
export type ShownLink = Answer<"GET /panel/orgs/:organizationId/payment-links/:id">

/** The calls about links that tell of them. */
export const linkCalls = "GET /panel/orgs/:organizationId/payment-links"

/** How it stands at an instant. */
export const linkStateOf = ({ status, opensAt, closesAt, totals }: ShownLink, now: number): LinkState => {
  if (closesAt !== null && now >= Date.parse(closesAt)) return "closed"
  if (status === "paused") return "paused"
  if (opensAt !== null && now < Date.parse(opensAt)) return "notOpen"
  return totals.placesLeft === 0 ? "soldOut" : "active"
}

/** The colour of that. */
export const toneOf = (state: LinkState) => (state === "active" ? "good" : state === "soldOut" ? "back" : "calm")

/** Where the page of a link is reached from here. */
export const pagePath = ({ slug }: ShownLink): string => `${serverPath}/l/${slug}`

/** The address as people read it. */
export const shortUrl = ({ url }: ShownLink): string => url.replace(/^https?:\/\//, "")
