import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as WebHandler from "../src/WebHandler.ts"
import { expectRefusal } from "./support/calls.ts"
import * as TestClock from "./support/clock.ts"

// Held still: a minute that began meanwhile would count anew.
const time: TestClock.TestTime = { now: Date.UTC(2026, 0, 10, 7) }

const services = Engine.layer().pipe(
  Layer.provideMerge(Sqlite.layer({ filename: ":memory:" })),
  Layer.provide(SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")])),
  Layer.provideMerge(NodeCrypto.layer),
  Layer.provideMerge(TestClock.layer(time))
)
const runtime = ManagedRuntime.make(services)
let web: WebHandler.WebHandler
let apiKey: string

beforeAll(async () => {
  const context = await runtime.context()
  web = WebHandler.make(Layer.succeedContext(context))
  const made = Engine.use(({ organizations }) =>
    Effect.flatMap(organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" }), ({ organization }) =>
      organizations.createKey({
        organizationId: organization.id,
        mode: "sandbox",
        name: "web",
        scopes: ["invoices:write"]
      })
    )
  )
  apiKey = Redacted.value((await runtime.runPromise(made)).text)
})
afterAll(async () => {
  await web.dispose()
  await runtime.dispose()
})

const post = (path: string, body: BodyInit, headers: Record<string, string> = {}) =>
  web.handler(
    new Request(`https://shop.example${path}`, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}`, ...headers }
    })
  )

describe("the service as one function", () => {
  it("creates an invoice in the engine that runs already", async () => {
    const response = await post("/api/v1/invoices", '{"amount":1500,"metadata":{"n":1e400}}')
    expect(response.status).toBe(201)
    const text = await response.text()
    expect(text).toContain('"metadata":{"n":1e400}')
    expect(response.headers.get("x-ratelimit-remaining")).toBe("199")
    const { id } = JSON.parse(text)
    const stored = Engine.use((engine) =>
      engine.invoices.list({ organizationId: "x", mode: "sandbox", connectionId: null, source: "api" }, { search: id })
    )
    expect((await runtime.runPromise(stored)).total).toBe(0)
  })

  it("refuses in the same shape as the listening server", async () => {
    const codeOf = async (response: Response) => {
      const text = await response.text()
      expectRefusal(response.status, text)
      expect(response.headers.get("x-request-id")).not.toBeNull()
      return JSON.parse(text).error
    }
    expect(await codeOf(await post("/api/v1/invoices", "{"))).toBe("invalid_json")
    expect(await codeOf(await post("/api/v1/invoices", "{}", { "content-type": "text/plain" }))).toBe(
      "unsupported_media_type"
    )
    expect(await codeOf(await post("/api/v1/invoices", "x".repeat(300_000)))).toBe("payload_too_large")
    expect(await codeOf(await post("/api/v1/invoices", '{"amount":"1"}'))).toBe("invalid_amount")
    expect(await codeOf(await post("/api/v1/nowhere", "{}"))).toBe("route_not_found")
    const put = await web.handler(new Request("https://shop.example/api/v1/orders", { method: "PUT" }))
    expect(put.headers.get("allow")).toBe("GET, HEAD, POST")
    expect(await codeOf(put)).toBe("method_not_allowed")
    expect(await codeOf(await web.handler(new Request("https://shop.example/api/v1/orders")))).toBe("unauthorized")
  })

  it("takes forms", async () => {
    const made = await post("/api/v1/form-hooks", '{"name":"x"}')
    const url = `https://shop.example/f/${JSON.parse(await made.text()).id}`
    const form = new FormData()
    form.append("amount", "1500,50")
    form.append("photo", new Blob(["x"]), "photo.jpg")
    for (const body of [form, new URLSearchParams({ sum: "10" })]) {
      const response = await web.handler(new Request(url, { method: "POST", body }))
      expect(JSON.parse(await response.text())).toMatchObject({ ok: true })
    }
  })

  it("limits visitors by the addresses that it is told, IPv6 by its network, and the others together", async () => {
    const ask = async (address?: string | null) =>
      (await web.handler(new Request("https://shop.example/l/nobody"), { address })).status
    const statuses = async (count: number, addressOf: (n: number) => string | null | undefined) =>
      new Set(await Promise.all(Array.from({ length: count }, (_, n) => ask(addressOf(n)))))
    expect(await statuses(120, (n) => `2001:db8:1:2:3:4:5:${n.toString(16)}`)).toEqual(new Set([410]))
    expect(await ask("2001:db8:1:2:ffff::1")).toBe(429)
    expect(await ask("2001:db8:1:3::1")).toBe(410)
    time.now += 60_000
    expect(await ask("2001:db8:1:2:ffff::1")).toBe(410)
    expect(await statuses(300, (n) => (n % 2 === 0 ? null : undefined))).toEqual(new Set([410]))
  })

  it("gives back the room of large requests", async () => {
    for (let i = 0; i < 300; i++) expect((await post(`/l/nobody-${i}`, '{"amount":1}')).status).toBe(410)
  })

  it("serves its health and documents as well", async () => {
    const get = (path: string) => web.handler(new Request(`https://shop.example${path}`))
    expect((await get("/health/ready")).status).toBe(200)
    expect((await get("/api/v1/openapi.json")).status).toBe(200)
  })
})
