/** The web handler of an engine that an application has: under a path, in parts, and on Node's own server. */
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, EngineClosed, type EngineOptions } from "@tolem/core"
import { afterEach, describe, expect, it } from "vitest"
import { toNodeHandler } from "../src/NodeHandler.ts"
import { handler } from "../src/WebHandler.ts"

const ends: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const started = async (options: Partial<EngineOptions<unknown>> = {}) => {
  const engine = await createEngine({
    database: sqlite({ filename: ":memory:" }),
    platform: nodePlatform(),
    secretKeys: ["a key for tests only, of no use anywhere else"],
    agents: false,
    ...options
  })
  ends.push(engine.close)
  const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })
  return { engine, shop }
}

const baseUrl = "https://shop.kz/payments"
const get = (serve: ReturnType<typeof handler>, path: string) => serve(new Request(`https://shop.kz${path}`))

describe("the handler of an engine", () => {
  it("serves that engine's own invoices, and the documents", async () => {
    const { engine, shop } = await started()
    const serve = handler(engine)
    const { id } = await shop.invoices.create({ amount: 1500 })
    expect((await get(serve, `/pay/${id}`)).status).toBe(200)
    expect((await get(serve, "/api/v1/openapi.json")).status).toBe(200)
    for (let again = 0; again < 2; again++) {
      expect((await get(serve, "/docs")).status).toBe(200)
      const docs = await get(serve, "/docs/console")
      expect([docs.status, docs.headers.get("content-type")]).toEqual([200, "text/html"])
      expect(await docs.text()).toContain("swagger")
    }
  })

  it("is under the path of its base address, whether the framework takes that away or not", async () => {
    const { engine, shop } = await started({ settings: { baseUrl } })
    const serve = handler(engine)
    const { id, payUrl } = await shop.invoices.create({ amount: 1500 })
    expect(payUrl).toBe(`${baseUrl}/pay/${id}`)
    for (const path of [`/payments/pay/${id}`, `/pay/${id}`]) expect((await get(serve, path)).status).toBe(200)
    const refused = await get(serve, "/payments/api/v1/orders")
    expect([refused.status, await refused.json()]).toMatchObject([401, { error: "unauthorized" }])
    for (const path of ["/paymentspay/x", "/payments"]) expect((await get(serve, path)).status).toBe(404)
    const document = await (await get(serve, "/payments/api/v1/openapi.json")).json()
    expect(document.servers).toEqual([{ url: baseUrl }])
    expect(() => handler(engine, { basePath: "/money" })).toThrow("has to end with the base path, /money")
  })

  it("serves the parts that are asked for", async () => {
    const { engine, shop } = await started()
    const serve = handler(engine, { only: ["pages"] })
    const { id } = await shop.invoices.create({ amount: 1500 })
    expect((await get(serve, `/pay/${id}`)).status).toBe(200)
    for (const path of ["/api/v1/orders", "/metrics", "/health/live", "/docs", "/panel/v1/session"]) {
      expect([path, (await get(serve, path)).status]).toEqual([path, 404])
    }
    const api = handler(engine, { only: ["api", "health"] })
    expect((await get(api, "/api/v1/orders")).status).toBe(401)
    expect((await get(api, "/health/ready")).status).toBe(200)
    expect((await get(api, `/pay/${id}`)).status).toBe(404)
  })

  it("logs where its engine does", async () => {
    const logs: Array<string> = []
    const note = (_: object, message: string) => void logs.push(message)
    const { engine } = await started({ logger: { debug: note, info: note, warn: note, error: note } })
    expect((await get(handler(engine), "/api/v1/invoices")).status).toBe(401)
    expect(logs).toEqual(["Refused"])
  })

  it("is closed with the engine", async () => {
    const { engine, shop } = await started()
    const serve = handler(engine)
    const { id } = await shop.invoices.create({ amount: 1500 })
    expect((await get(serve, `/pay/${id}`)).status).toBe(200)
    await engine.close()
    await expect(get(serve, `/pay/${id}`).then(({ status }) => status)).resolves.toBeGreaterThanOrEqual(500)
  })
})

describe("a request that waits for events", () => {
  const waiting = async (wait: number) => {
    const logs: Array<string> = []
    const note = (_: object, message: string) => void logs.push(message)
    const { engine, shop } = await started({ logger: { debug: note, info: note, warn: note, error: note } })
    const serve = handler(engine)
    const scopes = ["invoices:read"] as const
    const { organizationId, mode } = shop
    const { apiKey } = await engine.organizations.createKey({ organizationId, mode, name: "k", scopes })
    const headers = { "x-api-key": apiKey }
    const asked = serve(new Request(`https://shop.kz/api/v1/events?wait=${wait}`, { headers }))
    return { engine, serve, asked, logs }
  }

  it("is answered when the engine is closed", async () => {
    // Longer than the engine lets it.
    const { engine, asked, logs } = await waiting(20)
    await engine.close()
    const answer = await asked
    expect([answer.status, await answer.json()]).toMatchObject([200, { events: [], more: false }])
    expect(logs).not.toContain("Failed")
  })

  it("is no slow one", async () => {
    const { serve, asked, logs } = await waiting(2)
    const seconds = async () => {
      const metrics = await (await get(serve, "/metrics")).text()
      const line = /request_duration_seconds_sum\{(?=[^}]*"\/api\/v1\/events")(?=[^}]*"200")[^}]*\} (\S+)/
      return Number(line.exec(metrics)?.[1] ?? 0)
    }
    const before = await seconds()
    expect((await asked).status).toBe(200)
    expect(logs).toEqual([])
    const spent = (await seconds()) - before
    expect(spent).toBeGreaterThan(0)
    // The wait alone took as long.
    expect(spent).toBeLessThan(2)
  })
})

describe("on Node's own server", () => {
  const listening = async (serve: ReturnType<typeof handler>) => {
    const server = createServer(toNodeHandler(serve)).listen(0)
    await new Promise((resolve) => server.once("listening", resolve))
    ends.push(async () => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  it("takes bodies, and answers with every header", async () => {
    const { engine, shop } = await started()
    const url = await listening(handler(engine))
    const scopes = ["invoices:write"] as const
    const { organizationId, mode } = shop
    const { apiKey } = await engine.organizations.createKey({ organizationId, mode, name: "k", scopes })
    const headers = { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": "one" }
    const body = '{"amount":1500,"metadata":{"n":1e400}}'
    const made = await fetch(`${url}/api/v1/invoices`, { method: "POST", headers, body })
    expect([made.status, made.headers.get("x-request-id") !== null]).toEqual([201, true])
    expect(await made.text()).toContain('"metadata":{"n":1e400}')
    const large = await fetch(`${url}/api/v1/invoices`, { method: "POST", headers, body: "x".repeat(300_000) })
    expect(large.status).toBe(413)
    const wrong = await fetch(`${url}/api/v1/invoices`, { method: "PUT", headers, body })
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"])
    expect((await fetch(`${url}/docs`)).status).toBe(200)
    expect((await fetch(`${url}//nobody.example/pay`)).status).toBe(404)
  })

  it("refuses a method that the web's requests do not have, and stays up", async () => {
    const { engine } = await started()
    const url = await listening(handler(engine))
    const asked = request(url, { method: "TRACE" }).end()
    const [answer] = await once(asked, "response")
    answer.resume()
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"])
    expect((await fetch(`${url}/docs`)).status).toBe(200)
  })

  it("answers 500 where the handler breaks, and cuts off an answer that breaks", async () => {
    const warnings: Array<unknown> = []
    const note = (warning: unknown) => void warnings.push(warning)
    process.on("warning", note)
    ends.push(async () => process.off("warning", note))
    const broken = new Error("the handler is broken")
    const url = await listening(() => Promise.reject(broken))
    expect((await fetch(url)).status).toBe(500)
    await expect.poll(() => warnings).toContain(broken)
    const body = new ReadableStream({
      pull: (pulled) => pulled.error(broken)
    })
    const half = await listening(async () => new Response(body))
    await expect(fetch(half).then((answer) => answer.text())).rejects.toThrow()
  })

  it("limits visitors by their own addresses", async () => {
    const { engine } = await started({ settings: { visitors: { unknownPerMinute: 1 } } })
    const url = await listening(handler(engine))
    for (let visits = 0; visits < 5; visits++) expect((await fetch(`${url}/l/nobody`)).status).toBe(410)
  })
})

describe("a tick", () => {
  it("makes happen what is due where no agents are, and no more after that", async () => {
    const { engine, shop } = await started({ settings: { qrWindowMs: 1 } })
    const expired = ({ expiresAt }: { expiresAt: string | null }) =>
      expect.poll(() => Date.now() > Date.parse(String(expiresAt))).toBe(true)
    const made = await shop.invoices.create({ amount: 1500 })
    const { id } = made
    await expired(made)
    expect((await shop.invoices.get(id)).status).toBe("pending")
    await engine.tick({ forMs: 1000 })
    expect((await shop.invoices.get(id)).status).toBe("expired")
    const later = await shop.invoices.create({ amount: 1500 })
    await expired(later)
    expect((await shop.invoices.get(later.id)).status).toBe("pending")
    await engine.tick({ forMs: 1000 })
    expect((await shop.invoices.get(later.id)).status).toBe("expired")
    await engine.close()
    await expect(engine.tick()).rejects.toBeInstanceOf(EngineClosed)
  })
})
