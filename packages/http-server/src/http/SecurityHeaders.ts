/** The headers that keep browsers and caches from doing more with an answer than showing it once. */
import type { Settings } from "@tolem/core/engine/Settings"

type Headers = Readonly<Record<string, string>>

/** For answers that are no pages: they load nothing, are framed nowhere and are not cached. Pages say more exactly. */
const always: Headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "cache-control": "no-store"
}

/** Two years, as lists of browsers ask for. */
const secure: Headers = { ...always, "strict-transport-security": "max-age=63072000; includeSubDomains" }

/** What every answer carries that does not say otherwise. Where people reach the service by https, they always must. */
export const securityHeaders = ({ baseUrl }: Pick<Settings, "baseUrl">): Headers =>
  isSecure(baseUrl) ? secure : always

/** Whether people reach the service by https. */
export const isSecure = (baseUrl: string): boolean => /^https:/i.test(baseUrl)
