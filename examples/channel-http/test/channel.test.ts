import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Program from "@tolem/testing-harness/Program"
import { expect, it, onTestFinished } from "vitest"

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

const phone = "77001234567"

const folder = () => {
  const made = mkdtempSync(join(tmpdir(), "tolem-channel-"))
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  return made
}

it("logs people in at the reference server, which has it from its configuration file", async () => {
  const { asked, url } = await gateway()
  const variables = { SMS_URL: `${url}/v1/messages`, SMS_KEY: "s3cret", SMS_PRIVATE_NETWORKS: "127.0.0.1" }
  const cwd = join(import.meta.dirname, "..")
  const database = `sqlite:${join(folder(), "a.db")}`
  const options = { cwd, variables, fromSource: true }
  const server = await Program.serve(["serve", "--database", database], options)
  onTestFinished(async () => void (await server.kill()))
  const post = (path: string, body: object) =>
    fetch(`${server.url}/panel/login/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const { challengeId, channels } = await (await post("code", { phone: phone })).json()
  expect(channels).toEqual(["sms"])
  expect(asked).toMatchObject([{ method: "POST", url: "/v1/messages", headers: { authorization: "Bearer s3cret" } }])
  const { to, from, text } = JSON.parse(asked[0]?.body ?? "")
  expect([to, from, text]).toEqual(["+77001234567", "Dastarkhan", expect.stringMatching(/^Кіру коды: \d{6}$/)])
  const code = text.slice(-6)
  expect((await post("verify", { challengeId, code })).status).toBe(200)
  const { stdout, stderr } = await server.stop()
  for (const secret of [code, "s3cret"]) expect(stdout + stderr).not.toContain(secret)
})
