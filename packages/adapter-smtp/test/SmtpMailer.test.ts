/** Letters handed over to a real SMTP server on this machine. */
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { Effect, Redacted } from "effect"
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { afterEach, describe, expect, it } from "vitest"
import * as SmtpMailer from "../src/SmtpMailer.ts"

const letter: Letter = {
  id: "mai_1",
  to: "aliya@example.kz",
  subject: "Төлем шоты / Счёт: Дастархан",
  text: "Сәлем!\nПривет!",
  html: "<p>Сәлем!</p>"
}

const servers: Array<SMTPServer> = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(() => resolve()))
})

interface Taken {
  readonly messages: Array<string>
  readonly port: number
}

/** A server, and what it has taken. */
const serve = async (options: SMTPServerOptions): Promise<Taken> => {
  const messages: Array<string> = []
  const onData: SMTPServerOptions["onData"] = (stream, _session, done) => {
    let text = ""
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8")
    })
    stream.on("end", () => {
      messages.push(text)
      done(null)
    })
  }
  const server = new SMTPServer({ authOptional: true, disableReverseLookup: true, logger: false, onData, ...options })
  // A client that is cut off in the middle is what these tests are about.
  server.on("error", () => {})
  servers.push(server)
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, "127.0.0.1", () => {
      const address = listening.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  })
  return { messages, port }
}

const options = (port: number, more: Partial<SmtpMailer.Options> = {}): SmtpMailer.Options => ({
  host: "127.0.0.1",
  port,
  secure: false,
  plain: true,
  credentials: null,
  from: "Дастархан <shop@example.kz>",
  timeoutMs: 2_000,
  ...more
})

const send = async (given: SmtpMailer.Options, one: Letter = letter) => (await sendAll(given, [one]))[0]

/** Hands the letters over one after another, over the same mailer. */
const sendAll = (given: SmtpMailer.Options, letters: ReadonlyArray<Letter>, concurrency = 1) =>
  Effect.runPromise(
    Effect.provide(
      Mailer.use((mailer) => Effect.forEach(letters, mailer.send, { concurrency })),
      SmtpMailer.layer(given)
    )
  )

const cutAll = () => {
  for (const server of servers) for (const { _socket: socket } of server.connections) socket.destroy()
}

const failing = (responseCode: number) => Object.assign(new Error("no"), { responseCode })

describe("a letter", () => {
  it("is taken with both its forms, and named by the letter's own id", async () => {
    const { messages, port } = await serve({ disabledCommands: ["STARTTLS", "AUTH"] })
    expect(await send(options(port))).toEqual(HandOver.Taken())
    expect(messages).toHaveLength(1)
    expect(messages[0]).toMatch(/^Message-ID: <mai_1@example\.kz>\r$/im)
    expect(messages[0]).toMatch(/^To: aliya@example\.kz\r$/im)
    expect(messages[0]).toContain("text/plain")
    expect(messages[0]).toContain("text/html")
  })

  it("cannot bring headers of its own", async () => {
    const { messages, port } = await serve({ disabledCommands: ["STARTTLS", "AUTH"] })
    const hostile = { ...letter, subject: "Hello\r\nBcc: all@example.kz\r\n\r\nbody" }
    expect(await send(options(port), hostile)).toEqual(HandOver.Taken())
    expect(messages[0]).not.toMatch(/^Bcc:/im)
  })

  it("is refused for good by an answer of 500 and above, and for now by one of 400", async () => {
    for (const [status, retryable] of [
      [550, false],
      [451, true]
    ] as const) {
      const atRecipient = await serve({
        disabledCommands: ["STARTTLS", "AUTH"],
        onRcptTo: (_address, _session, done) => done(failing(status))
      })
      expect(await send(options(atRecipient.port))).toMatchObject({ _tag: "Rejected", retryable })
      const afterData = await serve({
        disabledCommands: ["STARTTLS", "AUTH"],
        onData: (stream, _session, done) => {
          stream.resume()
          stream.on("end", () => done(failing(status)))
        }
      })
      expect(await send(options(afterData.port))).toMatchObject({ _tag: "Rejected", retryable })
    }
  })

  it("may have been taken where the connection ends in the middle of it, or no answer comes", async () => {
    const cut = await serve({
      disabledCommands: ["STARTTLS", "AUTH"],
      onData: (stream) => {
        stream.resume()
        stream.once("data", cutAll)
      }
    })
    expect(await send(options(cut.port))).toMatchObject({ _tag: "Unknown" })
    const silent = await serve({ disabledCommands: ["STARTTLS", "AUTH"], onData: (stream) => void stream.resume() })
    expect(await send(options(silent.port, { timeoutMs: 200 }))).toMatchObject({ _tag: "Unknown" })
  })

  it("is left to the caller to repeat where the connection ends at its very end", async () => {
    const seen: Array<string> = []
    const { port } = await serve({
      disabledCommands: ["STARTTLS", "AUTH"],
      onData: (stream, { id }) => {
        stream.resume()
        stream.on("end", () => {
          seen.push(id)
          cutAll()
        })
      }
    })
    expect(await send(options(port))).toMatchObject({ _tag: "Unknown" })
    expect(seen).toHaveLength(1)
  })

  it("was not taken where the connection ends or falls silent before the server has asked for it", async () => {
    for (const step of ["onMailFrom", "onRcptTo"] as const) {
      const cut = await serve({ disabledCommands: ["STARTTLS", "AUTH"], [step]: cutAll })
      expect(await send(options(cut.port))).toMatchObject({ _tag: "Rejected", retryable: true })
      const silent = await serve({ disabledCommands: ["STARTTLS", "AUTH"], [step]: () => {} })
      expect(await send(options(silent.port, { timeoutMs: 200 }))).toMatchObject({ _tag: "Rejected", retryable: true })
    }
  })

  it("does no harm to the others where a connection that was kept turns out to be gone", async () => {
    let letters = 0
    const { messages, port } = await serve({
      disabledCommands: ["STARTTLS", "AUTH"],
      onMailFrom: (_address, _session, done) => (++letters === 2 ? cutAll() : done())
    })
    const outcomes = await sendAll(
      options(port),
      ["mai_1", "mai_2", "mai_3"].map((id) => ({ ...letter, id }))
    )
    expect(outcomes).toMatchObject([{ _tag: "Taken" }, { _tag: "Rejected", retryable: true }, { _tag: "Taken" }])
    expect(letters).toBe(3)
    expect(messages.map((message) => /^Message-ID: <(\w+)@/im.exec(message)?.[1])).toEqual(["mai_1", "mai_3"])
  })

  it("is given up in time by a server that never ends its answer, and keeps no place from others", async () => {
    let letters = 0
    const { messages, port } = await serve({
      disabledCommands: ["STARTTLS", "AUTH"],
      onMailFrom: (_address, { id }, done) => {
        if (++letters > 3) return done()
        const socket = [...(servers[0]?.connections ?? [])].find((each) => each.id === id)?._socket
        const timer = setInterval(() => (socket?.destroyed === false ? socket.write("250-more\r\n") : stop()), 20)
        const stop = () => clearInterval(timer)
      }
    })
    const four = [1, 2, 3, 4].map((number) => ({ ...letter, id: `mai_${number}` }))
    const outcomes = await sendAll(options(port, { deadlineMs: 1_000 }), four, 3)
    expect(outcomes).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ _tag: "Rejected", retryable: true })),
      { _tag: "Taken" }
    ])
    expect(messages).toHaveLength(1)
  })

  it("was not taken where nobody listens, and can be handed over later", async () => {
    const { port } = await serve({})
    await new Promise<void>((resolve) => servers.splice(0)[0]?.close(() => resolve()))
    expect(await send(options(port))).toMatchObject({ _tag: "Rejected", retryable: true })
  })

  it("is not sent without encryption unless that is said", async () => {
    const { messages, port } = await serve({ disabledCommands: ["STARTTLS", "AUTH"] })
    expect(await send(options(port, { plain: false }))).toMatchObject({ _tag: "Rejected", retryable: true })
    expect(messages).toEqual([])
  })

  it("needs the right password, which no outcome tells", async () => {
    const { messages, port } = await serve({
      authOptional: false,
      allowInsecureAuth: true,
      disabledCommands: ["STARTTLS"],
      onAuth: ({ username, password }, _session, done) =>
        password === "right" ? done(null, { user: username ?? "" }) : done(failing(535))
    })
    const as = (password: string) => options(port, { credentials: { user: "shop", password: Redacted.make(password) } })
    const wrong = await send(as("wrong-secret"))
    expect(wrong).toMatchObject({ _tag: "Rejected", retryable: true })
    expect(JSON.stringify(wrong)).not.toContain("wrong-secret")
    expect(await send(as("right"))).toEqual(HandOver.Taken())
    expect(messages).toHaveLength(1)
  })
})
