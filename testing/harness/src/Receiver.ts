/** A receiver of webhooks on loopback that notes what arrives, and behaves as it is told. */
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A webhook that arrived. `at` is `performance.now()`. */
export interface Arrival {
  readonly delivery: string
  readonly event: string
  readonly invoice: string
  readonly path: string
  readonly at: number
  /** Whether it is signed with the receiver's secret. */
  readonly isSigned: boolean
}

/** Answers a webhook, or leaves the connection open for ever. */
export type Behaviour = (response: ServerResponse, arrival: Arrival) => void

/** Takes webhooks at `url` and below. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly arrivals: Array<Arrival>
  behaviour: Behaviour
  /** What webhooks are to be signed with; any signature is right while it is null. */
  secret: string | null
  /** Waits for the next webhook, or `ms` milliseconds. */
  readonly next: (ms: number) => Promise<void>
  /** May be called again. */
  readonly close: () => Promise<void>
}

/** Takes everything. */
export const takes: Behaviour = (response) => void response.writeHead(200).end()

/** Takes nothing. */
export const refuses: Behaviour = (response) => void response.writeHead(500).end("no")

/** Never answers. */
export const hangs: Behaviour = () => {}

/** Starts a receiver. The caller closes it. */
export const receive = async (behaviour: Behaviour = takes): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { event, invoice } = JSON.parse(body.toString())
    const delivery = String(request.headers["x-webhook-delivery"])
    const isSigned = receiver.secret === null || isSignedWith(receiver.secret, request.headers, body)
    const path = request.url ?? ""
    const arrival = { delivery, event, invoice: invoice.id, path, at: performance.now(), isSigned }
    receiver.arrivals.push(arrival)
    receiver.behaviour(response, arrival)
    server.emit("arrival")
  })
  server.on("clientError", (_, socket) => socket.destroy())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    port,
    arrivals: [],
    behaviour,
    secret: null,
    next: (ms) => once(server, "arrival", { signal: AbortSignal.timeout(ms) }).then(undefined, () => undefined),
    close: async () => {
      if (!server.listening) return
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
  return receiver
}

const isSignedWith = (secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean => {
  const timestamp = String(headers["x-webhook-timestamp"])
  const signature = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")
  return headers["x-webhook-signature"] === `sha256=${signature}`
}
