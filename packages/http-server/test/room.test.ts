import { connect, type Socket } from "node:net"
import { defaults } from "@tolem/core/engine/Settings"
import { IpNetwork } from "effect/net"
import { afterEach, describe, expect, it, onTestFinished } from "vitest"
import { call } from "./support/calls.ts"
import { eventually } from "./support/eventually.ts"
import { type Key, type Service, start } from "./support/service.ts"

let service: Service
afterEach(() => service.stop())

const large = { amount: 10, metadata: { text: "x".repeat(15_000) } }
const room = { ...defaults.room, smallBytes: 4_000, waitMs: 200 }

/** A bulk request of 100 000 bytes of which only the first half ever comes. */
const halfSent = ({ apiKey }: Key): Socket => half("POST /api/v1/invoices/bulk HTTP/1.1", `X-API-Key: ${apiKey}`)

const half = (line: string, header: string): Socket => {
  const socket = connect({ port: service.port, host: "127.0.0.1" })
  onTestFinished(() => void socket.destroy())
  socket.on("error", () => {})
  const head = [line, "Host: x", header, "Content-Length: 100000"]
  socket.write(`${head.join("\r\n")}\r\nContent-Type: application/json\r\n\r\n${"x".repeat(50_000)}`)
  return socket
}

/** A reader who takes the head of an answer, and then reads no more. */
const begunToRead = (path: string): Promise<void> => {
  const socket = connect({ port: service.port, host: "127.0.0.1" })
  onTestFinished(() => void socket.destroy())
  socket.on("error", () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  return new Promise((resolve) => {
    socket.once("data", (chunk) => {
      socket.pause()
      expect(chunk.toString("latin1").slice(0, 12)).toBe("HTTP/1.1 200")
      resolve()
    })
  })
}

describe("room for bodies", () => {
  it("is shared: who fills it waits and is refused, others and small requests are served", async () => {
    service = await start({ settings: { room: { ...room, bodyBytes: 300_000 } } })
    const [greedy, other] = [await service.key(), await service.key()]
    const create = (key: Key, body: object) => call(service, "POST", "/api/v1/invoices", { key, body })
    const invoices = Array.from({ length: 7 }, () => large)
    const bulk = () => call(service, "POST", "/api/v1/invoices/bulk", { key: greedy, body: { invoices } })
    const sockets = [halfSent(greedy), halfSent(greedy), halfSent(greedy)]
    const refused = { status: 503, body: { error: "service_unavailable" } }
    await eventually(async () => expect(await bulk()).toMatchObject(refused))
    expect((await create(greedy, { amount: 10 })).status).toBe(201)
    expect((await create(other, large)).status).toBe(201)
    for (const socket of sockets) socket.destroy()
    await eventually(async () => expect((await bulk()).status).toBe(207))
  })

  it("is given back when the answer was sent, whatever it was", async () => {
    service = await start({ settings: { room: { ...room, bodyBytes: 60_000 } } })
    const key = await service.key()
    for (let i = 0; i < 10; i++) {
      for (const body of [large, "x".repeat(20_000), { ...large, amount: "x" }]) {
        expect([201, 400, 422]).toContain((await call(service, "POST", "/api/v1/invoices", { key, body })).status)
      }
    }
  })
})

describe("strangers together", () => {
  it("leave merchants their room for bodies, from however many networks they come", async () => {
    const trustedProxies = [IpNetwork.fromStringUnsafe("127.0.0.0/8")]
    service = await start({ trustedProxies, settings: { room: { ...room, bodyBytes: 1_000_000 } } })
    const key = await service.key()
    const link = { title: "Tea", amount: 5 }
    const { slug } = (await call(service, "POST", "/api/v1/payment-links", { key, body: link })).body
    const from = (network: number) => ({ "x-forwarded-for": `2a00:0:0:${network}::1` })
    const pay = (network: number) =>
      call(service, "POST", `/l/${slug}`, { headers: from(network), body: { text: "x".repeat(100_000) } })
    expect((await pay(1)).status).toBe(201)
    for (let network = 2; network < 32; network++) {
      half(`POST /l/${slug} HTTP/1.1`, `X-Forwarded-For: ${from(network)["x-forwarded-for"]}`)
    }
    // They have no more room themselves, so that the others' bodies are there.
    await eventually(async () => expect((await pay(1)).status).toBe(503))
    const body = { invoices: Array.from({ length: 20 }, () => large) }
    expect((await call(service, "POST", "/api/v1/invoices/bulk", { key, body })).status).toBe(207)
  })
})

describe("room for answers", () => {
  it("is had before a page is read, and is refused with a time to come back where there is none", async () => {
    service = await start({ settings: { room: { ...room, answerBytes: 150_000 } } })
    const key = await service.key()
    const list = (limit: number) => call(service, "GET", `/api/v1/invoices?limit=${limit}`, { key })
    for (let i = 0; i < 10; i++) expect((await list(2)).status).toBe(200)
    const refused = await list(200)
    expect(refused).toMatchObject({ status: 503, body: { error: "service_unavailable" } })
    expect(refused.headers.get("retry-after")).toBe("1")
    expect((await call(service, "GET", "/api/v1/subscriptions?limit=200", { key })).status).toBe(503)
    expect((await list(2)).status).toBe(200)
  })

  const payPage = async () => {
    const { body } = await call(service, "POST", "/api/v1/invoices", { key: await service.key(), body: { amount: 10 } })
    return `/pay/${body["id"]}`
  }

  it("is needed by what is public too", async () => {
    service = await start({ settings: { room: { ...room, answerBytes: 10_000 } } })
    expect((await call(service, "GET", await payPage())).status).toBe(503)
    expect((await call(service, "GET", "/health/live")).status).toBe(200)
  })

  it("is taken from nobody by readers of documents, which are in memory once, however slowly they read", async () => {
    service = await start({ settings: { room: { ...room, answerBytes: 200_000 } } })
    const page = await payPage()
    const document = await call(service, "GET", "/docs/console")
    expect(document.status).toBe(200)
    expect(document.text.length).toBeGreaterThan(1_000_000)
    const readers = 60
    const before = process.memoryUsage().arrayBuffers
    for (const path of ["/docs/console", "/api/v1/openapi.json"]) {
      await Promise.all(Array.from({ length: readers }, () => begunToRead(path)))
    }
    expect((await call(service, "GET", page)).status).toBe(200)
    expect((await call(service, "GET", "/docs")).status).toBe(200)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan((readers * document.text.length) / 4)
  })
})
