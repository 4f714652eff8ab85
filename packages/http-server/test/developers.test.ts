/** What developers have in the cabinet: the requests of their keys, the clock of their sandbox, events at will. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { as, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Key, type Service, start } from "./support/service.ts"

const dayMs = 86_400_000

let service: Service
let owner: Person
beforeAll(async () => {
  service = await start({ settings: { readsPerMinute: 65 } })
  owner = await logIn(service, "77095000001")
})
afterAll(() => service.stop())

const opened = async () => {
  const organizationId = await organizationOf(service, owner)
  return { organizationId, key: await service.key({ organizationId }) }
}
const panel = (organizationId: string, method: string, path: string, body?: unknown) =>
  as(service, owner, method, `/panel/orgs/${organizationId}${path}`, body)
const flush = async () => service.run((await service.run(Engine)).requestLog.flush)

interface Shown {
  readonly id: string
  readonly method: string
  readonly route: string
  readonly status: number
  readonly code: string | null
  readonly requestId: string
  readonly keyEnding: string
  readonly at: string
  readonly durationMs: number
}

const logged = async (organizationId: string, query = "") => {
  const { text } = await panel(organizationId, "GET", `/requests?mode=sandbox${query}`)
  return JSON.parse(text) as { readonly requests: ReadonlyArray<Shown>; readonly next: string | null }
}
const post = (key: Key, body: unknown, headers: Record<string, string> = {}) =>
  call(service, "POST", "/api/v1/invoices?secret=query-value", { key, body, headers })

describe("the request log", () => {
  it("shows how a key's requests were answered, the newest first, and nothing of what was in them", async () => {
    const { organizationId, key } = await opened()
    const from = Date.now()
    const made = await post(key, { amount: 1234, description: "body-value" }, { "x-request-id": "mine-1" })
    const refused = await post(key, { amount: "1234" })
    const missing = await call(service, "GET", "/api/v1/invoices/inv_none", { key })
    await flush()
    const { requests, next } = await logged(organizationId)
    expect(next).toBeNull()
    expect(requests.map(({ method, route, status, code }) => [method, route, status, code])).toEqual([
      ["GET", "/api/v1/invoices/:id", 404, "invoice_not_found"],
      ["POST", "/api/v1/invoices", 422, "invalid_amount"],
      ["POST", "/api/v1/invoices", 201, null]
    ])
    expect(requests.map(({ requestId }) => requestId)).toEqual([
      missing.headers.get("x-request-id"),
      refused.headers.get("x-request-id"),
      "mine-1"
    ])
    for (const { keyEnding, at, durationMs } of requests) {
      expect(keyEnding).toBe(key.apiKey.slice(-4))
      expect(Date.parse(at)).toBeGreaterThanOrEqual(from - 1000)
      expect(Date.parse(at)).toBeLessThanOrEqual(Date.now())
      expect(durationMs).toBeGreaterThanOrEqual(0)
    }
    const all = JSON.stringify(requests)
    for (const part of ["query-value", "body-value", "1234", key.apiKey, String(made.body["id"])]) {
      expect(all).not.toContain(part)
    }
  })

  it("finds errors and a request by its name, and goes on behind a page", async () => {
    const { organizationId, key } = await opened()
    for (let n = 0; n < 60; n++) await call(service, "GET", "/api/v1/invoices", { key })
    await post(key, { amount: 0 }, { "x-request-id": "wrong" })
    await flush()
    expect((await logged(organizationId, "&errors=1")).requests.map(({ code }) => code)).toEqual(["amount_too_small"])
    expect((await logged(organizationId, "&requestId=wrong")).requests).toHaveLength(1)
    expect((await logged(organizationId, "&requestId=wron")).requests).toHaveLength(0)
    const first = await logged(organizationId)
    const second = await logged(organizationId, `&after=${first.next}`)
    expect([first.requests.length, second.requests.length, second.next]).toEqual([50, 11, null])
    expect(new Set([...first.requests, ...second.requests].map(({ id }) => id)).size).toBe(61)
    expect(outcomeOf(await panel(organizationId, "GET", "/requests?after=x"))).toBe("422 invalid_after")
  })

  it("has what was refused because the key came too often, and none of keys that were not let in", async () => {
    const { organizationId, key } = await opened()
    await Promise.all(Array.from({ length: 140 }, () => call(service, "GET", "/api/v1/account", { key })))
    await call(service, "GET", "/api/v1/account", { key: { ...key, apiKey: `${key.apiKey.slice(0, -1)}!` } })
    await flush()
    const { requests } = await logged(organizationId, "&errors=1")
    expect(new Set(requests.map(({ status, code }) => `${status} ${code}`))).toEqual(
      new Set(["429 request_rate_limited"])
    )
    const { text } = await panel(organizationId, "GET", "/requests/hours?mode=sandbox")
    const { hours } = JSON.parse(text) as { readonly hours: ReadonlyArray<Record<string, number>> }
    const sum = (name: string) => hours.reduce((total, hour) => total + Number(hour[name]), 0)
    expect([sum("requests"), sum("failed")]).toEqual([140, 0])
    // They may have come in two minutes.
    expect(sum("refused")).toBeGreaterThanOrEqual(10)
    expect(sum("refused")).toBeLessThanOrEqual(75)
  })

  it("is of one organization and mode", async () => {
    const [one, other] = [await opened(), await opened()]
    await call(service, "GET", "/api/v1/account", { key: one.key })
    await flush()
    expect((await logged(other.organizationId)).requests).toEqual([])
    expect((await logged(one.organizationId)).requests).toHaveLength(1)
    const { text } = await panel(one.organizationId, "GET", "/requests?mode=live")
    expect(JSON.parse(text)).toEqual({ requests: [], next: null })
  })
})

describe("the sandbox", () => {
  it("has a clock that members move ahead, and what falls due on the way happens", async () => {
    const { organizationId, key } = await opened()
    const { body: before } = await panel(organizationId, "GET", "/sandbox/clock?mode=sandbox")
    expect(before["aheadMs"]).toBe(0)
    const made = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 100 } })
    const moved = await panel(organizationId, "POST", "/sandbox/clock?mode=sandbox", { seconds: 86_400 })
    expect(outcomeOf(moved)).toBe("200")
    expect(moved.body).toMatchObject({ happened: 1, leftMs: 0 })
    expect(Number(moved.body["aheadMs"])).toBeGreaterThanOrEqual(dayMs - 1000)
    const { body: after } = await panel(organizationId, "GET", "/sandbox/clock?mode=sandbox")
    expect(after["aheadMs"]).toBe(moved.body["aheadMs"])
    const { body: invoice } = await call(service, "GET", `/api/v1/invoices/${made.body["id"]}`, { key })
    expect(invoice["status"]).toBe("expired")
  })

  it("moves by a second at least and a month at most, and not in live mode", async () => {
    const { organizationId } = await opened()
    for (const seconds of [0, -1, 1.0005, "60", null, undefined, 31 * 86_400 + 1]) {
      const answer = await panel(organizationId, "POST", "/sandbox/clock?mode=sandbox", { seconds })
      expect(outcomeOf(answer)).toBe("422 invalid_duration")
    }
    const paths = [["GET", "/sandbox/clock"] as const, ["POST", "/sandbox/clock", { seconds: 60 }] as const]
    for (const [method, path, body] of [...paths, ["POST", "/sandbox/events", { event: "invoice.paid" }] as const]) {
      const answer = await panel(organizationId, method, `${path}?mode=live`, body)
      expect(outcomeOf(answer), path).toBe("403 insufficient_role")
    }
  })

  it("stops on the way when a request has taken long, and says how far it is still to go", async () => {
    const { organizationId, key } = await opened()
    await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 100 } })
    const { sandboxTime } = await service.run(Engine)
    const stopped = await service.run(sandboxTime.advance(organizationId, dayMs, 0))
    expect(stopped).toMatchObject({ happened: 0, aheadMs: 0 })
    expect(stopped.leftMs).toBeGreaterThan(dayMs - 1000)
    const rest = await service.run(sandboxTime.advance(organizationId, stopped.leftMs))
    expect(rest).toMatchObject({ happened: 1, leftMs: 0 })
  })

  it("has each event happen to an invoice of its own", async () => {
    const { organizationId } = await opened()
    const statuses = {
      "invoice.paid": "paid",
      "invoice.failed": "failed",
      "invoice.expired": "expired",
      "invoice.cancelled": "cancelled",
      "invoice.refunded": "refunded",
      "invoice.partially_refunded": "partially_refunded"
    }
    for (const [event, status] of Object.entries(statuses)) {
      const answer = await panel(organizationId, "POST", "/sandbox/events?mode=sandbox", { event, amount: 900 })
      expect([answer.status, answer.body["status"], answer.body["amount"]]).toEqual([201, status, 900])
    }
    const { status, body } = await panel(organizationId, "POST", "/sandbox/events?mode=sandbox", {
      event: "invoice.paid"
    })
    expect([status, body["amount"]]).toEqual([201, 1500])
    const wrong = [{ event: "invoice.lost" }, {}, { event: "invoice.paid", amount: "1" }]
    const outcomes = []
    for (const each of wrong) {
      outcomes.push(outcomeOf(await panel(organizationId, "POST", "/sandbox/events?mode=sandbox", each)))
    }
    expect(outcomes).toEqual(["422 invalid_events", "422 invalid_events", "422 invalid_amount"])
  })
})
