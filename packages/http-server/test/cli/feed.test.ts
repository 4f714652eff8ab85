/** What follows a running server: its events printed, and sent to a local address as webhooks are. */
import { writeFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { verify } from "@tolem/api/WebhookVerifier"
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it, onTestFinished } from "vitest"
import { begin, folder, result, run, service } from "./support.ts"

const refusal = (text: string) => JSON.parse(text.trim().split("\n").at(-1) ?? "").error

const shop = async (cwd: string) => {
  const { organization } = await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
  const org = ["--org", organization.id]
  const key = ["key", "create", ...org, "--mode", "sandbox", "--name", "k", "--scopes", "all"]
  const { apiKey } = await result(cwd, ...key)
  return { org, apiKey: apiKey as string }
}

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What a merchant's program takes; it answers with `status`. */
const receiver = async (status = 200) => {
  const received: Array<Received> = []
  const server = createServer((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk))
    request.on("end", () => {
      received.push({ headers: request.headers, body })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

describe("listen", () => {
  it("posts what happens from now on, with a webhook's body and signature, digits of metadata included", async () => {
    const cwd = folder()
    const { org, apiKey } = await shop(cwd)
    const server = await service(cwd)
    await result(cwd, "trigger", "invoice.failed", ...org)
    const { received, url } = await receiver()
    const args = ["listen", "--url", server.url, "--forward-to", url, "--print", "--json"]
    const listening = begin(cwd, args, { TOLEM_API_KEY: apiKey })
    const [line = ""] = await listening.says(/^\{"status":"listening".*$/m)
    const { secret } = JSON.parse(line)
    expect(secret).toMatch(/^whsec_/)

    const metadata = '{"b":12345678901234567890,"a":1.0}'
    const create = ["invoice", "create", ...org, "--mode", "sandbox", "--amount", "700", "--metadata", metadata]
    const made = await result(cwd, ...create)
    await result(cwd, "invoice", "pay", ...org, "--id", made.id)
    await listening.says(/"event":"invoice.paid"/)
    expect(received).toHaveLength(1)
    const [{ headers, body } = { headers: {}, body: "" }] = received
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "user-agent": "Tolem-Webhooks/1",
      "x-webhook-event": "invoice.paid"
    })
    expect(body).toContain(`"metadata":${metadata}`)
    const signed = { body, headers: headers as Record<string, string>, secret }
    expect(await verify(signed)).toMatchObject({ event: "invoice.paid", invoice: { id: made.id, status: "paid" } })
    const printed = JSON.parse(/^\{"event":"invoice.paid".*$/m.exec(listening.said.stdout)?.[0] ?? "")
    expect(printed).toMatchObject({ invoiceId: made.id, status: 200, body: { event: "invoice.paid" } })
    expect(listening.said.stdout + listening.said.stderr).not.toContain(apiKey)
    listening.signal("SIGINT")
    expect((await listening.ended).code).toBe(0)
  })

  it("signs with the secret of the environment, shows what is not taken, and outlives a server's restart", async () => {
    const cwd = folder()
    const { org, apiKey } = await shop(cwd)
    writeFileSync(join(cwd, "key.txt"), `${apiKey}\n`)
    const first = await service(cwd)
    const { received, url } = await receiver(500)
    const variables = { TOLEM_WEBHOOK_SECRET: "whsec_bXkgb3duIHNlY3JldCBvZiAyNCBieXRlcw==" }
    const args = ["listen", "--url", first.url, "--key-file", "key.txt", "--forward-to", url, "--types", "invoice.paid"]
    const listening = begin(cwd, args, variables)
    const [line = ""] = await listening.says(/^\{"status":"listening".*$/m)
    expect(JSON.parse(line)).not.toHaveProperty("secret")
    await first.stop()
    const second = begin(cwd, ["serve", "--port", `${first.port}`, "--json"])
    await second.says(/"status":"ready"/)
    await result(cwd, "trigger", "invoice.cancelled", ...org)
    await result(cwd, "trigger", "invoice.paid", ...org)
    await listening.says(/"event":"invoice.paid".*"status":500/)
    expect(received.map(({ headers }) => headers["x-webhook-event"])).toEqual(["invoice.paid"])
    const [{ headers, body } = { headers: {}, body: "" }] = received
    const signed = { body, headers: headers as Record<string, string>, secret: variables.TOLEM_WEBHOOK_SECRET }
    expect(await verify(signed)).toMatchObject({ event: "invoice.paid" })
  })
})

describe("trigger", () => {
  it("lets each event happen in the sandbox", async () => {
    const cwd = folder()
    const { org } = await shop(cwd)
    const last = async (event: string) => (await result(cwd, "trigger", event, ...org)).happened.at(-1)
    const all = ["paid", "failed", "expired", "cancelled", "refunded", "partially_refunded"]
    for (const event of all.map((name) => `invoice.${name}`)) expect(await last(event)).toBe(event)
    expect(await result(cwd, "verify")).toMatchObject({ ok: true })
    expect((await run(cwd, ["trigger", "invoice.lost", ...org])).code).toBe(2)
    const small = await run(cwd, ["trigger", "invoice.paid", ...org, "--amount", "0"])
    expect([small.code, refusal(small.stderr)]).toEqual([1, "amount_too_small"])
    const none = await run(cwd, ["trigger", "invoice.paid", "--org", "org_nobody"])
    expect([none.code, refusal(none.stderr)]).toEqual([1, "organization_not_found"])
  })
})

describe("events", () => {
  it("prints those that were, by type, and follows those to come", async () => {
    const cwd = folder()
    const { org, apiKey } = await shop(cwd)
    const server = await service(cwd)
    const variables = { TOLEM_API_KEY: apiKey }
    await result(cwd, "trigger", "invoice.paid", ...org)
    const lines = async (...args: ReadonlyArray<string>) => {
      const { code, stdout, stderr } = await run(cwd, ["events", "--url", server.url, ...args], variables)
      expect([code, stderr]).toEqual([0, ""])
      return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    }
    const all = await lines()
    expect(all.map(({ type }) => type)).toEqual(["invoice.created", "invoice.paid"])
    expect(await lines("--types", "invoice.paid")).toEqual([all[1]])
    expect(await lines("--after", all[0].cursor)).toEqual([all[1]])

    const args = ["events", "--url", server.url, "--follow", "--after", all[1].cursor]
    const following = begin(cwd, args, variables)
    await call(server.url, apiKey, "/invoices", { amount: 700 })
    const [line = ""] = await following.says(/^\{.*"type":"invoice.created".*$/m)
    expect(JSON.parse(line).invoice.amount).toBe(700)
    following.signal("SIGTERM")
    expect((await following.ended).code).toBe(0)
  })

  it("says what is wrong: no key, a wrong one, no server, a wrong place", async () => {
    const cwd = folder()
    const { apiKey } = await shop(cwd)
    const server = await service(cwd)
    const at = ["--url", server.url]
    const wrong = [
      ["usage", [...at], {}],
      ["usage", [...at, "--key-file", "missing.txt"], {}],
      ["usage", [...at], { TOLEM_API_KEY: "två ord" }],
      ["usage", ["--url", "localhost"], { TOLEM_API_KEY: apiKey }],
      ["invalid_api_key", [...at], { TOLEM_API_KEY: "svc_test_wrong" }],
      ["server_unreachable", ["--url", "http://127.0.0.1:9"], { TOLEM_API_KEY: apiKey }],
      ["invalid_api_key", [], { TOLEM_API_KEY: "svc_test_wrong", TOLEM_PORT: `${server.port}` }],
      ["invalid_after", [...at, "--after", "yesterday"], { TOLEM_API_KEY: apiKey }],
      ["invalid_types", [...at, "--types", "invoice.lost"], { TOLEM_API_KEY: apiKey }]
    ] as const
    for (const [code, args, variables] of wrong) {
      const ended = await run(cwd, ["events", ...args], variables)
      expect([refusal(ended.stderr), ended.code, ended.stdout]).toEqual([code, code === "usage" ? 2 : 1, ""])
      expect(ended.stderr).not.toContain(apiKey)
    }
    const key = { TOLEM_API_KEY: apiKey }
    const afar = ["--forward-to", "http://shop.example/hook"]
    for (const args of [[], afar, ["--forward-to", "shop"], ["--print", "--types", "invoice.created"]]) {
      expect((await run(cwd, ["listen", ...at, ...args], key)).code).toBe(2)
    }
    expect(refusal((await run(cwd, ["listen", "--url", "http://127.0.0.1:9", "--print"], key)).stderr)).toBe(
      "server_unreachable"
    )
  })
})
