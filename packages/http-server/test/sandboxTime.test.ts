/**
 * What lives in a sandbox whose clock was moved is at its time; everything else is at the real one: what is sent, what
 * signs it, and who acts.
 */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core/embedded/createEngine"
import { Engine } from "@tolem/core/engine/Engine"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const dayMs = 86_400_000
const aheadMs = 40 * dayMs

let service: Service
let key: Key
beforeAll(async () => {
  service = await start()
  key = await service.key()
  const { sandboxTime } = await service.run(Engine)
  await service.run(sandboxTime.advance(key.organizationId, aheadMs))
})
afterAll(() => service.stop())

/** How many days an instant lies ahead of the real time. */
const days = (instant: unknown) => Math.round((Date.parse(String(instant)) - Date.now()) / dayMs) + 0

const path = "/api/v1/webhook-endpoints"
const post = (what: string, body: object = {}) => call(service, "POST", what, { key, body })

/** The deliveries that are claimed now, in real time. */
const claimed = async () => {
  const store = await service.run(WebhookStore)
  const now = Date.now()
  const wanted = { now: now + 1_000, until: now + 60_000, lease: "test" }
  return (await service.run(claimDue(store, wanted))).map(({ delivery }) => delivery.id)
}

describe("in a sandbox that is 40 days ahead", () => {
  it("a test event and a resend are sent now", async () => {
    const made = await post(path, { url: "http://localhost:9/hook" })
    expect(days(made.body["createdAt"])).toBe(0)
    const one = `${path}/${made.body["id"]}`
    const test = await post(`${one}/test`)
    expect([test.status, days(test.body["createdAt"]), days(test.body["nextAttemptAt"])]).toEqual([202, 0, 0])
    const again = await post(`${one}/deliveries/${test.body["id"]}/resend`)
    expect([again.status, days(again.body["nextAttemptAt"])]).toEqual([202, 0])
    // The second one waits for the first, as they are of one invoice.
    expect(await claimed()).toContain(test.body["id"])
  })

  it("a replaced secret signs for another day, not for 41", async () => {
    const made = await post(path, { url: "http://localhost:9/rotated" })
    await post(`${path}/${made.body["id"]}/rotate-secret`)
    const { webhooks } = await service.run(Engine)
    const endpoint = await service.run(
      webhooks.get({ organizationId: key.organizationId, mode: "sandbox" }, String(made.body["id"]))
    )
    expect(days(new Date(endpoint.previousSecret?.until ?? 0).toISOString())).toBe(1)
    expect(days(new Date(endpoint.updatedAt).toISOString())).toBe(0)
  })

  it("invoices, subscriptions, links and hooks are at its time", async () => {
    const invoice = await post("/api/v1/invoices", { amount: 100 })
    expect(days(invoice.body["createdAt"])).toBe(40)
    const bulk = await post("/api/v1/invoices/bulk", { invoices: [{ amount: 100 }] })
    expect(days(JSON.parse(bulk.text).results[0].invoice.createdAt)).toBe(40)
    const paid = await post(`/api/v1/invoices/${invoice.body["id"]}/simulate`, { status: "paid" })
    expect(days(paid.body["paidAt"])).toBe(40)
    const refunded = await post(`/api/v1/invoices/${invoice.body["id"]}/refund`, { amount: 10 })
    expect(days(refunded.body["updatedAt"])).toBe(40)
    const open = await post("/api/v1/invoices", { amount: 100 })
    const cancelled = await post(`/api/v1/invoices/${open.body["id"]}/cancel`)
    expect(days(cancelled.body["stillPayableUntil"])).toBe(40)
    const subscription = await post("/api/v1/subscriptions", { amount: 100 })
    expect([days(subscription.body["createdAt"]), days(subscription.body["nextRunAt"])]).toEqual([40, 40])
    const run = await post(`/api/v1/subscriptions/${subscription.body["id"]}/run`)
    expect(days(run.body["createdAt"])).toBe(40)
    const link = await post("/api/v1/payment-links", { title: "Tea", amount: 100 })
    expect(days(link.body["createdAt"])).toBe(40)
    const hook = await post("/api/v1/form-hooks", { name: "Form" })
    expect(days(hook.body["createdAt"])).toBe(40)
    const { paymentLinks } = await service.run(Engine)
    const bought = await service.run(paymentLinks.pay(String(link.body["slug"]), {}))
    expect(days(new Date(bought.createdAt).toISOString())).toBe(40)
  })
})

describe("embedded", () => {
  it("the same is at the same times", async () => {
    const engine = await createEngine({
      database: sqlite({ filename: ":memory:" }),
      platform: nodePlatform(),
      secretKeys: ["a key for tests only, of no use anywhere else"],
      agents: false
    })
    const { organization } = await engine.organizations.create({ name: "Shop", ownerPhone: "77001234567" })
    await engine.sandbox.advance(organization.id, aheadMs)
    const shop = engine.of({ organizationId: organization.id, mode: "sandbox" })
    const made = [
      await shop.invoices.create({ amount: 100 }),
      await shop.subscriptions.create({ amount: 100 }),
      await shop.paymentLinks.create({ title: "Tea", amount: 100 }),
      await shop.formHooks.create({ name: "Form" })
    ]
    expect(made.map(({ createdAt }) => days(createdAt))).toEqual([40, 40, 40, 40])
    await engine.close()
  })
})
