/**
 * HTTP/1.1 over plain sockets, one request at a time on each. It costs a fraction of `node:http`, so that two cores are
 * left to what is measured. Loopback only; answers must carry a Content-Length.
 */
import { connect, type Socket } from "node:net"

/** An answer: its status, and its body as it came. */
export interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** A connection that is kept. */
export interface Connection {
  /** Sends a whole request and waits for its answer. To be called again only afterwards. */
  readonly send: (request: string) => Promise<Answer>
  readonly close: () => void
}

/** What a request consists of; further headers by name. */
export interface Request {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** The request as it goes over the wire. */
export const encode = ({ method, path, headers, body }: Request): string => {
  let head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`
  if (body === undefined) return `${head}\r\n`
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Time without a byte after which a server counts as hung. */
const silenceMs = 30_000

/** Connects to a server of this machine. */
export const open = (port: number): Promise<Connection> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true })
    socket.once("error", reject)
    socket.once("connect", () => {
      socket.off("error", reject)
      resolve(over(socket))
    })
  })

interface Waiting {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

const over = (socket: Socket): Connection => {
  let waiting: Waiting | undefined
  let received: Buffer = Buffer.alloc(0)
  const fail = (error: Error) => {
    waiting?.reject(error)
    waiting = undefined
    socket.destroy()
  }
  socket.setTimeout(silenceMs, () => fail(new Error("no answer")))
  socket.on("error", fail)
  socket.on("close", () => fail(new Error("the connection was closed")))
  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const answer = parse(received)
    if (answer === undefined) return
    if (answer instanceof Error) return fail(answer)
    received = Buffer.alloc(0)
    const { resolve } = waiting!
    waiting = undefined
    resolve(answer)
  })
  const send = (request: string) =>
    new Promise<Answer>((resolve, reject) => {
      waiting = { resolve, reject }
      if (socket.destroyed) fail(new Error("the connection was closed"))
      else socket.write(request)
    })
  return { send, close: () => socket.destroy() }
}

/** The answer, once all of it is there. */
const parse = (received: Buffer): Answer | Error | undefined => {
  const end = received.indexOf("\r\n\r\n")
  if (end === -1) return undefined
  const head = received.toString("latin1", 0, end)
  const length = /\r\ncontent-length: *([0-9]+)/i.exec(head)?.[1]
  if (length === undefined) return new Error(`an answer without Content-Length:\n${head}`)
  const total = end + 4 + Number(length)
  if (received.length < total) return undefined
  return { status: Number(head.slice(9, 12)), body: received.subarray(end + 4, total) }
}
