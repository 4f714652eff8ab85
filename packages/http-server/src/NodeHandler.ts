/** The service as a handler of Node's own servers, and so of the frameworks that are built on them. */
import type { IncomingMessage, ServerResponse } from "node:http"
import { PassThrough, Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"
import type { FetchHandler } from "./WebHandler.ts"

/** A request of Node; Express adds the whole address where it is mounted, and the client's by its trusted proxies. */
interface NodeRequest extends IncomingMessage {
  readonly originalUrl?: string
  readonly ip?: string | undefined
}

/** Methods that Node knows and requests of the web refuse; the service has none of them. */
const unknownMethods = new Set(["CONNECT", "TRACE", "TRACK"])

const knownMethods = "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"

/**
 * The handler for `http.createServer`, `app.all` of Express, and what else has requests of Node. It reads bodies
 * itself: put it before any parser of bodies. Its promise is never rejected: Node would end the process for that.
 */
export const toNodeHandler =
  (handler: FetchHandler) =>
  async (request: NodeRequest, response: ServerResponse): Promise<void> => {
    try {
      await answered(handler, request, response)
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error))
      // An answer that was begun cannot become another one.
      if (response.headersSent) response.destroy()
      else response.writeHead(500).end()
    }
  }

const answered = async (handler: FetchHandler, request: NodeRequest, response: ServerResponse): Promise<void> => {
  if (unknownMethods.has(request.method ?? "")) {
    response.writeHead(405, { allow: knownMethods }).end()
    return
  }
  const left = new AbortController()
  response.once("close", () => left.abort())
  const asked = requestOf(request, left.signal)
  if (asked === undefined) {
    response.writeHead(400).end()
    return
  }
  const answer = await handler(asked, { address: request.ip ?? request.socket.remoteAddress })
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) {
    if (name !== "set-cookie") response.setHeader(name, value)
  }
  const cookies = answer.headers.getSetCookie()
  if (cookies.length > 0) response.setHeader("set-cookie", cookies)
  if (answer.body === null) response.end()
  // A client that has left takes no answer.
  else await pipeline(Readable.fromWeb(answer.body as ReadableStream), response).catch(() => undefined)
}

/** Undefined for an address that is none: the service is asked by paths only. */
const requestOf = (request: NodeRequest, signal: AbortSignal): Request | undefined => {
  const { method = "GET", url = "/", originalUrl = url } = request
  const address = URL.parse(`http://localhost${originalUrl}`)
  if (!originalUrl.startsWith("/") || address === null) return undefined
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(request.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  const body = method === "GET" || method === "HEAD" ? null : bodyOf(request)
  return new Request(address, { method, headers, body, signal, duplex: "half" } as RequestInit)
}

// What is not wanted of a body is read all the same: a client that is cut off while sending never sees the answer.
const bodyOf = (request: NodeRequest): RequestInit["body"] & object => {
  const body = new PassThrough()
  request.pipe(body)
  request.once("close", () => void (request.complete || body.destroy(new Error("the client has left"))))
  body.once("close", () => request.resume())
  return Readable.toWeb(body) as RequestInit["body"] & object
}
