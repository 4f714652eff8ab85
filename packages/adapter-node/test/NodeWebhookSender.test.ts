import type { Socket } from "node:net"
import { describe, it } from "@effect/vitest"
import type { SendFailureReason } from "@tolem/core/webhook/sending/WebhookSender"
import { Effect, Fiber, Layer } from "effect"
import { assert } from "vitest"
import { everywhere, http, pour, raw, send, sender } from "./receivers.ts"

const ok = "HTTP/1.1 200 OK\r\n"

/** Header after header, for as long as they are read. */
const endlessHeaders = (socket: Socket) => {
  socket.write(ok)
  pour(socket, `X-A: ${"a".repeat(1000)}\r\n`)
}

const impatient = { timeoutMs: 300 }
const asSandbox = sender({ policy: everywhere })

describe("sender: ordinary receivers", () => {
  it.live("posts the body as it is, with the headers that were signed and none that tell of us", () =>
    Effect.gen(function* () {
      const seen: Array<{ method: string | undefined; url: string | undefined; headers: object; body: string }> = []
      const { port } = yield* http(({ method, url, headers }, response, body) => {
        seen.push({ method, url, headers, body })
        response.writeHead(202).end("рахмет")
      })
      const body = '{"name":"Әлия \\u0000","amount":1e400}'
      const answer = yield* send(`http://127.0.0.1:${port}/hook/a%20b?token=1&x=%D3%98#part`, { body })
      assert.deepInclude(answer, { status: 202, body: "рахмет" })
      assert.lengthOf(seen, 1)
      assert.deepInclude(seen[0], { method: "POST", url: "/hook/a%20b?token=1&x=%D3%98", body })
      assert.deepStrictEqual(seen[0]?.headers, {
        host: `127.0.0.1:${port}`,
        connection: "keep-alive",
        "content-type": "application/json",
        "x-webhook-event": "invoice.paid",
        "content-length": String(Buffer.byteLength(body))
      })
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("answers whatever status came, with or without a body", () =>
    Effect.gen(function* () {
      for (const status of [200, 204, 400, 404, 410, 500, 503]) {
        const { url } = yield* http((_request, response) => response.writeHead(status).end())
        assert.deepInclude(yield* send(url), { status, body: "" })
      }
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("uses a connection again that an attempt has left open, and closes it in the end", () =>
    Effect.gen(function* () {
      const { url, sockets, closed } = yield* http((_request, response) => response.end("ok"))
      yield* Effect.provide(Effect.all([send(url), send(url), send(url)]), Layer.fresh(asSandbox))
      assert.lengthOf(sockets, 1)
      yield* closed
    }).pipe(Effect.scoped)
  )

  it.live("takes a new connection where the receiver has closed the old one", () =>
    Effect.gen(function* () {
      const used = new Set<Socket>()
      const { url, sockets } = yield* http((request, response) => {
        // Nothing is answered to the second request of a connection, as by a server that is just closing it.
        if (used.has(request.socket)) return request.socket.destroy()
        used.add(request.socket)
        return response.end("ok")
      })
      for (let round = 0; round < 3; round++) assert.deepInclude(yield* send(url), { status: 200, body: "ok" })
      assert.lengthOf(sockets, 3)
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("does not repeat a request of which an answer had begun", () =>
    Effect.gen(function* () {
      let requests = 0
      const { url } = yield* http((request, response) => {
        if (++requests === 1) return response.end("ok")
        response.writeHead(200, { "content-length": "10" })
        return response.write("half", () => request.socket.destroy())
      })
      yield* send(url)
      const { status, body, ...failed } = yield* send(url)
      assert.deepStrictEqual({ status, body }, { status: 200, body: "half" })
      assert("reason" in failed && failed.reason === "connection")
      assert.strictEqual(requests, 2)
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("serves many at one receiver at once: none waits for another's connection", () =>
    Effect.gen(function* () {
      const waiting: Array<() => void> = []
      const { url } = yield* http((_request, response) => {
        waiting.push(() => response.end("ok"))
        if (waiting.length === 40) for (const answer of waiting) answer()
      })
      const answers = yield* Effect.all(
        Array.from({ length: 40 }, () => send(url)),
        { concurrency: "unbounded" }
      )
      assert.isTrue(answers.every((answer) => answer.status === 200))
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )
})

describe("sender: hostile receivers", () => {
  it.live("follows no redirect", () =>
    Effect.gen(function* () {
      const inner = yield* http((_request, response) => response.end("secret"))
      for (const status of [301, 302, 303, 307, 308]) {
        const { url } = yield* http((_request, response) => {
          response.writeHead(status, { location: inner.url }).end("elsewhere")
        })
        assert.deepInclude(yield* send(url), { status, body: "elsewhere" })
      }
      assert.lengthOf(inner.sockets, 0)
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("ends in time when no answer comes", () =>
    Effect.gen(function* () {
      const { url, closed } = yield* raw(() => {})
      assert.deepInclude(yield* send(url, impatient), { reason: "timeout", status: null, body: null })
      yield* closed
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("ends in time when the answer drips, and keeps what had come for the log", () =>
    Effect.gen(function* () {
      const { url, sockets, closed } = yield* raw((socket) => {
        socket.write(`${ok}Content-Length: 1000000\r\n\r\nfirst`)
        const drip = setInterval(() => socket.write("."), 20)
        socket.on("close", () => clearInterval(drip))
      })
      const answer = yield* send(url, impatient)
      assert.deepInclude(answer, { reason: "timeout", status: 200 })
      assert.match(answer.body ?? "", /^first\.*$/)
      yield* closed
      assert.lengthOf(sockets, 1)
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("ends in time when announcements never end", () =>
    Effect.gen(function* () {
      const { url, closed } = yield* raw((socket) => pour(socket, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"))
      assert.deepInclude(yield* send(url, impatient), { reason: "timeout", status: null })
      yield* closed
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("ends in time when the connection is taken and TLS is not spoken", () =>
    Effect.gen(function* () {
      const { port, closed } = yield* raw(() => {})
      assert.deepInclude(yield* send(`https://127.0.0.1:${port}/`, impatient), { reason: "timeout" })
      yield* closed
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  for (const [name, head, chunk] of [
    ["of a stated length", "Content-Length: 1073741824\r\n\r\n", "a".repeat(65_536)],
    ["in chunks", "Transfer-Encoding: chunked\r\n\r\n", `10000\r\n${"a".repeat(65_536)}\r\n`],
    ["without end", "Connection: close\r\n\r\n", "a".repeat(65_536)]
  ] as const) {
    it.live(`reads the first bytes of a gigabyte ${name}, and no more`, () =>
      Effect.gen(function* () {
        const { url, sockets, closed } = yield* raw((socket) => {
          socket.write(ok + head)
          pour(socket, chunk)
        })
        const answer = yield* send(url)
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.body, "a".repeat(20_000))
        yield* closed
        assert.isBelow(sockets[0]?.bytesWritten ?? Number.POSITIVE_INFINITY, 64 * 1024 * 1024)
      }).pipe(Effect.scoped, Effect.provide(asSandbox))
    )
  }

  it.live("tells what went wrong in a word", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [reason: SendFailureReason, handler: Parameters<typeof raw>[0]]> = [
        ["protocol", (socket) => socket.end("this is no HTTP\r\n\r\n")],
        ["protocol", (socket) => socket.end("HTTP/9.9 200 OK\r\n\r\n")],
        ["protocol", (socket) => endlessHeaders(socket)],
        ["protocol", (socket) => pour(socket, `X${"a".repeat(65_536)}`)],
        ["connection", (socket) => socket.end()],
        ["connection", (socket) => socket.resetAndDestroy()],
        ["connection", (socket) => socket.end(ok)],
        ["connection", (socket) => socket.end(`${ok}Content-Length: 10\r\n\r\nabc`)]
      ]
      for (const [index, [reason, handler]] of cases.entries()) {
        const { url, closed } = yield* raw(handler)
        assert.deepInclude(yield* send(url), { reason }, `case ${index}`)
        yield* closed
      }
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("tells of a closed port, and of a receiver that does not speak TLS", () =>
    Effect.gen(function* () {
      const { url } = yield* Effect.scoped(raw(() => {}))
      assert.deepInclude(yield* send(url), { reason: "connection", status: null })
      const plain = yield* raw((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
      assert.deepInclude(yield* send(`https://127.0.0.1:${plain.port}/`), { reason: "tls" })
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("survives bytes that are no text", () =>
    Effect.gen(function* () {
      const { url } = yield* http((_request, response) => response.end(Uint8Array.of(0xff, 0xfe, 0x41)))
      assert.deepInclude(yield* send(url), { status: 200, body: "\ufffd\ufffdA" })
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )

  it.live("closes the connection when the attempt is cut off", () =>
    Effect.gen(function* () {
      const asked = Promise.withResolvers<void>()
      const { url, closed } = yield* raw(() => asked.resolve())
      const attempt = yield* Effect.forkChild(send(url))
      yield* Effect.promise(() => asked.promise)
      yield* Fiber.interrupt(attempt)
      yield* closed
    }).pipe(Effect.scoped, Effect.provide(asSandbox))
  )
})
