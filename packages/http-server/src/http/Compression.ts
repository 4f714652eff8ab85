/**
 * Answers as small as the client can take them: compressed (br or gzip), and not sent again to those who have them.
 * What caches may keep has an entity tag; what they may not keep needs none.
 */
import { hash } from "node:crypto"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"

type Response = HttpServerResponse.HttpServerResponse
/** What answers are compressed with. */
export type Encoding = "br" | "gzip"

/** Within one packet: to be smaller gains nothing. Most answers of the interface are, so that they cost nothing. */
const minBytes = 1400

/** What is larger and made anew each time is for programs nearby: it would take a core for tenths of a second. */
const maxBytes = 2 ** 20

/** The answer to `request`. `isShared`: all requests get the same bytes, which are compressed once, and better. */
export const fitted = (
  { method, headers }: HttpServerRequest.HttpServerRequest,
  response: Response,
  isShared: boolean
): Effect.Effect<Response> => {
  const { body, status } = response
  if (body._tag !== "Uint8Array" || status === 304) return Effect.succeed(response)
  const isKept = status === 200 && (method === "GET" || method === "HEAD") && mayBeKept(response)
  const { byteLength } = body.body
  const isSmall = byteLength < minBytes || (byteLength > maxBytes && !isShared)
  if ((isSmall && !isKept) || !isText.test(body.contentType ?? "")) return Effect.succeed(response)
  const tagged = isKept ? { etag: tagOf(body.body) } : {}
  const vary = [response.headers["vary"], "Accept-Encoding"].filter((name) => name !== undefined).join(", ")
  const told = HttpServerResponse.setHeaders(response, { ...tagged, vary })
  if (isKept && isNamed(headers["if-none-match"], tagged.etag)) {
    return Effect.succeed(HttpServerResponse.empty({ status: 304, headers: withoutLength(told.headers) }))
  }
  const encoding = isSmall ? null : acceptedEncoding(headers["accept-encoding"])
  if (encoding === null || response.headers["content-encoding"] !== undefined) return Effect.succeed(told)
  return Effect.map(
    isShared ? once(body.body, encoding) : Effect.promise(() => shrink(body.body, encoding, 4)),
    (bytes) =>
      HttpServerResponse.setHeader(
        HttpServerResponse.setBody(told, HttpBody.uint8Array(bytes, body.contentType)),
        "content-encoding",
        encoding
      )
  )
}

const isText = /^(text\/|image\/svg\+xml|application\/(?:[a-z.+-]+\+)?(?:json|javascript|xml)\b)/i

const mayBeKept = ({ headers }: Response): boolean =>
  headers["cache-control"] !== undefined && !headers["cache-control"].includes("no-store")

const withoutLength = ({ "content-length": _, "content-type": __, ...headers }: Readonly<Record<string, string>>) =>
  headers

/** The better of the two encodings that the client takes; null: neither. */
export const acceptedEncoding = (header: string | undefined): Encoding | null => {
  const refuses = (name: string) => new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`, "i").test(header ?? "")
  const takes = (name: string) => new RegExp(`(^|[\\s,])${name}\\s*(;|,|$)`, "i").test(header ?? "") && !refuses(name)
  return takes("br") ? "br" : takes("gzip") ? "gzip" : null
}

// Weak: the bytes that are sent differ with the encoding.
const tags = new WeakMap<Uint8Array, string>()
const tagOf = (bytes: Uint8Array): string => {
  const known = tags.get(bytes) ?? `W/"${hash("sha256", bytes, "base64url").slice(0, 22)}"`
  tags.set(bytes, known)
  return known
}

/** Whether the client has it: its header names the tag, or any. */
const isNamed = (header = "", tag = ""): boolean =>
  header.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === tag.slice(2))

const withBrotli = promisify(brotliCompress)
const withGzip = promisify(gzip)

const shrink = (bytes: Uint8Array, encoding: Encoding, quality: number): Promise<Uint8Array> =>
  encoding === "gzip"
    ? withGzip(bytes, { level: quality })
    : withBrotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: quality,
          [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength
        }
      })

const shrunk = new WeakMap<Uint8Array, Map<Encoding, Promise<Uint8Array>>>()

const once = (bytes: Uint8Array, encoding: Encoding): Effect.Effect<Uint8Array> =>
  Effect.promise(() => {
    const known = shrunk.get(bytes) ?? new Map<Encoding, Promise<Uint8Array>>()
    shrunk.set(bytes, known)
    const made = known.get(encoding) ?? shrink(bytes, encoding, 9)
    known.set(encoding, made)
    return made
  })
