/** A Node server that answers even what never becomes a request in the one error shape, and that cannot be held up. */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import * as NodeInTurn from "./NodeInTurn.ts"
import * as RequestTurns from "./RequestTurns.ts"

/** Times and sizes of a connection. Durations are milliseconds. */
export interface ServerLimits extends NodeInTurn.TurnLimits {
  /** Of requests of one party, where several send. */
  readonly party: RequestTurns.PartyLimits
  /** For the head of a request to arrive. */
  readonly headersTimeoutMs: number
  /** For a whole request to arrive. */
  readonly requestTimeoutMs: number
  /** How often the two are checked. */
  readonly checkEveryMs: number
  /** How long an idle connection is kept. */
  readonly keepAliveMs: number
  readonly maxHeaderBytes: number
  /** Connections that may be open; the next one is cut at once. */
  readonly maxConnections: number
}

/** Limits that a service behind a proxy, or on its own, can live with. */
export const defaults: ServerLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  checkEveryMs: 1_000,
  keepAliveMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  // One that is idle takes some ten kilobytes; a proxy needs some hundreds.
  maxConnections: 10_000,
  // Some thousand small requests: more than any client sends ahead.
  aheadBytesOfConnection: 4 * 1024 * 1024,
  aheadBytes: 32 * 1024 * 1024,
  stallMs: 20_000,
  // A page of the largest answers over a slow phone: 15 kilobytes a second.
  answerMs: 5 * 60_000,
  // A few, so that others wait for a few; more than one, so that commits are shared.
  party: { underWay: 2, sliceMs: 10, companyMs: 1_000, quietMs: 15, restMs: 10 }
}

/** Of whom a request is, and the time by which they have their turns. */
export interface PartyNames {
  readonly of: (request: IncomingMessage) => string
  /** Milliseconds, from any beginning on. */
  readonly now: () => number
}

/**
 * Makes the server; it does not listen yet. `guards` are headers of what it answers by itself. Without `parties` all
 * requests begin at once.
 */
export const make = (
  limits: ServerLimits,
  guards: () => Readonly<Record<string, string>> = () => ({}),
  parties?: PartyNames
): Server => {
  const options = {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    keepAliveTimeout: limits.keepAliveMs,
    maxHeaderSize: limits.maxHeaderBytes,
    // The edge checks it, with an answer that has a body.
    requireHostHeader: false,
    // Nothing here can be upgraded to: such a request is served as if it had not asked.
    shouldUpgradeCallback: () => false
  }
  const server = new NodeInTurn.InTurnServer(options, limits, parties && inTurns(limits.party, parties))
  server.maxConnections = limits.maxConnections
  // Before the routes are there, and once they are gone, nothing else would answer.
  server.on("request", (_request, response) => {
    if (server.listenerCount("request") === 1) answerAway(response, guards())
  })
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("connect", (_request, socket) => end(socket, "method_not_allowed", guards()))
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    // Where an answer has begun, more bytes would be taken for part of it.
    if (error.code === "ECONNRESET" || !socket.writable || hasBegun(socket)) socket.destroy()
    else end(socket, codes[error.code ?? ""] ?? "invalid_request", guards())
  })
  return server
}

const inTurns = (limits: RequestTurns.PartyLimits, { of, now }: PartyNames): NodeInTurn.Admit => {
  const turns = RequestTurns.make(limits, {
    now,
    // Node drops fractions: it would call too early, and again.
    after: (ms, call) => void setTimeout(call, Math.ceil(ms)).unref(),
    soon: (call) => void setImmediate(call)
  })
  return (request, begin) => {
    const end = turns.enter(of(request), begin)
    return (status) => end(RequestTurns.mayCause(request.method ?? "", status))
  }
}

/** Closes every connection `ms` milliseconds from now, unless the server has closed by then. */
export const cutOffAfter = (server: Server, ms: number): void => {
  const timer = setTimeout(() => server.closeAllConnections(), ms)
  server.once("close", () => clearTimeout(timer))
}

const answerAway = (response: ServerResponse, guards: Readonly<Record<string, string>>): void => {
  const { status, kk } = entry("service_unavailable")
  const headers = { ...guards, "content-type": "application/json", "retry-after": "1", connection: "close" }
  response.writeHead(status, headers).end(JSON.stringify({ error: "service_unavailable", message: kk }))
}

const codes: Readonly<Record<string, Code>> = {
  HPE_HEADER_OVERFLOW: "headers_too_large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "payload_too_large",
  ERR_HTTP_REQUEST_TIMEOUT: "request_timeout"
}

const hasBegun = (socket: Duplex): boolean => {
  const answer: unknown = "_httpMessage" in socket ? socket._httpMessage : undefined
  return typeof answer === "object" && answer !== null && "headersSent" in answer && answer.headersSent === true
}

/** Time for the client to read the answer before the connection is cut. */
const lingerMs = 500

const end = (socket: Duplex, code: Code, guards: Readonly<Record<string, string>>): void => {
  const { status, kk } = entry(code)
  const body = JSON.stringify({ error: code, message: kk })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    ...Object.entries(guards).map(([name, value]) => `${name}: ${value}`)
  ]
  socket.on("error", () => {}) // the client may be gone already
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once("close", () => clearTimeout(timer))
}
