/** Receivers on the loopback interface, from polite to hostile, and a sender whose names tests choose. */
import { once } from "node:events"
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import type { Mode } from "@tolem/core/value/Mode"
import { type AddressJudge, AddressPolicy, standard } from "@tolem/core/webhook/sending/AddressPolicy"
import {
  type SendFailure,
  type WebhookRequest,
  type WebhookResponse,
  WebhookSender
} from "@tolem/core/webhook/sending/WebhookSender"
import { Effect, Layer, Result, type Scope } from "effect"
import { Dns, type NetAddress } from "effect/net"
import * as NodeWebhookSender from "../src/NodeWebhookSender.ts"

/** A receiver. `connections` counts those that ever came, `closed` waits until none is open any more. */
export interface Listening {
  readonly port: number
  readonly url: string
  readonly sockets: ReadonlyArray<Socket>
  readonly closed: Effect.Effect<void>
}

const listen = (server: Server): Effect.Effect<Listening, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets: Array<Socket> = []
      server.on("connection", (socket) => {
        sockets.push(socket)
        socket.on("error", () => {}) // resets are part of the game
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      const { port } = server.address() as AddressInfo
      const closed = Effect.promise(() =>
        Promise.all(sockets.map((socket) => socket.closed || new Promise((resolve) => socket.on("close", resolve))))
      )
      return { port, url: `http://127.0.0.1:${port}/hook`, sockets, closed: Effect.asVoid(closed), server }
    }),
    ({ sockets, server }) =>
      Effect.promise(async () => {
        for (const socket of sockets) socket.destroy()
        const closed = once(server, "close")
        server.close()
        await closed
      })
  )

/** A receiver that speaks HTTP. */
export const http = (handler: (request: IncomingMessage, response: ServerResponse, body: string) => void) =>
  listen(
    createHttpServer((request, response) => {
      const parts: Array<Buffer> = []
      request.on("data", (part: Buffer) => parts.push(part))
      request.on("end", () => handler(request, response, Buffer.concat(parts).toString()))
    })
  )

/** A receiver that does with its connection what it likes, once the request has begun to come. */
export const raw = (handler: (socket: Socket, first: Buffer) => void) =>
  listen(createServer((socket) => void socket.once("data", (first: Buffer) => handler(socket, first))))

/** Writes `chunk` for as long as the other side takes it. */
export const pour = (socket: Socket, chunk: string | Uint8Array): void => {
  const more = () => {
    while (!socket.destroyed && socket.write(chunk)) {}
  }
  socket.on("drain", more)
  more()
}

/** This machine stands for one of the Internet, whose answers are kept. */
export const everywhere: AddressJudge = (address, ...rest) => {
  const verdict = standard(address, ...rest)
  return verdict === "inner" ? "open" : verdict
}

/** A sender. Names are those of `zone`; every other address than the policy's is refused. */
export const sender = (options: {
  readonly dns?: Layer.Layer<Dns.Dns, NetAddress.NetAddressError>
  readonly policy?: AddressJudge
}) =>
  NodeWebhookSender.layer.pipe(
    Layer.provide(options.dns ?? Dns.layerStatic({})),
    Layer.provide(Layer.succeed(AddressPolicy, options.policy ?? standard))
  )

/** Sends one request and answers what became of it. */
export const send = (
  url: string,
  members: Partial<WebhookRequest> = {}
): Effect.Effect<WebhookResponse | SendFailure, never, WebhookSender> =>
  WebhookSender.use((sender) =>
    sender.send({
      url,
      headers: { "content-type": "application/json", "X-Webhook-Event": "invoice.paid" },
      body: '{"event":"invoice.paid"}',
      mode: "sandbox" satisfies Mode,
      timeoutMs: 5_000,
      maxResponseBytes: 20_000,
      ...members
    })
  ).pipe(Effect.result, Effect.map(Result.merge))
