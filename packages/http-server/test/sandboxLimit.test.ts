/** The sandbox is free, not boundless: so many invoices a day, however they are asked for. */
import { defaults } from "@tolem/core/engine/Settings"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const startAt = Date.UTC(2026, 0, 1, 7)
const dayMs = 24 * 3_600_000
const invoices = "/api/v1/invoices"

let service: Service
beforeAll(async () => {
  service = await start({ now: startAt, settings: { sandbox: { ...defaults.sandbox, invoicesPerDay: 3 } } })
})
afterAll(() => service.stop())

const create = async (key: Key, headers: Record<string, string> = {}) => {
  const { status, body } = await call(service, "POST", invoices, { key, body: { amount: 100 }, headers })
  return status < 300 ? status : String(body["error"])
}

describe("the limit of the sandbox", () => {
  it("is exact when many ask at once, and each organization's own", async () => {
    const [key, other] = [await service.key(), await service.key()]
    const answers = await Promise.all(Array.from({ length: 12 }, () => create(key)))
    expect(answers.filter((answer) => answer === 201)).toHaveLength(3)
    expect(answers.filter((answer) => answer === "sandbox_limit")).toHaveLength(9)
    expect(await create(other)).toBe(201)
  })

  it("says 429 without Retry-After, as the tariffs' limits do, and ends with the day in Almaty", async () => {
    const key = await service.key()
    for (let i = 0; i < 3; i++) expect(await create(key)).toBe(201)
    const { status, headers, body } = await call(service, "POST", invoices, { key, body: { amount: 100 } })
    expect([status, headers.get("retry-after"), body["error"]]).toEqual([429, null, "sandbox_limit"])
    service.time.now += dayMs
    expect(await create(key)).toBe(201)
  })

  it("judges each element of a bulk request, and refuses no replay", async () => {
    const key = await service.key()
    const same = { "idempotency-key": "same" }
    expect(await create(key, same)).toBe(201)
    const elements = Array.from({ length: 4 }, (_, n) => ({ amount: 10 + n }))
    const bulk = await call(service, "POST", `${invoices}/bulk`, { key, body: { invoices: elements } })
    expect(bulk.body["results"]?.map(({ ok, error }) => (ok ? "made" : error))).toEqual([
      "made",
      "made",
      "sandbox_limit",
      "sandbox_limit"
    ])
    expect(await create(key, same)).toBe(200)
  })

  it("holds for runs of subscriptions, which stay due", async () => {
    const key = await service.key()
    for (let i = 0; i < 3; i++) expect(await create(key)).toBe(201)
    const made = await call(service, "POST", "/api/v1/subscriptions", { key, body: { amount: 10, dayOfMonth: 1 } })
    const run = await call(service, "POST", `/api/v1/subscriptions/${made.body["id"]}/run`, { key })
    expect([run.status, run.body["error"]]).toEqual([429, "sandbox_limit"])
  })
})
