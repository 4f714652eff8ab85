/** Login codes of a server that is run from the command line: none are sent until a channel is named. */
import { entry } from "@tolem/core/error/ErrorCatalog"
import { describe, expect, it } from "vitest"
import { eventually } from "../support/eventually.ts"
import { folder, service } from "./support.ts"

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
