import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, type Json } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const endpoints = "/api/v1/webhook-endpoints"
const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const iso = "2026-01-02T03:04:05.678Z"
let service: Service
let key: Key

beforeAll(async () => {
  service = await start({ now: at })
  key = await service.key()
})
afterAll(() => service.stop())

const url = "http://localhost:9/hook?a=b"
const send = (method: string, path: string, body?: unknown, of = key) =>
  call(service, method, `${endpoints}${path}`, { key: of, body })
const made = async (body: object = { url }, of = key) => {
  const answer = await send("POST", "", body, of)
  expect(answer.status).toBe(201)
  return answer
}
const idOf = async () => String((await made()).body["id"])

describe("an endpoint", () => {
  it("shows its secret when it is made, and never again", async () => {
    const own = await service.key()
    const answer = await made({ url, events: ["invoice.refunded", "invoice.paid"] }, own)
    const { secret, ...shown }: Record<string, Json> = Object(answer.body)
    expect(String(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(answer.headers.get("cache-control")).toBe("no-store")
    expect(shown).toEqual({
      id: expect.stringMatching(/^whe_/),
      mode: "sandbox",
      url,
      events: ["invoice.paid", "invoice.refunded"],
      disabled: false,
      failureCount: 0,
      pausedUntil: null,
      createdAt: iso,
      updatedAt: iso,
      connectionId: null
    })
    expect((await send("GET", `/${shown["id"]}`, undefined, own)).body).toEqual(shown)
    expect((await send("GET", "", undefined, own)).body).toEqual({ endpoints: [shown] })
  })

  it("can be changed member by member, and removed", async () => {
    const id = await idOf()
    service.time.now = at + 1000
    const moved = await send("PATCH", `/${id}`, { url: "http://127.0.0.1:8/" })
    service.time.now = at
    expect(moved.body).toMatchObject({ url: "http://127.0.0.1:8/", events: [], updatedAt: "2026-01-02T03:04:06.678Z" })
    expect((await send("PATCH", `/${id}`, { events: ["webhook.test"] })).body["url"]).toBe("http://127.0.0.1:8/")
    expect((await send("PATCH", `/${id}`, { disabled: true })).body).toMatchObject({ disabled: true })
    expect((await send("PATCH", `/${id}`, {})).body).toMatchObject({ disabled: true, events: ["webhook.test"] })
    const removed = await send("DELETE", `/${id}`)
    expect(removed.status).toBe(204)
    expect(removed.text).toBe("")
    expect((await send("GET", `/${id}`)).body["error"]).toBe("endpoint_not_found")
    expect((await send("DELETE", `/${id}`)).body["error"]).toBe("endpoint_not_found")
  })

  it("gets a new secret when asked", async () => {
    const { body } = await made()
    const rotated = await send("POST", `/${body["id"]}/rotate-secret`)
    expect(rotated.status).toBe(200)
    expect(rotated.headers.get("cache-control")).toBe("no-store")
    expect(rotated.body["secret"]).not.toBe(body["secret"])
    expect("secret" in (await send("GET", `/${body["id"]}`)).body).toBe(false)
  })

  it("is seen by its organization and mode alone", async () => {
    const id = await idOf()
    const live = await service.key({ mode: "live", organizationId: key.organizationId })
    for (const other of [live, await service.key()]) {
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["PATCH", "", {}],
        ["DELETE", "", undefined],
        ["POST", "/rotate-secret", undefined],
        ["POST", "/test", undefined],
        ["GET", "/deliveries", undefined]
      ] as const) {
        const { body: refused } = await send(method, `/${id}${path}`, body, other)
        // Of another organization, or of the other mode.
        const isForeign = other.organizationId !== key.organizationId
        expect(refused["error"]).toBe(isForeign ? "forbidden" : "endpoint_not_found")
      }
      expect((await send("GET", "", undefined, other)).body["endpoints"]).toEqual([])
    }
  })

  it("is one of ten at most, in each mode, even when all are added at once", async () => {
    const own = await service.key()
    const answers = await Promise.all(Array.from({ length: 25 }, () => send("POST", "", { url }, own)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.every(({ body }) => String(body["error"]) === "too_many_endpoints")).toBe(true)
    const live = await service.key({ mode: "live", organizationId: own.organizationId })
    await made({ url: "https://shop.kz/hook" }, live)
  })
})

describe("deliveries", () => {
  it("are made by tests and by resending, and listed in pages, newest first", async () => {
    const id = await idOf()
    const tested = await send("POST", `/${id}/test`)
    expect(tested.status).toBe(202)
    expect(tested.body).toEqual({
      id: expect.stringMatching(/^dlv_/),
      endpointId: id,
      event: "webhook.test",
      invoiceId: "inv_test",
      eventId: expect.stringMatching(/^evt_/),
      sequence: 1,
      status: "pending",
      attemptCount: 0,
      nextAttemptAt: iso,
      createdAt: iso,
      completedAt: null
    })
    service.time.now = at + 1
    const again = await send("POST", `/${id}/deliveries/${tested.body["id"]}/resend`)
    service.time.now = at
    expect(again.status).toBe(202)
    expect(again.body["id"]).not.toBe(tested.body["id"])
    expect(again.body["eventId"]).toBe(tested.body["eventId"])
    const page = await send("GET", `/${id}/deliveries?limit=1&status=pending`)
    expect(page.body).toMatchObject({ total: 2, limit: 1, offset: 0 })
    expect(page.body["deliveries"]).toEqual([again.body])
    expect((await send("GET", `/${id}/deliveries?offset=1`)).body["deliveries"]).toEqual([tested.body])
    expect((await send("GET", `/${id}/deliveries?status=failed`)).body["total"]).toBe(0)
    expect((await send("GET", `/${id}/deliveries?status=sent`)).body["error"]).toBe("invalid_status")
    expect((await send("GET", `/${id}/deliveries?limit=x`)).body["error"]).toBe("invalid_limit")
    const one = await send("GET", `/${id}/deliveries/${tested.body["id"]}`)
    expect(one.body).toEqual({ ...Object(tested.body), attempts: [] })
  })

  it("are made for each event that an endpoint wants, with the change that causes it", async () => {
    const own = await service.key()
    const all = String((await made({ url }, own)).body["id"])
    const refunds = String((await made({ url, events: ["invoice.refunded"] }, own)).body["id"])
    const invoice = (await call(service, "POST", "/api/v1/invoices", { key: own, body: { amount: 10 } })).body["id"]
    const path = `/api/v1/invoices/${invoice}`
    await call(service, "POST", `${path}/simulate`, { key: own, body: { status: "paid" } })
    await call(service, "POST", `${path}/refund`, { key: own })
    const kindsOf = async (id: string) => {
      const { body } = await send("GET", `/${id}/deliveries`, undefined, own)
      return Array.from(body["deliveries"]!).map((delivery) => String(delivery["event"]))
    }
    expect((await kindsOf(all)).toSorted()).toEqual(["invoice.paid", "invoice.refunded"])
    expect(await kindsOf(refunds)).toEqual(["invoice.refunded"])
  })

  it("of another endpoint are not found", async () => {
    const id = await idOf()
    const other = await idOf()
    const { body } = await send("POST", `/${id}/test`)
    const path = `/${other}/deliveries/${body["id"]}`
    expect((await send("GET", path)).body["error"]).toBe("delivery_not_found")
    expect((await send("POST", `${path}/resend`)).body["error"]).toBe("delivery_not_found")
  })
})
