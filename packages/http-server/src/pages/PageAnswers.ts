/** Answers that hold a page or an image, with the headers that keep them from doing or being more than that. */
import type { Html } from "@tolem/core/value/Html"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import type { Language } from "./Language.ts"
import { documentOf, type Page } from "./Layout.ts"
import { script } from "./Script.ts"
import { style } from "./Style.ts"

/** Further headers of an answer. */
export type Headers = Readonly<Record<string, string>>

/** Makes the answer that holds a page. */
export type Answer = (
  page: Page,
  language: Language,
  status?: number,
  headers?: Headers
) => HttpServerResponse.HttpServerResponse

/**
 * The answer for pages. Its policy lets nothing run or be loaded but the one script, the one style, and what this
 * server itself serves as image or status, and forms go to this server; it may not be framed, and is not cached.
 */
export const make: Effect.Effect<Answer, never, Digest.Digest> = Effect.gen(function* () {
  const scripts = yield* sourceOf(script)
  const styles = yield* sourceOf(style)
  const policyOf = (forms: "'self'" | "'none'") =>
    [
      "default-src 'none'",
      `script-src ${scripts}`,
      `style-src ${styles}`,
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      `form-action ${forms}`,
      "frame-ancestors 'none'"
    ].join("; ")
  const policies = { still: policyOf("'none'"), forms: policyOf("'self'") }
  return (page, language, status = 200, headers = {}) =>
    HttpServerResponse.text(documentOf(page, language), {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        ...always,
        "content-security-policy": page.hasForm === true ? policies.forms : policies.still,
        "x-frame-options": "DENY",
        "cache-control": "no-store",
        "content-language": language,
        vary: "Accept-Language",
        ...headers
      }
    })
})

/** An SVG image, by default kept for a minute. Any site may show it; a browser that opens it runs nothing. */
export const image = (svg: Html, keptSeconds: number = imageSeconds): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(String(svg), {
    contentType: "image/svg+xml",
    headers: {
      ...always,
      "content-security-policy":
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
      "x-frame-options": "DENY",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": `public, max-age=${keptSeconds}`
    }
  })

/** Headers of whatever is public. */
const always: Headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow"
}

/** The code of an invoice does not change, but the invoice may go. */
const imageSeconds = 60

const sourceOf = (inline: Html): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((digest) =>
    Effect.map(
      digest.digest(Digest.sha256, new TextEncoder().encode(String(inline))),
      (bytes) => `'sha256-${Base64.encode(bytes)}'`
    )
  )
