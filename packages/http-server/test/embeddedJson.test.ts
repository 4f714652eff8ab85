/** What promises answer is what HTTP answers, member by member, on one database. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, type EmbeddedEngine, Engine, SecretBox } from "@tolem/core"
import { Layer, Redacted } from "effect"
import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest"
import * as WebHandler from "../src/WebHandler.ts"

const secretKey = "a key for tests only, of no use anywhere else"
const folder = mkdtempSync(join(tmpdir(), "tolem-embedded-"))
const filename = join(folder, "tolem.db")

let engine: EmbeddedEngine
let web: ReturnType<typeof WebHandler.make>
let shop: ReturnType<EmbeddedEngine["of"]>
let apiKey: string

beforeAll(async () => {
  const platform = nodePlatform()
  engine = await createEngine({ database: sqlite({ filename }), platform, secretKeys: [secretKey], agents: false })
  const services = Engine.layer().pipe(
    Layer.provideMerge(sqlite({ filename })),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
    Layer.provideMerge(platform)
  )
  web = WebHandler.make(services)
  const { organization } = await engine.organizations.create({ name: "Shop", ownerPhone: "77001234567" })
  const tenant = { organizationId: organization.id, mode: "sandbox" } as const
  shop = engine.of(tenant)
  const scopes = ["invoices:read", "invoices:write", "webhooks:manage"] as const
  apiKey = (await engine.organizations.createKey({ ...tenant, name: "test", scopes })).apiKey
})

afterAll(async () => {
  await web.dispose()
  await engine.close()
  rmSync(folder, { recursive: true })
})

const http = async (path: string, method = "GET", body?: unknown) => {
  const init = { method, headers: { "x-api-key": apiKey, "content-type": "application/json" } }
  const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
  const answer = await web.handler(new Request(`http://localhost:3000/api/v1${path}`, sent), { address: null })
  expect(answer.ok).toBe(true)
  return answer.json()
}

it("of invoices", async () => {
  const { id } = await shop.invoices.create({ amount: 1500, externalOrderId: "42", metadata: { a: [1] } })
  await shop.invoices.simulate(id, "paid")
  await shop.invoices.refund(id, { amount: 500 })
  expect(await shop.invoices.get(id)).toEqual(await http(`/invoices/${id}`))
  expect(await shop.invoices.list()).toEqual(await http("/invoices"))
})

it("of subscriptions", async () => {
  const customer = { email: "a@shop.kz" }
  const { id } = await shop.subscriptions.create({ amount: 1500, interval: "week", customer, metadata: { a: 1 } })
  expect(await shop.subscriptions.get(id)).toEqual(await http(`/subscriptions/${id}`))
  expect(await shop.subscriptions.list()).toEqual(await http("/subscriptions"))
})

it("of payment links and form hooks", async () => {
  const link = await shop.paymentLinks.create({ title: "Tea", amount: 20 })
  expect(link).toEqual(await http(`/payment-links/${link.id}`))
  expect(await shop.paymentLinks.patch(link.id, { status: "paused" })).toEqual(await http(`/payment-links/${link.id}`))
  expect({ links: await shop.paymentLinks.list() }).toEqual(await http("/payment-links"))
  const hook = await shop.formHooks.create({ name: "Form" })
  expect(hook).toEqual(await http(`/form-hooks/${hook.id}`))
  expect({ hooks: await shop.formHooks.list() }).toEqual(await http("/form-hooks"))
})

it("of webhook endpoints, every verb", async () => {
  const made = await shop.webhooks.create({ url: "https://shop.kz/hook", events: ["invoice.paid"] })
  const { id } = made
  const { secret, ...endpoint } = made
  expect(secret).toMatch(/^whsec_/)
  expect(endpoint).toEqual(await http(`/webhook-endpoints/${id}`))
  expect({ endpoints: await shop.webhooks.list() }).toEqual(await http("/webhook-endpoints"))
  expect(await shop.webhooks.patch(id, { events: [] })).toEqual(await http(`/webhook-endpoints/${id}`))
  const rotated = await shop.webhooks.rotateSecret(id)
  expect(rotated.secret).not.toBe(secret)
  expect(Object.keys(rotated)).toEqual(Object.keys(await http(`/webhook-endpoints/${id}/rotate-secret`, "POST", {})))
  const sent = await shop.webhooks.test(id)
  await shop.webhooks.resend(id, sent.id)
  expect(await shop.webhooks.deliveries(id)).toEqual(await http(`/webhook-endpoints/${id}/deliveries`))
  expect(await shop.webhooks.delivery(id, sent.id)).toEqual(
    await http(`/webhook-endpoints/${id}/deliveries/${sent.id}`)
  )
  expect(await shop.webhooks.get(id)).toEqual(await http(`/webhook-endpoints/${id}`))
  await shop.webhooks.remove(id)
  await expect(shop.webhooks.get(id)).rejects.toMatchObject({ code: "endpoint_not_found" })
})

it("requests compile with the members that the contract has", () => {
  type First<Verb extends (...request: never) => unknown> = Parameters<Verb>[0]
  type Shop = typeof shop
  type Invoice = First<Shop["invoices"]["create"]>
  expectTypeOf<"externalOrderId">().toExtend<keyof Invoice>()
  expectTypeOf<"externalOrderID">().not.toExtend<keyof Invoice>()
  expectTypeOf<{ amount: string }>().not.toExtend<Invoice>()
  expectTypeOf<{ description: string }>().not.toExtend<Invoice>()
  expectTypeOf<{ name: string }>().not.toExtend<First<Shop["paymentLinks"]["create"]>>()
  expectTypeOf<{ title: string }>().not.toExtend<First<Shop["formHooks"]["create"]>>()
  expectTypeOf<{ url: string; events: ["paid"] }>().not.toExtend<First<Shop["webhooks"]["create"]>>()
  expectTypeOf<{ amount: number; interval: "hour" }>().not.toExtend<First<Shop["subscriptions"]["create"]>>()
})
