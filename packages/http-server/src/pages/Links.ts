/** Addresses from elsewhere that may stand behind a link; others are left out, whatever a browser would do. Pure. */
import { urlPlaceholder } from "@tolem/core/value/Checks"

/** The address in its normal form, where it is http or https; else null. */
export const webLink = (address: string | null): string | null => {
  const url = address === null ? null : URL.parse(address)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url.href : null
}

/** A merchant's address, checked, with what its placeholders stand for, encoded. Null if there is none. */
export const returnWith = (
  address: string | null,
  facts: Readonly<Record<"INVOICE_ID" | "STATUS", string>>
): string | null =>
  webLink(
    address?.replace(urlPlaceholder, (text, name: string) =>
      name === "INVOICE_ID" || name === "STATUS" ? encodeURIComponent(facts[name]) : text
    ) ?? null
  )

/**
 * The address where it opens a web page or an app: http, https, or `scheme://…` of an app of its own. Schemes that
 * browsers themselves act on are refused; null then.
 */
export const appLink = (address: string | null): string | null => {
  if (address === null) return null
  const url = URL.parse(address)
  if (url === null) return null
  const scheme = url.protocol.slice(0, -1)
  if (scheme === "http" || scheme === "https") return url.href
  return browserSchemes.has(scheme) || !url.href.startsWith(`${scheme}://`) ? null : url.href
}

const browserSchemes: ReadonlySet<string> = new Set([
  "about",
  "blob",
  "chrome",
  "chrome-extension",
  "data",
  "file",
  "filesystem",
  "ftp",
  "jar",
  "javascript",
  "livescript",
  "moz-extension",
  "resource",
  "vbscript",
  "view-source",
  "ws",
  "wss"
])

/** The path that an address of the service has, where a proxy serves it under a prefix too. */
export const pathOf = (url: string): string => URL.parse(url)?.pathname ?? url
