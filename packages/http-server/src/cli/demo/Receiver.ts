/** What a merchant writes to take webhooks: Node's own HTTP server and cryptography, nothing of this project. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Queue } from "effect"

/** A request as it came over the wire. */
export interface ReceivedCall {
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** How far a timestamp may lie from now, either way (interface specification, Events). */
const toleranceSeconds = 300

/** Whether the request was signed with `secret` a short while ago. `now` in milliseconds. */
export const isSigned = ({ headers, body }: ReceivedCall, secret: string, now: number): boolean => {
  const timestamp = String(headers["x-webhook-timestamp"])
  const signature = /^sha256=([0-9a-f]{64})$/.exec(String(headers["x-webhook-signature"]))?.[1]
  const isRecent = Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds
  if (signature === undefined || !isRecent) return false
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(signature, "hex"))
}

/** Listens on this machine for as long as the scope is open. Every request that comes is what `next` waits for. */
export const make = Effect.gen(function* () {
  const requests = yield* Queue.unbounded<ReceivedCall>()
  const server = yield* Effect.acquireRelease(
    listen((request, body) => void Queue.offerUnsafe(requests, { headers: request.headers, body })),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/webhooks`, next: Queue.take(requests) }
})

const listen = (onRequest: (request: IncomingMessage, body: Buffer) => void) =>
  Effect.callback<Server>((resume) => {
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        onRequest(request, Buffer.concat(chunks))
        response.writeHead(200).end()
      })
    })
    server.once("error", (error) => resume(Effect.die(error)))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  })
