/** Thousands of hostile requests at the listening server: each is answered, with success or in the one error shape. */
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { call, expectRefusal, expectSane, operations } from "./support/calls.ts"
import { type Hostile, hostile, randomFrom, type Targets } from "./support/hostile.ts"
import { type Key, type Service, start } from "./support/service.ts"
import { answersIn, exchange } from "./support/socket.ts"

const seed = Number(process.env["HOSTILE_SEED"] ?? 20260102)
/** `npm run test:slow` sends more. */
const requests = Number(
  process.env["HOSTILE_REQUESTS"] ?? (inject("isWhole") ? 4000 : inject("database") === "postgres" ? 400 : 1000)
)
const atOnce = 32
/** A client that waits longer has been hung up on. */
const patienceMs = 20_000

let service: Service
let key: Key
let targets: Targets

beforeAll(async () => {
  const limits = { headersTimeoutMs: 300, requestTimeoutMs: 500, checkEveryMs: 50 }
  service = await start({ limits, settings: { pagesPerMinute: 1e9 } })
  key = await service.key()
  const live = await service.key({ mode: "live", organizationId: key.organizationId })
  const invoiceIds: Array<string> = []
  for (const status of ["", "paid", "failed", "expired"]) {
    const made = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 1000 } })
    const id = String(made.body["id"])
    if (status !== "") await call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key, body: { status } })
    invoiceIds.push(id)
  }
  const body = { url: "http://localhost:9/" }
  const endpoint = await call(service, "POST", "/api/v1/webhook-endpoints", { key, body })
  const link = await call(service, "POST", "/api/v1/payment-links", { key, body: { title: "x", slug: "tea" } })
  const hook = await call(service, "POST", "/api/v1/form-hooks", { key, body: { name: "x" } })
  const publicPaths = [
    { method: "POST", path: `/f/${hook.body["id"]}` },
    { method: "POST", path: `/l/${link.body["slug"]}` },
    { method: "GET", path: "/l/{id}" }
  ]
  const paths = [...operations.map(({ method, path }) => ({ method: method.toUpperCase(), path })), ...publicPaths]
  const apiKeys = [key.apiKey, key.apiKey, key.apiKey, live.apiKey, "x"]
  targets = { apiKeys, invoiceIds, endpointIds: [String(endpoint.body["id"])], paths }
})
afterAll(() => service.stop())

const inTime = <A>(work: Promise<A>): Promise<A> => {
  const { promise, reject } = Promise.withResolvers<A>()
  const timer = setTimeout(() => reject(new Error("no answer")), patienceMs)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const stackTrace = /\n\s+at |node_modules|\.ts:\d+|Error: /

const judge = async ({ method, path, bytes }: Hostile) => {
  const answers = answersIn(await inTime(exchange(service.port, bytes)), method === "HEAD")
  expect(answers.length).toBeGreaterThanOrEqual(1)
  for (const [index, { status, headers, body }] of answers.entries()) {
    expect(status).toBeLessThan(500)
    // The page of /docs carries the scripts of its user interface.
    const isPage = headers["content-type"]?.startsWith("text/html") === true
    if (!isPage) expect(body).not.toMatch(stackTrace)
    if (isPage || (method === "HEAD" && body === "")) continue
    if (status >= 400) expectRefusal(status, body)
    // What Node refuses before there is a request has no name; what follows a broken message is none of the contract.
    if (index > 0 || headers["x-request-id"] === undefined) continue
    const answer = { status, headers: new Headers({ "x-request-id": headers["x-request-id"] }), text: body }
    expectSane({ ...answer, body: status >= 400 ? JSON.parse(body) : null }, method, path)
  }
}

describe("a hostile client", () => {
  it(`gets an answer to each of ${requests} requests (seed ${seed}), and does no harm`, async () => {
    const random = randomFrom(seed)
    const all = Array.from({ length: requests }, () => hostile(random, targets)).entries()
    const failures: Array<string> = []
    const worker = async () => {
      for (const [index, request] of all) {
        await judge(request).catch((error: unknown) => {
          failures.push(`request ${index}: ${error}\n${request.bytes.subarray(0, 600).toString("latin1")}`)
        })
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    expect(failures.slice(0, 5).join("\n\n")).toBe("")
    expect(service.logs.filter((line) => /Unexpected|Storage|Failed/.test(line)).slice(0, 3)).toEqual([])

    const made = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 5 } })
    const path = `/api/v1/invoices/${made.body["id"]}`
    expect((await call(service, "POST", `${path}/simulate`, { key, body: { status: "paid" } })).status).toBe(200)
    expect((await call(service, "POST", `${path}/refund`, { key })).body["status"]).toBe("refunded")
    expect((await call(service, "GET", "/health/ready")).status).toBe(200)
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
  })
})
