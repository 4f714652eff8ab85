/** Whether what changes something was sent by a page of the service itself, as far as a browser tells. */
import type { HttpServerRequest } from "effect/http"

/**
 * Whether no other site has made the request. Browsers let no page set these headers, and tell at least one with each
 * request that changes something; a program that is no browser tells none, and is let in: there is nothing that it
 * would send along for another. `Origin: null` says no more than that the page hides its address, as ours do.
 */
export const isOfNoOtherSite = ({ headers }: HttpServerRequest.HttpServerRequest, baseUrl: string): boolean => {
  const { origin, host, "sec-fetch-site": site } = headers
  if (site !== undefined) return site === "same-origin" || site === "none"
  if (origin === undefined || origin === "null") return true
  const from = URL.parse(origin)
  return from !== null && (from.origin === URL.parse(baseUrl)?.origin || from.host === host)
}
