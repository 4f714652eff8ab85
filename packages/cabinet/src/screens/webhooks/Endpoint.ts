/** Webhook endpoints, and how well they do. */
import type { Answer } from "../../api/Contract.ts"
import type { EventName } from "../../texts/WebhooksTexts.ts"

/** An endpoint, as the server tells of it. */
export type Endpoint = Answer<"GET /panel/orgs/:organizationId/webhook-endpoints">["endpoints"][number]

/** One that was just made, or has a new secret. */
export type EndpointWithSecret = Answer<"POST /panel/orgs/:organizationId/webhook-endpoints">

/** The events that may be chosen. */
export const chosenEvents = [
  "invoice.paid",
  "invoice.failed",
  "invoice.expired",
  "invoice.cancelled",
  "invoice.refunded",
  "invoice.partially_refunded"
] as const satisfies ReadonlyArray<EventName>

/** How it does: switched off by a person, resting after failures, failing, or well. Pure. */
export const stateOf = ({ disabled, failureCount, pausedUntil }: Endpoint, now: number) => {
  if (disabled) return "off"
  if (pausedUntil !== null && Date.parse(pausedUntil) > now) return "rests"
  return failureCount > 0 ? "fails" : "works"
}

/** The colour of each. */
export const stateTones = { works: "good", off: "calm", rests: "bad", fails: "wait" } as const

/** An address without what all have alike, as names of it go: `shop.kz/hooks`. Pure. */
export const shortAddress = (url: string): string => {
  const { host, pathname, search } = new URL(url)
  return `${host}${pathname === "/" ? "" : pathname}${search}`
}
