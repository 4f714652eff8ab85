/** A receiver of webhooks on loopback that notes what arrives, and behaves as it is told. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"

/** A webhook that arrived. `at` is `performance.now()`. */
export interface Arrival {
  readonly delivery: string
  readonly event: string
  readonly invoice: string
  readonly at: number
}

/** Answers a webhook, or leaves the connection open for ever. */
export type Behaviour = (response: ServerResponse, arrival: Arrival) => void

/** See the file's head. */
export interface Receiver {
  readonly url: string
  readonly arrivals: Array<Arrival>
  behaviour: Behaviour
  readonly close: () => void
}

/** Takes everything. */
export const takes: Behaviour = (response) => void response.writeHead(200).end()

/** Takes nothing. */
export const refuses: Behaviour = (response) => void response.writeHead(500).end("no")

/** Never answers. */
export const hangs: Behaviour = () => {}

/** Starts a receiver that takes everything. */
export const receive = async (): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const { event, invoice } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const delivery = String(request.headers["x-webhook-delivery"])
    const arrival = { delivery, event, invoice: invoice.id, at: performance.now() }
    receiver.arrivals.push(arrival)
    receiver.behaviour(response, arrival)
  })
  server.on("clientError", (_, socket) => socket.destroy())
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/`,
    arrivals: [],
    behaviour: takes,
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
  return receiver
}
