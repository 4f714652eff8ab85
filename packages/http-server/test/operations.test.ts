/** What operators see: health, metrics, logs, the answers while the storage is away, and an orderly stop. */
import { connect } from "node:net"
import { StorageError } from "@tolem/core/error/StorageError"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"
import { answersIn, exchange } from "./support/socket.ts"

const invoices = "/api/v1/invoices"

describe("health", () => {
  it("says that the process lives and that it is ready", async () => {
    const service = await start()
    try {
      expect((await call(service, "GET", "/health/live")).body).toEqual({ status: "live" })
      expect((await call(service, "GET", "/health/ready")).body).toEqual({ status: "ready" })
    } finally {
      await service.stop()
    }
  })
})

describe("a storage that is away", () => {
  const away = new StorageError({
    operation: "insert invoices",
    outcome: "nothing_written",
    retryable: true,
    cause: new Error("disk on fire at /var/secret/path")
  })
  let service: Service
  let key: Key
  beforeAll(async () => {
    service = await start({
      alter: (store) => ({
        ...store,
        insertMany: () => Effect.fail(away),
        details: () => Effect.die(new Error("a bug with a secret in it"))
      })
    })
    key = await service.key()
  })
  afterAll(() => service.stop())

  it("is told as 503 with a time to come back, and logged with its cause", async () => {
    const answer = await call(service, "POST", invoices, { key, body: { amount: 1 } })
    expect(answer.status).toBe(503)
    expect(answer.body["error"]).toBe("service_unavailable")
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    expect(answer.headers.get("x-ratelimit-remaining")).not.toBeNull()
    expect(answer.text).not.toContain("fire")
    const logged = service.logs.join("\n")
    expect(logged).toContain("disk on fire")
    expect(logged).toContain("insert invoices")
    expect(logged).toContain(answer.headers.get("x-request-id"))
  })

  it("a defect is told as 500 without its cause, and logged", async () => {
    const answer = await call(service, "GET", `${invoices}/inv_1`, { key })
    expect(answer.status).toBe(500)
    expect(answer.body["error"]).toBe("internal_error")
    expect(answer.text).not.toMatch(/bug|secret|Error:|at /)
    expect(service.logs.join("\n")).toContain("a bug with a secret in it")
  })

  it("a bulk request is refused as a whole", async () => {
    const answer = await call(service, "POST", `${invoices}/bulk`, { key, body: { invoices: [{ amount: 1 }] } })
    expect(answer.body["error"]).toBe("service_unavailable")
  })
})

describe("logs and metrics", () => {
  let service: Service
  let key: Key
  beforeAll(async () => {
    service = await start()
    key = await service.key()
  })
  afterAll(() => service.stop())

  it("say nothing of ordinary requests, and never name a key, a header or a body", async () => {
    await call(service, "POST", invoices, { key, body: { amount: 1, description: "birthday-present" } })
    await call(service, "POST", invoices, { key, body: { amount: "birthday-present" } })
    await call(service, "GET", `${invoices}?search=birthday-present`, {
      headers: { authorization: `Bearer ${key.apiKey}` }
    })
    await call(service, "GET", "/nowhere", { headers: { cookie: "birthday-present" } })
    expect(service.logs.join("\n")).not.toContain("birthday-present")
    expect(service.logs.join("\n")).not.toContain(key.apiKey)
    expect(service.logs.filter((line) => !line.includes('"Slow"'))).toEqual([])
  })

  it("count requests by method, route and status, and measure their durations", async () => {
    const countIn = (text: string, route: string) => {
      const series = `tolem_http_requests_total\\{method="GET",route="${route}",status="404"\\}`
      return Number(new RegExp(`^${series} (\\d+)`, "m").exec(text)?.[1] ?? 0)
    }
    const before = await call(service, "GET", "/metrics")
    await call(service, "GET", `${invoices}/inv_unknown`, { key })
    await call(service, "GET", "/nowhere/at/all")
    const { headers, text } = await call(service, "GET", "/metrics")
    expect(headers.get("content-type")).toContain("text/plain")
    for (const route of ["/api/v1/invoices/:id", "unmatched"]) {
      expect(countIn(text, route), route).toBe(countIn(before.text, route) + 1)
    }
    expect(text).toMatch(/^tolem_http_request_duration_seconds_bucket\{.*le="0\.005"/m)
    expect(text).not.toContain("inv_unknown")
    expect(text).not.toContain("/nowhere")
  })
})

describe("the documents", () => {
  it("are the contract as OpenAPI 3.1 and a page to try it, none of them from elsewhere", async () => {
    const service = await start()
    try {
      const document = await call(service, "GET", "/api/v1/openapi.json")
      expect(document.headers.get("content-type")).toContain("application/json")
      expect(document.body["openapi"]).toBe("3.1.0")
      expect(Object.keys(document.body["paths"]!)).toContain("/api/v1/invoices/{id}/refund")
      const page = await call(service, "GET", "/docs/console")
      expect(page.status).toBe(200)
      expect(page.headers.get("content-type")).toContain("text/html")
      expect(page.text).toContain("swagger-ui")
      expect(page.text).not.toMatch(/<(script|link|img)[^>]+(src|href)=["']?https?:/)
      expect((await call(service, "GET", "/docs/console")).status).toBe(200)
    } finally {
      await service.stop()
    }
  })
})

describe("a client that hangs up", () => {
  it("does not cut its write in two", async () => {
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const service = await start({
      alter: (store) => ({
        ...store,
        insertMany: (creations) =>
          Effect.promise(() => {
            reached.resolve()
            return gate.promise
          }).pipe(Effect.andThen(store.insertMany(creations)))
      })
    })
    try {
      const key = await service.key()
      const leaving = new AbortController()
      const sent = fetch(`${service.url}${invoices}`, {
        method: "POST",
        headers: { "x-api-key": key.apiKey, "content-type": "application/json", "idempotency-key": "left" },
        body: '{"amount":1}',
        signal: leaving.signal
      })
      await reached.promise
      leaving.abort()
      await expect(sent).rejects.toThrow()
      gate.resolve()
      const again = { key, body: { amount: 1 }, headers: { "idempotency-key": "left" } }
      expect((await call(service, "POST", invoices, again)).status).toBe(200)
      expect((await call(service, "GET", invoices, { key })).body["total"]).toBe(1)
    } finally {
      await service.stop()
    }
  })
})

describe("stopping", () => {
  it("first says that it is not ready while it still serves, then finishes what is under way", async () => {
    const gate = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const service = await start({
      drainMs: 300,
      alter: (store) => ({
        ...store,
        insertMany: (creations) =>
          Effect.promise(() => {
            reached.resolve()
            return gate.promise
          }).pipe(Effect.andThen(store.insertMany(creations)))
      })
    })
    const key = await service.key()
    const underWay = call(service, "POST", invoices, { key, body: { amount: 1 } })
    await reached.promise
    const stopped = service.stop()
    while ((await call(service, "GET", "/health/ready")).status !== 503);
    expect((await call(service, "GET", "/health/live")).status).toBe(200)
    expect((await call(service, "GET", invoices, { key })).status).toBe(200)
    gate.resolve()
    expect((await underWay).status).toBe(201)
    await stopped
    // A connection that was kept may be answered once more, that the server is away.
    const connected = new Promise((resolve, reject) => {
      const socket = connect(service.port, "127.0.0.1", () => resolve(socket.destroy()))
      socket.once("error", reject)
    })
    await expect(connected).rejects.toThrow("ECONNREFUSED")
  })

  it("does not wait for clients that never end their request", async () => {
    const service = await start({ graceMs: 50 })
    const { apiKey } = await service.key()
    const head = `POST ${invoices} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Type: application/json\r\n`
    const held = [`${head}Content-Length: 100\r\n\r\n{`, "GET / HTTP/1.1\r\n", ""].map((bytes) => {
      const socket = connect({ port: service.port, host: "127.0.0.1" })
      socket.on("error", () => {})
      socket.resume()
      const closed = new Promise((resolve) => socket.on("close", resolve))
      return new Promise<ReadonlyArray<Promise<unknown>>>((resolve) =>
        socket.write(bytes || " ", () => resolve([closed]))
      )
    })
    const closed = (await Promise.all(held)).flat()
    expect((await call(service, "GET", "/health/live")).status).toBe(200)
    await service.stop()
    await Promise.all(closed)
  })

  it("keeps idle connections from holding it up", async () => {
    const service = await start()
    const live = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    const open = exchange(service.port, live)
    const first = answersIn(await exchange(service.port, live, (received) => received.endsWith("}")))
    expect(first[0]?.status).toBe(200)
    await service.stop()
    expect(answersIn(await open)[0]?.status).toBe(200)
  })
})
