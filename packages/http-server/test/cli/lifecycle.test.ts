import { spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { join } from "node:path"
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it } from "vitest"
import { begin, folder, result, run, service } from "./support.ts"

describe("start", () => {
  it("shows a sandbox key and three calls that work as pasted on the first start, and no key later", async () => {
    const cwd = folder()
    const first = begin(cwd, ["start", "--port", "0"])
    await first.says(/Ctrl\+C/)
    const [apiKey = ""] = /svc_test_[0-9A-Za-z]+/.exec(first.said.stdout) ?? []
    const [address = ""] = /http:\/\/localhost:\d+/.exec(first.said.stdout) ?? []
    expect((await call(address, apiKey, "/invoices")).body.total).toBe(0)

    const links = Array.from(first.said.stdout.matchAll(/^ {2}(pay page|cabinet) +(\S+)$/gm), ([, , link = ""]) => link)
    expect(links).toHaveLength(2)
    const asked = { headers: { accept: "text/html" } }
    for (const link of links) expect((await fetch(link, asked)).status).toBe(200)
    expect(await (await fetch(links[0] ?? "")).text()).toContain("Two coffees")
    expect(first.said.stdout).not.toMatch(/^\{/m)

    const pasted = first.said.stdout.split("\n").filter((line) => /^(INVOICE=|curl )/.test(line))
    expect(pasted).toHaveLength(3)
    const shell = spawnSync("bash", ["-c", pasted.join("\n")], { encoding: "utf8" })
    const [id, paid = "", read = ""] = shell.stdout.trim().split("\n")
    expect(id).toMatch(/^inv_/)
    expect(JSON.parse(paid)).toMatchObject({ id, status: "paid", amount: 1500 })
    expect(JSON.parse(read)).toMatchObject({ id, status: "paid", events: [{}, { type: "invoice.paid" }] })
    expect(first.said.stderr).not.toContain(apiKey)
    first.signal("SIGINT")
    expect((await first.ended).code).toBe(0)

    const second = begin(cwd, ["start", "--port", "0"])
    await second.says(/Ctrl\+C/)
    expect(second.said.stdout).toMatch(/http:\/\/localhost:\d+/)
    expect(new URL(/pay page +(\S+)/.exec(second.said.stdout)?.[1] ?? "").pathname).toBe(
      new URL(links[0] ?? "").pathname
    )
    expect(second.said.stdout).toContain("shown at the first start")
    expect(second.said.stdout).not.toMatch(/svc_(test|live)_/)

    const [, another = ""] = /^npm run -s tolem -- (.*)$/m.exec(second.said.stdout) ?? []
    const made = await result(cwd, ...another.replaceAll("'", "").split(" "))
    const [again = ""] = /http:\/\/localhost:\d+/.exec(second.said.stdout) ?? []
    expect((await call(again, made.apiKey, "/invoices")).body.total).toBe(1)
    second.signal("SIGTERM")
    expect((await second.ended).code).toBe(0)
  })

  it("makes nothing in a database that has organizations already", async () => {
    const cwd = folder()
    await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
    const { ready } = await service(cwd, ["start"])
    expect(ready).toMatchObject({ status: "ready", firstStart: false })
  })
})

describe("demo", () => {
  it("creates, pays and announces an invoice with a verified signature, and leaves nothing behind", async () => {
    const temporary = folder()
    const { code, stdout, stderr } = await run(folder(), ["demo"], { TMPDIR: temporary })
    expect(stderr).toBe("")
    expect(code).toBe(0)
    expect(stdout).toMatch(/1\. The service runs at http/)
    expect(stdout).toMatch(/inv_\w+ over 1500 KZT is pending/)
    expect(stdout).toMatch(/inv_\w+ is paid, receipt \d{8}/)
    expect(stdout).toMatch(/X-Webhook-Signature: sha256=[0-9a-f]{64}/)
    expect(stdout).toContain("the signature is right")
    expect(readdirSync(temporary)).toEqual([])
  })

  it("ends with 1 where it cannot do what it shows", async () => {
    const { code, stdout } = await run(folder(), ["demo"], { TMPDIR: join(folder(), "missing") })
    expect(code).toBe(1)
    expect(stdout).not.toContain("Done")
  })
})

describe("serve", () => {
  it("says where it listens, and tells customers the address that it is given", async () => {
    const cwd = folder()
    const variables = { TOLEM_BASE_URL: "https://pay.shop.kz/", TOLEM_LOG_LEVEL: "none" }
    const server = await service(cwd, ["serve", "--host", "127.0.0.1"], variables)
    const database = "sqlite:.tolem/tolem.db"
    const port = expect.any(Number)
    expect(server.ready).toEqual({ status: "ready", port, baseUrl: "https://pay.shop.kz", database })
    expect((await fetch(`${server.url}/health/ready`)).status).toBe(200)
    const { organization } = await result(cwd, "org", "create", "--name", "S", "--owner-phone", "77001234567")
    const of = ["--org", organization.id, "--mode", "sandbox", "--name", "till", "--scopes", "all"]
    const { apiKey } = await result(cwd, "key", "create", ...of)
    const { body } = await call(server.url, apiKey, "/invoices", { amount: 10 })
    expect(body.payUrl).toBe(`https://pay.shop.kz/pay/${body.id}`)
    server.signal("SIGTERM")
    expect(await server.ended).toMatchObject({ code: 0, stderr: "" })
  })

  it("keeps to the request rates that it is given", async () => {
    const cwd = folder()
    const server = await service(cwd, ["start", "--writes-per-minute", "7"], { TOLEM_READS_PER_MINUTE: "9" })
    const headers = { "X-API-Key": server.ready.apiKey, "Content-Type": "application/json" }
    const url = `${server.url}/api/v1/invoices`
    expect((await fetch(url, { headers })).headers.get("x-ratelimit-limit")).toBe("9")
    const written = await fetch(url, { headers, method: "POST", body: JSON.stringify({ amount: 1 }) })
    expect(written.headers.get("x-ratelimit-limit")).toBe("7")
  })

  it("keeps nothing in memory beyond its end, and no key file beside it", async () => {
    const cwd = folder()
    const server = await service(cwd, ["start", "--database", "sqlite::memory:"])
    expect(server.ready.firstStart).toBe(true)
    expect((await call(server.url, server.ready.apiKey, "/invoices", { amount: 1500 })).status).toBe(201)
    server.signal("SIGTERM")
    await server.ended
    expect(readdirSync(cwd)).toEqual([])
  })

  it("ends with 1 where the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1")
    await new Promise((resolve) => other.once("listening", resolve))
    const { port } = other.address() as AddressInfo
    const { code, stdout, stderr } = await run(folder(), ["serve", "--host", "127.0.0.1", "--port", `${port}`])
    other.close()
    expect(code).toBe(1)
    expect(stdout).toBe("")
    const message = `Port ${port} is taken, perhaps by another server. End that one, or name another port with --port.`
    expect(JSON.parse(stderr)).toEqual({ error: "cannot_listen", message })
  })

  it("logs what people can read, if that is asked for", async () => {
    const server = await service(folder(), ["start"], { TOLEM_LOG_FORMAT: "pretty" })
    const { stderr } = await server.stop()
    expect(stderr).toMatch(/ INFO \(#\d+\): Service: ready\n +port: /)
    expect(stderr).not.toMatch(/[{"]/)
  })

  it("logs JSON lines to standard error, without keys and secrets", async () => {
    const cwd = folder()
    const server = await service(cwd, ["start"], { TOLEM_LOG_LEVEL: "all" })
    const { apiKey } = server.ready
    const created = await call(server.url, apiKey, "/webhook-endpoints", { url: "http://127.0.0.1:9/" })
    await call(server.url, apiKey, `/webhook-endpoints/${created.body.id}/test`, {})
    await call(server.url, `${apiKey}x`, "/invoices")
    server.signal("SIGTERM")
    const { stderr } = await server.ended
    const lines = stderr.trim().split("\n")
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("level")
    const keyFile = readFileSync(join(cwd, ".tolem/tolem.db.key"), "utf8").trim()
    for (const secret of [apiKey, created.body.secret, keyFile]) expect(stderr).not.toContain(secret)
  })
})

/** A request that the server has taken, and whose body comes when the test says so. */
const slowRequest = async (port: number, apiKey: string) => {
  const body = JSON.stringify({ amount: 1500 })
  const socket = connect(port, "127.0.0.1").setEncoding("utf8")
  let text = ""
  const taken = new Promise<void>((resolve, reject) => {
    socket.on("data", (chunk) => {
      text += chunk
      if (text.includes("100 Continue")) resolve()
    })
    socket.once("error", reject)
  })
  const answer = new Promise<string>((resolve) => {
    socket.once("close", () => resolve(text))
  })
  const head = [
    "POST /api/v1/invoices HTTP/1.1",
    "Host: localhost",
    `X-API-Key: ${apiKey}`,
    "Content-Type: application/json",
    "Expect: 100-continue",
    `Content-Length: ${body.length}`
  ]
  socket.write(`${head.join("\r\n")}\r\n\r\n`)
  await taken
  return { answer, finish: () => void socket.write(body) }
}

const untilDraining = async (url: string): Promise<void> => {
  const { ok } = await fetch(`${url}/health/ready`).catch(() => ({ ok: false }))
  if (ok) await untilDraining(url)
}

describe("signals", () => {
  it("let a request that is under way finish, and then end with 0", async () => {
    const server = await service(folder(), ["start"])
    const request = await slowRequest(server.ready.port, server.ready.apiKey)
    server.signal("SIGTERM")
    await untilDraining(server.url)
    request.finish()
    expect(await request.answer).toMatch(/^HTTP\/1\.1 201 [\s\S]*"status":"pending"/m)
    expect((await server.ended).code).toBe(0)
  })

  it("that come again end it at once, whatever is under way", async () => {
    const server = await service(folder(), ["start"])
    const request = await slowRequest(server.ready.port, server.ready.apiKey)
    let over = false
    const ended = server.ended.finally(() => {
      over = true
    })
    while (!over) {
      server.signal("SIGTERM")
      await Promise.race([ended, fetch(`${server.url}/health/live`).catch(() => undefined)])
    }
    await request.answer
    expect((await ended).code).toBe(143)
  })
})

describe("a folder that cannot be written", () => {
  it("is named in the error", async () => {
    const cwd = folder()
    mkdirSync(join(cwd, "taken.db"))
    const { code, stderr } = await run(cwd, ["migrate", "--database", "sqlite:taken.db"])
    expect(code).toBe(1)
    expect(stderr).toContain("taken.db")
  })
})
