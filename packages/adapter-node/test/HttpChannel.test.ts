/** Login codes over gateways that are called over HTTP. */
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import { describe, expect, it, onTestFinished } from "vitest"
import { type Gateway, httpChannel, nodePlatform } from "../src/index.ts"

/** What a gateway was asked. */
interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

const taken: RequestListener = (_, response) => void response.end('{"id": 17}')

/** A gateway on loopback that keeps what it is asked. */
const gateway = async (answer: RequestListener = taken) => {
  const asked: Array<Asked> = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    asked.push({ method, url, headers, body: Buffer.concat(await request.toArray()).toString() })
    answer(request, response)
  }).listen(0, "127.0.0.1")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, "listening")
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const privateNetworks = ["127.0.0.0/8"]
const template = { name: "sms", text: "Code {code}", json: { to: "{phone}", text: "{text}" }, privateNetworks }
const message = { phone: "77001234567", code: "482913", expiresAt: 0 }

describe("the channel", () => {
  it("logs people in at an engine, over an address with the message in it", async () => {
    const { asked, url } = await gateway()
    const channel = httpChannel({
      name: "sms",
      method: "GET",
      url: `${url}/send?to={phone}&text={text}`,
      text: "50% off & more: {code}",
      privateNetworks
    })
    const engine = await createEngine({
      database: sqlite({ filename: ":memory:" }),
      platform: nodePlatform(),
      secretKeys: ["a text of at least 32 characters that only you know"],
      codeChannels: [channel]
    })
    onTestFinished(() => engine.close())
    const { challengeId } = await engine.logins.begin({ phone: message.phone })
    const query = new URL(asked[0]?.url ?? "", url).searchParams
    expect(query.get("to")).toBe("77001234567")
    const [, code = ""] = /^50% off & more: (\d{6})$/.exec(query.get("text") ?? "") ?? []
    expect((await engine.logins.finish({ challengeId, code })).account.phone).toBe("7700*****67")
  })

  it("sends forms", async () => {
    const { asked, url } = await gateway()
    const { json: _, ...rest } = template
    await httpChannel({ ...rest, url, form: { phones: "{phone}", mes: "{text}", psw: "a&b" } }).send(message)
    expect(asked[0]?.body).toBe("phones=77001234567&mes=Code+482913&psw=a%26b")
  })
})

/** What a gateway does, with what the channel makes of it. */
const failures: ReadonlyArray<readonly [does: string, RequestListener, says: RegExp, more?: Partial<Gateway>]> = [
  ["fails", (_, response) => void response.writeHead(500).end("code 482913"), /answered 500$/],
  ["sends us elsewhere", (_, response) => void response.writeHead(307, { location: "/" }).end(), /answered 307$/],
  [
    "refuses with 200",
    (_, response) => void response.end('{"error": "no money"}'),
    /has refused/,
    { refused: /"error"/ }
  ],
  ["says something else", (_, response) => void response.end("welcome"), /did not say/, { accepted: /"id"/ }],
  ["does not answer", () => {}, /no answer within 1000 ms$/, { timeoutMs: 1000 }],
  [
    "begins an answer and does not end it",
    (_, response) => void response.writeHead(200).write("{"),
    /no answer within 1000 ms$/,
    { timeoutMs: 1000 }
  ],
  ["closes the connection", (request) => void request.socket.destroy(), /no connection \(ECONNRESET\)$/]
]

describe("a code that is not sent", () => {
  it.each(failures.map(([does, answer, says, more]) => ({ does, answer, says, more })))(
    "is told to no one else, where the gateway $does",
    async ({ answer, says, more }) => {
      const { asked, url } = await gateway(answer)
      const reasons: Array<string> = []
      const channel = httpChannel({ ...template, ...more, url, onFailure: (reason) => reasons.push(reason) })
      const error = await channel.send(message).then(
        () => undefined,
        (thrown: Error) => thrown
      )
      expect(error?.message).toMatch(says)
      expect(reasons).toEqual([error?.message.replace("The gateway sms: ", "")])
      expect(`${error?.stack}`).not.toContain(message.code)
      expect(asked).toHaveLength(1)
    }
  )

  it("is not waited for longer than an answer may be long", async () => {
    const { url } = await gateway((_, response) => {
      const more = () =>
        void (response.write('{"id": 1}'.padEnd(1000)) ? setImmediate(more) : response.once("drain", more))
      more()
    })
    await httpChannel({ ...template, url, accepted: /"id"/, maxAnswerBytes: 4096 }).send(message)
  })
})

describe("a gateway", () => {
  it("is at no private address, whatever its name, unless the operator has listed it", async () => {
    const { asked, url } = await gateway()
    const { privateNetworks: _, ...plain } = template
    // The name is looked up when it is called: it may have led elsewhere before.
    const named = { ...plain, url: url.replace("http://127.0.0.1", "https://localhost") }
    await expect(httpChannel(named).send(message)).rejects.toThrow("is at an address that is not allowed")
    expect(asked).toEqual([])
    const listed = { ...plain, url: url.replace("127.0.0.1", "localhost"), privateNetworks: ["localhost"] }
    await httpChannel(listed).send(message)
    expect(asked).toHaveLength(1)
  })

  const { privateNetworks: _, ...plain } = template
  const wrong: ReadonlyArray<readonly [says: string, Gateway]> = [
    ["its url is no http or https address", { ...plain, url: "ftp://gateway.kz" }],
    ["its url must be https", { ...plain, url: "http://gateway.kz" }],
    ["its host must be fixed", { ...plain, url: "https://{phone}.gateway.kz" }],
    ["credentials belong into headers", { ...plain, url: "https://me:secret@gateway.kz" }],
    ["its address is a private one", { ...plain, url: "https://10.0.0.1" }],
    ["its address is a private one", { ...plain, url: "https://169.254.169.254", privateNetworks: ["169.254.0.0/16"] }],
    ["its body is either json or form", { ...plain, url: "https://gateway.kz", form: {} }],
    ["a GET has no body", { ...plain, url: "https://gateway.kz", method: "GET" }],
    ["its text lacks {code}", { ...plain, url: "https://gateway.kz", text: "Code" }],
    ["{phone} is missing", { ...plain, url: "https://gateway.kz", json: "{text}" }],
    ["{text} is missing", { ...plain, url: "https://gateway.kz", json: "{phone}" }]
  ]
  it.each(wrong.map(([says, given]) => ({ says, given })))("is refused at once: $says", ({ says, given }) => {
    expect(() => httpChannel(given)).toThrow(says)
  })
})
