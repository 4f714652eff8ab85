/** Messages handed over to a receiver on this machine that plays Telegram. */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Messenger, SendOutcome } from "@tolem/core/messenger/Messenger"
import { Effect, Layer, Logger, Redacted, Tracer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import * as TelegramMessenger from "../src/TelegramMessenger.ts"

const token = "123456:AAAABBBBCCCCDDDDEEEEFFFFGGGG"

interface Asked {
  readonly url: string
  readonly body: Record<string, unknown>
}

/** A receiver that answers so; what it was asked. */
const telegram = async (answer: RequestListener) => {
  const asked: Array<Asked> = []
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      asked.push({ url: request.url ?? "", body: JSON.parse(Buffer.concat(parts).toString()) })
      answer(request, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const answering =
  (status: number, body: unknown): RequestListener =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }

const refusal = (error_code: number, description: string, parameters?: object) =>
  answering(error_code, { ok: false, error_code, description, ...(parameters && { parameters }) })

const spans: Array<string> = []
const tracer = Tracer.make({
  span: (options) => {
    spans.push(options.name)
    return new Tracer.NativeSpan(options)
  }
})
const logged: Array<string> = []
const logger = Logger.make(({ message, cause }) => void logged.push(`${String(message)} ${JSON.stringify(cause)}`))

const run = <A>(baseUrl: string, use: (messenger: Messenger["Service"]) => Effect.Effect<A>, timeoutMs = 5_000) =>
  Effect.runPromise(
    Messenger.use(use).pipe(
      Effect.provide(
        TelegramMessenger.layer({ token: Redacted.make(token), baseUrl, timeoutMs }).pipe(
          Layer.provide(NodeHttpClient.layerUndici)
        )
      ),
      Effect.provide(Logger.layer([logger])),
      Effect.withTracer(tracer)
    )
  )

const sent = async (answer: RequestListener, timeoutMs?: number) => {
  const { baseUrl } = await telegram(answer)
  return run(baseUrl, (messenger) => messenger.send("77", "hello"), timeoutMs)
}

describe("a message to a chat", () => {
  it("is text and nothing else, and is taken", async () => {
    const { asked, baseUrl } = await telegram(answering(200, { ok: true, result: { message_id: 5 } }))
    expect(await run(baseUrl, (messenger) => messenger.send("-77", "<b>*Shop*</b>"))).toEqual(SendOutcome.Taken())
    const body = { chat_id: -77, text: "<b>*Shop*</b>", link_preview_options: { is_disabled: true } }
    expect(asked).toEqual([{ url: `/bot${token}/sendMessage`, body }])
  })

  it("is refused, held back, or blocked, as Telegram says", async () => {
    const held = SendOutcome.Later({ waitMs: 7000 })
    expect(await sent(refusal(429, "Too Many Requests", { retry_after: 7 }))).toEqual(held)
    const blocked = SendOutcome.Blocked({ reason: "answer 403" })
    expect(await sent(refusal(403, "Forbidden: bot was blocked by the user"))).toEqual(blocked)
    expect((await sent(refusal(400, "Bad Request: chat not found")))._tag).toBe("Blocked")
    const wrong = SendOutcome.Rejected({ retryable: false, reason: "answer 400" })
    expect(await sent(refusal(400, "Bad Request: message is too long"))).toEqual(wrong)
    const mendable = SendOutcome.Rejected({ retryable: true, reason: "answer 401" })
    expect(await sent(refusal(401, "Unauthorized"))).toEqual(mendable)
  })

  it("may have arrived, if there is no answer or none that can be read", async () => {
    const answers: ReadonlyArray<RequestListener> = [
      answering(200, "garbage"),
      answering(502, "<html>Bad Gateway</html>"),
      answering(200, { ok: true }),
      refusal(500, "Internal Server Error"),
      (request) => void request.socket.destroy()
    ]
    for (const answer of answers) expect((await sent(answer))._tag).toBe("Unknown")
    expect(await sent(() => undefined, 100)).toEqual(SendOutcome.Unknown({ reason: "no answer in time" }))
  })

  it("has not left, if there is no connection", async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    const outcome = await run(`http://127.0.0.1:${port}`, (messenger) => messenger.send("77", "hello"))
    expect(outcome).toEqual(SendOutcome.Rejected({ retryable: true, reason: "ECONNREFUSED" }))
  })

  it("leaves nothing of the token in logs, spans and outcomes", async () => {
    const outcomes = [await sent(refusal(403, `Forbidden ${token}`)), await sent(answering(502, token))]
    const options = { token: Redacted.make(token), baseUrl: "http://127.0.0.1:1" }
    const greeting = TelegramMessenger.greet(options).pipe(Effect.provide(NodeHttpClient.layerUndici))
    expect(JSON.stringify([outcomes, await Effect.runPromise(greeting), logged, spans])).not.toContain("AAAABBBB")
    expect(spans).toEqual([])
  })
})

describe("messages of people", () => {
  it("are heard from chats of one person, and confirmed by the next question", async () => {
    const chat = { id: 77, type: "private" }
    const { asked, baseUrl } = await telegram(
      answering(200, {
        ok: true,
        result: [
          { update_id: 10, message: { chat, text: "/start abc" } },
          { update_id: 11, message: { chat: { id: -5, type: "group" }, text: "/start abc" } },
          { update_id: 12, message: { chat, photo: [] } },
          { update_id: 13, edited_message: {} },
          { update_id: 14, message: { chat, text: "x".repeat(4096) } },
          { update_id: 15, message: "what" }
        ]
      })
    )
    const read = await run(baseUrl, (messenger) => messenger.updates(10, 1000))
    expect(read).toMatchObject({ _tag: "Read", incoming: [{ chatId: "77", text: "/start abc" }], next: 16 })
    expect(asked[0]?.body).toMatchObject({ offset: 10, timeout: 1, allowed_updates: ["message"] })
  })

  it("are asked for again later after a failure", async () => {
    const failed = async (answer: RequestListener) => {
      const { baseUrl } = await telegram(answer)
      return run(baseUrl, (messenger) => messenger.updates(0, 1000))
    }
    expect(await failed(refusal(409, "Conflict"))).toMatchObject({ _tag: "Failed", waitMs: 60_000 })
    expect(await failed(refusal(429, "", { retry_after: 3 }))).toMatchObject({ _tag: "Failed", waitMs: 3_000 })
    expect(await failed(answering(200, "[]"))).toMatchObject({ _tag: "Failed", waitMs: 5_000 })
  })

  it("go to a bot that has a name", async () => {
    const { asked, baseUrl } = await telegram(answering(200, { ok: true, result: { username: "tolem_bot" } }))
    const names = await run(baseUrl, (messenger) => Effect.all([messenger.name, messenger.name]))
    expect([names, asked.length]).toEqual([["tolem_bot", "tolem_bot"], 1])
  })
})
