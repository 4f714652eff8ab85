/** Login codes of a server that is run from the command line: none are sent until a channel is named. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { entry } from "@tolem/core/error/ErrorCatalog"
import { describe, expect, it, onTestFinished } from "vitest"
import { eventually } from "../support/eventually.ts"
import { folder, run, service } from "./support.ts"

const post = (url: string, path: string, body: object) =>
  fetch(`${url}/panel${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
const codeIn = (log: string) =>
  log
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line).annotations?.code)
    .find((code) => code !== undefined)

describe("a server without a login channel", () => {
  it("sends no code", async () => {
    const { url } = await service(folder())
    const response = await post(url, "/login/code", { phone: "77001234567" })
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({ error: "no_channel", message: entry("no_channel").kk })
  })
})

describe("the console channel", () => {
  const ways: ReadonlyArray<readonly [ReadonlyArray<string>, Record<string, string>]> = [
    [["start", "--login-channel", "console"], {}],
    [["serve"], { TOLEM_LOGIN_CHANNELS: "console" }]
  ]

  it.each(ways.map(([args, variables]) => ({ args, variables })))("logs in through the log: $args", async (way) => {
    const server = await service(folder(), way.args, way.variables)
    const begun = await post(server.url, "/login/code", { phone: "77001234567" })
    const { challengeId, channels } = await begun.json()
    expect(channels).toEqual(["console"])
    const code = await eventually(() => codeIn(server.said.stderr) ?? Promise.reject(new Error("not logged yet")))
    const opened = await post(server.url, "/login/verify", { challengeId, code })
    expect(opened.status).toBe(200)
    const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";")
    const session = await fetch(`${server.url}/panel/session`, { headers: { cookie } })
    expect((await session.json()).account.phone).toBe("7700*****67")
    server.signal("SIGTERM")
    const { stdout, stderr } = await server.ended
    expect(stdout + stderr).not.toContain(cookie.split("=")[1])
  })
})

describe("a gateway that the environment describes", () => {
  const gatewayOf = (url: string, more: object = {}) =>
    JSON.stringify({
      url,
      headers: { authorization: "Bearer s3cret" },
      json: { to: "+{phone}", text: "{text}" },
      text: "Кіру коды: {code}",
      privateNetworks: ["127.0.0.1"],
      ...more
    })

  it("carries codes, and its failures are in the log without what it was sent", async () => {
    const texts: Array<string> = []
    const gateway = createServer(async (request, response) => {
      expect(request.headers.authorization).toBe("Bearer s3cret")
      const { to, text } = JSON.parse(Buffer.concat(await request.toArray()).toString())
      texts.push(`${to} ${text}`)
      response.end(texts.length === 1 ? '{"id": 17}' : '{"error": "no money"}')
    }).listen(0, "127.0.0.1")
    onTestFinished(() => {
      gateway.closeAllConnections()
      gateway.close()
    })
    await once(gateway, "listening")
    const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/messages`
    const server = await service(folder(), ["serve"], {
      TOLEM_SMS_GATEWAY: gatewayOf(url, { accepted: '"id"', refused: '"error"' })
    })
    const begun = await post(server.url, "/login/code", { phone: "77001234567" })
    const { challengeId, channels } = await begun.json()
    expect(channels).toEqual(["sms"])
    const code = /^\+77001234567 Кіру коды: (\d{6})$/.exec(texts[0] ?? "")?.[1]
    expect((await post(server.url, "/login/verify", { challengeId, code })).status).toBe(200)
    // Another one, whose code it does not take.
    expect((await post(server.url, "/login/code", { phone: "77001234568" })).status).toBe(503)
    // And a channel that there is not.
    const chosen = await post(server.url, "/login/code", { phone: "77001234569", channel: "pigeon" })
    expect([chosen.status, (await chosen.json()).error]).toEqual([403, "channel_forbidden"])
    server.signal("SIGTERM")
    const { stdout, stderr } = await server.ended
    expect(stderr).toContain("has refused the message")
    for (const secret of ["s3cret", texts[1]?.slice(-6) ?? "", "77001234568"]) {
      expect(stdout + stderr).not.toContain(secret)
    }
  })

  const wrong: ReadonlyArray<readonly [string, RegExp]> = [
    ["{", /must be JSON with url and text/],
    [gatewayOf("https://gateway.kz", { txt: "1" }), /must be JSON with url and text/],
    [gatewayOf("http://gateway.kz/s3cret"), /its url must be https/],
    [gatewayOf("https://gateway.kz", { accepted: "(" }), /must be regular expressions/]
  ]
  it.each(wrong.map(([gateway, says]) => ({ gateway, says })))(
    "is refused before anything is made: $says",
    async (given) => {
      const options = ["serve", "--port", "0"]
      const { code, stderr, stdout } = await run(folder(), options, { TOLEM_SMS_GATEWAY: given.gateway })
      expect(code).not.toBe(0)
      expect(stderr).toMatch(given.says)
      expect(stdout + stderr).not.toContain("s3cret")
    }
  )
})
