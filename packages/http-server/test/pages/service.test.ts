import { startAt } from "@tolem/testing/fixtures"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, expectRefusal } from "../support/calls.ts"
import { type Key, type Service, start } from "../support/service.ts"
import { contentOf, expectPage, readable } from "./support/markup.ts"

let service: Service
let key: Key
beforeAll(async () => {
  service = await start({ now: startAt, settings: { pagesPerMinute: 12 } })
  key = await service.key()
})
afterAll(() => service.stop())

const visit = async (url: unknown, method = "GET") => {
  const { pathname } = new URL(String(url), service.url)
  const response = await fetch(`${service.url}${pathname}`, { method, headers: { "accept-language": "ru" } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe("the pages within the service", () => {
  it("follow an invoice from its creation to its receipt, at the addresses that the interface names", async () => {
    const sent = { amount: 1500, description: "Екі кофе", customer: { phone: "77001234567" } }
    const { body } = await call(service, "POST", "/api/v1/invoices", { key, body: sent })
    const page = await visit(body["payUrl"])
    expectPage(page, "ru")
    expect(readable(page.text)).toContain("Dastarkhan")
    expect(page.headers.get("x-request-id")).not.toBeNull()
    const image = await visit(body["qrImageUrl"])
    expect(image.headers.get("content-type")).toBe("image/svg+xml")
    expect(JSON.parse((await visit(`${body["payUrl"]}/status`)).text)).toEqual({
      status: "pending",
      expiresAt: body["expiresAt"],
      leftMs: 180_000,
      seen: expect.any(String)
    })
    const simulate = `/api/v1/invoices/${body["id"]}/simulate`
    const paid = await call(service, "POST", simulate, { key, body: { status: "paid" } })
    expect(contentOf((await visit(body["payUrl"])).text, "h1")).toBe("Оплата прошла")
    const receipt = await visit(paid.body["receiptUrl"])
    expectPage(receipt, "ru")
    expect(readable(receipt.text)).toContain(String(paid.body["receiptNumber"]))
  })

  it("are for reading only", async () => {
    const posted = await visit("/pay/inv_1", "POST")
    expectRefusal(posted.status, posted.text)
    expect(posted.headers.get("allow")).toBe("GET, HEAD")
  })

  it("have a limit of their own, which the interface does not share", async () => {
    let last = await visit("/pay/inv_1")
    for (let i = 0; i < 25 && last.status === 404; i++) last = await visit("/receipts/inv_1")
    expect(last.status).toBe(429)
    expect(last.headers.get("retry-after")).toBe("60")
    expect((await call(service, "GET", "/api/v1/invoices", { key })).status).toBe(200)
  })
})
