/** An organization is in one mode: while it is the sandbox, nothing new is begun at the provider. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Live, live } from "./live/cashier.ts"
import { askForCode, call } from "./support/calls.ts"
import type { Key } from "./support/service.ts"

let shop: Live

beforeEach(async () => {
  shop = await live()
})
afterEach(() => shop.service.stop())

const switchTo = async (mode: "sandbox" | "live") => {
  const { modes } = await shop.service.run(Engine)
  await shop.service.run(modes.switchTo(shop.organizationId, mode))
}
const post = (path: string, body: object = {}, key: Key = shop.key) =>
  call(shop.service, "POST", `/api/v1${path}`, { key, body })
const codeOf = async (answer: ReturnType<typeof call>) => `${(await answer).status} ${(await answer).body["error"]}`
const open = (id: unknown) => askForCode(shop.service, id)

const notLive = "403 not_live"

describe("while the organization works in its sandbox", () => {
  it("no live invoice is made, whichever way it is asked for", async () => {
    const link = await post("/payment-links", { title: "Tea", amount: 10 })
    const hook = await post("/form-hooks", { name: "Form" })
    const subscription = await post("/subscriptions", {
      amount: 10,
      startAt: new Date(shop.service.time.now + 3_600_000)
    })
    await switchTo("sandbox")
    expect(await codeOf(shop.create())).toBe(notLive)
    expect(await codeOf(shop.create({ kind: "phone", customer: { phone: "77011112233" } }))).toBe(notLive)
    const { results, created } = (await post("/invoices/bulk", { invoices: [{ amount: 1 }, { amount: 2 }] })).body
    expect([created, results?.map(({ error }) => error)]).toEqual([0, ["not_live", "not_live"]])
    expect(await codeOf(post(`/subscriptions/${subscription.body["id"]}/run`))).toBe(notLive)
    expect(await codeOf(call(shop.service, "POST", `/l/${link.body["slug"]}`))).toBe(notLive)
    const body = new URLSearchParams({ amount: "10" })
    const form = await fetch(`${shop.service.url}/f/${hook.body["id"]}`, { method: "POST", body })
    expect([form.status, JSON.parse(await form.text()).error]).toEqual([403, "not_live"])
    expect(shop.payments()).toEqual([])
    await switchTo("live")
    expect((await shop.create()).status).toBe(201)
    expect((await call(shop.service, "POST", `/l/${link.body["slug"]}`)).status).toBe(201)
  })

  it("the code of a waiting live invoice is not made, and is made afterwards", async () => {
    const link = await post("/payment-links", { title: "Tea", amount: 10 })
    const { invoiceId } = Object((await call(shop.service, "POST", `/l/${link.body["slug"]}`)).body)
    await switchTo("sandbox")
    expect((await open(invoiceId)).status).toBe(200)
    expect(shop.payments()).toEqual([])
    await switchTo("live")
    await open(invoiceId)
    expect(shop.payments()).toHaveLength(1)
  })

  it("live invoices that exist are watched, read, cancelled, refunded and answered to their keys", async () => {
    const [paid, open, push] = [
      await shop.create({}, { "idempotency-key": "one" }),
      await shop.create(),
      await shop.create({ kind: "phone", customer: { phone: "77011112233" } })
    ]
    await switchTo("sandbox")
    shop.pay(paid)
    expect((await shop.look(paid)).body["status"]).toBe("paid")
    expect((await shop.refund(paid, { amount: 100 })).body["refundedAmount"]).toBe(100)
    expect((await shop.cancel(open)).body["status"]).toBe("cancelled")
    expect((await shop.cancel(push)).body["status"]).toBe("cancelled")
    const again = await shop.create({}, { "idempotency-key": "one" })
    expect([again.status, again.body["id"], again.body["idempotentReplay"]]).toEqual([200, paid.body["id"], true])
    expect((await call(shop.service, "GET", "/api/v1/invoices", { key: shop.key })).body["total"]).toBe(3)
    expect(shop.payments()).toHaveLength(3)
  })

  it("sandbox keys work, as they do in live mode", async () => {
    const { organizationId } = shop
    const key = await shop.service.key({ organizationId })
    expect((await post("/invoices", { amount: 10 }, key)).status).toBe(201)
    await switchTo("sandbox")
    expect((await post("/invoices", { amount: 10 }, key)).status).toBe(201)
    expect((await call(shop.service, "GET", "/api/v1/account", { key: shop.key })).body["mode"]).toBe("live")
  })
})
