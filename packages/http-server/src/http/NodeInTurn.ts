/**
 * A Node server that serves the requests of each connection one after another: the next one begins when the answer to
 * the one before was taken. A client that sends ahead, or does not read, holds one answer in memory and no more.
 */
import { IncomingMessage, Server, type ServerOptions, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How far one may send ahead, and how slowly one may read. Durations are milliseconds. */
export interface TurnLimits {
  /** Of requests that wait on one connection; a connection that sends more is cut. */
  readonly aheadBytesOfConnection: number
  /** The same over all connections. */
  readonly aheadBytes: number
  /** A connection that has taken nothing of its answer for so long is cut. */
  readonly stallMs: number
  /** One that has not taken the whole of it in so long is cut too. */
  readonly answerMs: number
}

interface Waiting {
  readonly bytes: number
  readonly begin: () => void
}

interface Line {
  readonly waiting: Array<Waiting>
  bytes: number
}

/** What a request takes that waits, beside its headers: its objects, measured. */
const requestBytes = 4096

/**
 * Calls `begin` when the request may begin, and is told of its end by what it returns: with the answer's status, if it
 * was answered.
 */
export type Admit = (request: IncomingMessage, begin: () => void) => (status: number | undefined) => void

const atOnce: Admit = (_request, begin) => {
  begin()
  return () => {}
}

/** A server of Node that serves the requests of a connection in turn. Otherwise as `createServer` of Node makes it. */
export class InTurnServer extends Server {
  readonly #limits: TurnLimits
  readonly #admit: Admit
  /** The connections with a request under way, and what waits behind it. */
  readonly #lines = new Map<Socket, Line>()
  #aheadBytes = 0

  /** `admit` says when a request begins whose connection has no other one under way; default: at once. */
  constructor(options: ServerOptions, limits: TurnLimits, admit = atOnce) {
    super(options)
    this.#limits = limits
    this.#admit = admit
  }

  override emit(event: string, ...args: Array<unknown>): boolean {
    const [request, response] = args
    const isRequest = request instanceof IncomingMessage && response instanceof ServerResponse
    if (!isRequest || (event !== "request" && event !== "checkContinue")) return super.emit(event, ...args)
    this.#arrive(request, response, () => super.emit(event, request, response))
    return true
  }

  #arrive(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const { socket } = request
    const begin = () => {
      this.#watch(socket, response)
      // Emitted also when the connection breaks.
      response.once("close", () => {
        end(response.headersSent ? response.statusCode : undefined)
        this.#next(socket)
      })
      const end = this.#admit(request, serve)
    }
    const line = this.#lines.get(socket)
    if (line === undefined) {
      this.#lines.set(socket, { waiting: [], bytes: 0 })
      begin()
      return
    }
    const bytes = requestBytes + request.rawHeaders.reduce((sum, text) => sum + text.length, request.url?.length ?? 0)
    line.waiting.push({ bytes, begin })
    line.bytes += bytes
    this.#aheadBytes += bytes
    const { aheadBytes, aheadBytesOfConnection } = this.#limits
    if (line.bytes > aheadBytesOfConnection || this.#aheadBytes > aheadBytes) socket.destroy()
  }

  #next(socket: Socket): void {
    const line = this.#lines.get(socket)
    if (line === undefined) return
    const next = socket.destroyed ? undefined : line.waiting.shift()
    if (next === undefined) {
      this.#aheadBytes -= line.bytes
      this.#lines.delete(socket)
      return
    }
    line.bytes -= next.bytes
    this.#aheadBytes -= next.bytes
    socket.setTimeout(0) // that of the answer before
    next.begin()
  }

  /** Cuts the connection off if the answer is not taken in time. What is sent bit by bit is bounded by who sends it. */
  #watch(socket: Socket, response: ServerResponse): void {
    response.once("prefinish", () => {
      if (socket.writableLength === 0) return
      const { stallMs, answerMs } = this.#limits
      // The socket's own timer counts only while nothing moves.
      socket.setTimeout(stallMs)
      const timer = setTimeout(() => socket.destroy(), answerMs).unref()
      response.once("close", () => clearTimeout(timer))
    })
  }
}
