/** The merchant's cabinet at `/cabinet/`: an application that a browser runs, which calls `/panel`. */
import { Engine } from "@tolem/core/engine/Engine"
import { Effect, type Layer } from "effect"
import { HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { acceptedEncoding } from "../http/Compression.ts"
import { shared } from "../http/RequestRoom.ts"
import { refuse } from "../http/Responses.ts"
import { reader, type SiteFile } from "./SiteFiles.ts"

/** `/cabinet` and what is under it. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter | Engine> = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { settings } = yield* Engine
    const read = yield* reader
    const base = () => new URL(settings.baseUrl).pathname.replace(/\/$/, "")

    // The page is small, so that it is told its folder each time and not kept in an encoding.
    const index = Effect.map(read(indexName, null), (file) =>
      file === null ? null : { ...file, bytes: placed(file.bytes, `${base()}/cabinet/`) }
    )

    const serve = Effect.gen(function* () {
      const { url, headers } = yield* HttpServerRequest.HttpServerRequest
      const path = url.replace(/[?#].*$/s, "").replace(/^\/+cabinet\//, "")
      const file = path === indexName ? null : yield* read(path, acceptedEncoding(headers["accept-encoding"]))
      if (file !== null) return answerOf(file, path.startsWith("assets/") ? forever : anew)
      // Every address of the application is the one page; what asks for anything else is told that it is not there.
      const page = isForPeople(path, headers["accept"]) ? yield* index : null
      return page === null ? refuse("route_not_found") : HttpServerResponse.setHeaders(answerOf(page, anew), policy)
    })
    const enter = (query: string) =>
      HttpServerResponse.empty({ status: 308, headers: { location: `${base()}/cabinet/${query}` } })

    // The router takes the path without a slash at its end for the same.
    yield* router.add(
      "GET",
      "/cabinet/*",
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
        const entry = /^\/+cabinet(\?.*)?$/s.exec(url)
        return entry === null ? shared(serve) : Effect.succeed(enter(entry[1] ?? ""))
      })
    )
  })
)

const indexName = "index.html"

const isForPeople = (path: string, accept: string | undefined): boolean =>
  accept?.includes("text/html") === true && !path.startsWith("assets/")

const answerOf = ({ bytes, type, encoding }: SiteFile, cacheControl: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(
    HttpServerResponse.setBody(HttpServerResponse.empty({ status: 200 }), HttpBody.uint8Array(bytes, type)),
    {
      "cache-control": cacheControl,
      ...(encoding !== null && { "content-encoding": encoding })
    }
  )

// Their names have a digest of what is in them.
const forever = "public, max-age=31536000, immutable"
const anew = "no-cache"

/** It runs and shows what comes from this server, and nothing that stands in the page itself. */
const policy = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()
const pages = new Map<string, Uint8Array>()

/** The page with the folder that it is served from in place of the relative one: it is shown at any depth. */
const placed = (bytes: Uint8Array, folder: string): Uint8Array => {
  const known = pages.get(folder) ?? encoder.encode(decoder.decode(bytes).replaceAll('="./', `="${folder}`))
  pages.set(folder, known)
  return known
}
