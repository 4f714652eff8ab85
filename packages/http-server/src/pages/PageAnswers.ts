/** Answers that hold a page or an image, with the headers that keep them from doing or being more than that. */
import type { Picture } from "@tolem/core/picture/Picture"
import type { Html } from "@tolem/core/value/Html"
import { Effect } from "effect"
import type { Digest } from "effect/crypto"
import { HttpServerResponse } from "effect/http"
import type { Language } from "./Language.ts"
import { documentOf, type Page } from "./Layout.ts"
import { script } from "./MinifiedScript.ts"
import { sourceOf } from "./PolicySource.ts"
import { fieldStyle, style } from "./Style.ts"

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
 * The answer for pages. Its policy lets nothing run or be loaded but the one script, the styles, and what this
 * server itself serves as image or status, and forms go to this server; it may be framed by the sites that the page
 * names, if any, and is not cached.
 */
export const make: Effect.Effect<Answer, never, Digest.Digest> = Effect.gen(function* () {
  const scripts = yield* sourceOf(script)
  const styles = yield* sourceOf(style)
  const fieldStyles = yield* sourceOf(fieldStyle)
  const policyOf = ({ hasForm = false, hasFields = false, theme, sheet, frames = [] }: Page) =>
    [
      "default-src 'none'",
      `script-src ${scripts}`,
      ["style-src", styles, hasFields ? fieldStyles : "", theme?.source ?? "", sheet?.source ?? ""]
        .filter((each) => each !== "")
        .join(" "),
      "img-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      `form-action ${hasForm ? "'self'" : "'none'"}`,
      `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(" ")}`
    ].join("; ")
  return (page, language, status = 200, headers = {}) =>
    HttpServerResponse.text(documentOf(page, language), {
      status,
      contentType: "text/html; charset=utf-8",
      headers: {
        ...always,
        "content-security-policy": policyOf(page),
        ...(page.frames?.length ? {} : { "x-frame-options": "DENY" }),
        "cache-control": "no-store",
        "content-language": language,
        vary: "Accept-Language",
        ...headers
      }
    })
})

/** A picture whose address names what it holds: kept for ever. Any site may show it. */
export const picture = ({ bytes, contentType }: Picture): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(bytes, {
    contentType,
    headers: { ...always, ...imageOnly, "cache-control": "public, max-age=31536000, immutable" }
  })

/** Bytes with a name that changes with them. */
export interface Named {
  readonly bytes: Uint8Array
  readonly name: string
}

/** A PNG that was drawn for messengers, kept for some minutes; nothing is sent to who has it. */
export const preview = ({ bytes, name }: Named, held: string | undefined): HttpServerResponse.HttpServerResponse => {
  const headers = { ...always, ...imageOnly, "cache-control": "public, max-age=300", etag: `"${name}"` }
  const isHeld = held?.includes(`"${name}"`) === true
  return isHeld
    ? HttpServerResponse.empty({ status: 304, headers })
    : HttpServerResponse.uint8Array(bytes, { contentType: "image/png", headers })
}

/** An SVG image, by default kept for a minute. Any site may show it; a browser that opens it runs nothing. */
export const image = (svg: Html, keptSeconds: number = imageSeconds): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(String(svg), {
    contentType: "image/svg+xml",
    headers: {
      ...always,
      ...imageOnly,
      "cache-control": `public, max-age=${keptSeconds}`
    }
  })

/** A script for pages of other sites. They are shown the newest soon, and are not sent again what they have. */
export const foreignScript = (script: Html): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(String(script), {
    contentType: "text/javascript; charset=utf-8",
    headers: {
      ...always,
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      "cache-control": `public, max-age=${scriptSeconds}`
    }
  })

const scriptSeconds = 600

/** Headers of what is an image and nothing else, wherever it is opened. */
const imageOnly: Headers = {
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  "x-frame-options": "DENY",
  "cross-origin-resource-policy": "cross-origin"
}

/** Headers of whatever is public. */
const always: Headers = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow"
}

/** The code of an invoice does not change, but the invoice may go. */
const imageSeconds = 60
