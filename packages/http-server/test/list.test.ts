import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const first = Date.UTC(2026, 0, 2)
const hour = 3_600_000
let service: Service
let key: Key
const ids: Array<string> = []

const invoices = "/api/v1/invoices"
const list = (query: string) => call(service, "GET", `${invoices}?${query}`, { key })
const found = async (query: string) => {
  const { body } = await list(query)
  const page = Array.from(body["invoices"]!).map((invoice) => ids.indexOf(String(invoice["id"])))
  expect(Number(body["total"])).toBeGreaterThanOrEqual(page.length)
  return page
}

beforeAll(async () => {
  service = await start({ now: first })
  key = await service.key()
  const make = async (body: object, status?: string) => {
    const made = await call(service, "POST", invoices, { key, body })
    const id = String(made.body["id"])
    if (status !== undefined) await call(service, "POST", `${invoices}/${id}/simulate`, { key, body: { status } })
    ids.push(id)
    service.time.now += hour
  }
  await make({ amount: 1, externalOrderId: "A-1", description: "Green tea" })
  await make({ amount: 2, externalOrderId: "A-1", description: "100%_sure" }, "paid")
  await make({ amount: 3, externalOrderId: "a-1", customer: { name: "Aigul", phone: "77001234567" } }, "failed")
  await make({ amount: 4, customer: { email: "Buyer@Example.kz" } }, "expired")
  await make({ amount: 5, description: "green apples" }, "paid")
})
afterAll(() => service.stop())

describe("a list", () => {
  it("is newest first, with the exact total and the bounds that were used", async () => {
    const { body } = await list("")
    expect(body).toMatchObject({ total: 5, limit: 50, offset: 0 })
    expect(await found("")).toEqual([4, 3, 2, 1, 0])
    expect("events" in body["invoices"]![0]!).toBe(false)
  })

  it("comes in pages", async () => {
    expect(await found("limit=2")).toEqual([4, 3])
    expect(await found("limit=2&offset=2")).toEqual([2, 1])
    expect(await found("limit=2&offset=4")).toEqual([0])
    expect(await found("offset=5")).toEqual([])
    expect((await list("limit=2&offset=4")).body["total"]).toBe(5)
  })

  it("moves limit and offset to the nearest bound and says so", async () => {
    const used = async (query: string) => {
      const { body } = await list(query)
      return [body["limit"], body["offset"]]
    }
    expect(await used("limit=0")).toEqual([1, 0])
    expect(await used("limit=-5&offset=-1")).toEqual([1, 0])
    expect(await used("limit=201")).toEqual([200, 0])
    expect(await used(`limit=${"9".repeat(400)}&offset=3`)).toEqual([200, 3])
    for (const text of ["x", "1.5", "1e2", "0x10", "", " 1", "1&limit=2", "null", "NaN", "Infinity"]) {
      expect((await list(`limit=${text}`)).body["error"], text).toBe("invalid_limit")
      expect((await list(`offset=${text.replace("limit", "offset")}`)).body["error"], text).toBe("invalid_offset")
    }
    expect((await list(`offset=${"9".repeat(400)}`)).body["invoices"]).toEqual([])
  })

  it("filters by one status or several", async () => {
    expect(await found("status=paid")).toEqual([4, 1])
    expect(await found("status=failed,expired")).toEqual([3, 2])
    expect(await found("status=failed&status=expired")).toEqual([3, 2])
    expect(await found("status=refunded")).toEqual([])
    expect(await found("status=")).toEqual([4, 3, 2, 1, 0])
    for (const text of ["open", "Paid", "paid,", "paid,x"]) {
      expect((await list(`status=${text}`)).body["error"]).toBe("invalid_status")
    }
  })

  it("filters by order number exactly", async () => {
    expect(await found("externalOrderId=A-1")).toEqual([1, 0])
    expect(await found("externalOrderId=A")).toEqual([])
    expect((await list(`externalOrderId=${"x".repeat(101)}`)).body["error"]).toBe("invalid_external_order_id")
    expect((await list("externalOrderId=%00")).body["error"]).toBe("invalid_external_order_id")
    expect((await list("externalOrderId=a&externalOrderId=b")).body["error"]).toBe("invalid_external_order_id")
  })

  it("searches without regard to case, and takes no letter for a wildcard", async () => {
    expect(await found("search=GREEN")).toEqual([4, 0])
    expect(await found("search=aigul")).toEqual([2])
    expect(await found("search=0012345")).toEqual([2])
    expect(await found("search=buyer@example")).toEqual([3])
    expect(await found(`search=${ids[1]}`)).toEqual([1])
    expect(await found("search=a-1")).toEqual([2, 1, 0])
    expect(await found("search=%25_s")).toEqual([1])
    expect(await found("search=%25")).toEqual([1])
    expect(await found("search=_sure")).toEqual([1])
    expect(await found("search=00000001")).toEqual([1])
    expect(await found("search=%00")).toEqual([])
    expect(await found("search=")).toEqual([4, 3, 2, 1, 0])
    expect((await list("search=green&search=red")).body["error"]).toBe("invalid_search")
    expect(await found("search=%27%22%5C%3B--")).toEqual([])
    expect(await found(`search=${"x".repeat(5000)}`)).toEqual([])
  })

  it("takes bounds of creation, both inclusive", async () => {
    expect(await found(`from=${new Date(first + hour).toISOString()}`)).toEqual([4, 3, 2, 1])
    expect(await found(`to=${new Date(first + hour).toISOString()}`)).toEqual([1, 0])
    expect(await found("from=2026-01-02T06:00:00%2B05:00&to=2026-01-02T07:00:00%2B05:00")).toEqual([2, 1])
    expect(await found("from=2026-01-02T06:00:00+05:00")).toEqual([4, 3, 2, 1])
    expect(await found("from=2027-01-01")).toEqual([])
    expect((await list("from=2026-01-01&from=2026-01-01")).body["error"]).toBe("invalid_from")
    expect((await list("to=2026-01-01&to=2026-01-01")).body["error"]).toBe("invalid_to")
    for (const text of ["yesterday", "2026-13-01", "2026-02-30T00:00:00Z", "1767312000000", "2026-01-02T25:00:00Z"]) {
      expect((await list(`from=${text}`)).body["error"], text).toBe("invalid_from")
      expect((await list(`to=${text}`)).body["error"], text).toBe("invalid_to")
    }
  })

  it("takes whole days of Almaty, the first and the last included", async () => {
    const days = await start({ now: Date.UTC(2026, 0, 1, 18, 59, 59, 999) })
    const owner = await days.key()
    for (const step of [0, 1, 24 * hour - 1, 1]) {
      days.time.now += step
      await call(days, "POST", invoices, { key: owner, body: { amount: 100 } })
    }
    const total = async (query: string) =>
      (await call(days, "GET", `${invoices}?${query}`, { key: owner })).body["total"]
    expect(await total("from=2026-01-02&to=2026-01-02")).toBe(2)
    expect(await total("to=2026-01-01")).toBe(1)
    expect(await total("from=2026-01-03")).toBe(1)
    expect(await total("from=2026-01-01&to=2026-01-03")).toBe(4)
    // Days had another offset before March 2024, and the last one of a month is followed by the first of the next.
    expect(await total("from=2024-02-29&to=2026-01-31")).toBe(4)
    await days.stop()
  })

  it("of the other mode is empty, and there are but two modes", async () => {
    expect(await found("mode=sandbox")).toEqual([4, 3, 2, 1, 0])
    expect((await list("mode=live&limit=7")).body).toEqual({ total: 0, limit: 7, offset: 0, invoices: [] })
    expect((await list("mode=test")).body["error"]).toBe("invalid_mode")
    expect((await list("mode=live&mode=live")).body["error"]).toBe("invalid_mode")
  })
})
