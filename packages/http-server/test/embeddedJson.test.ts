/** What promises answer is what HTTP answers, member by member, on one database. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine, type EmbeddedEngine, Engine, SecretBox } from "@tolem/core"
import { HandOver, Mailer } from "@tolem/core/mail/Mailer"
import { KeyScope } from "@tolem/core/merchant/Merchant"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll, expect, expectTypeOf, it } from "vitest"
import * as WebHandler from "../src/WebHandler.ts"

const secretKey = "a key for tests only, of no use anywhere else"
const folder = mkdtempSync(join(tmpdir(), "tolem-embedded-"))
const filename = join(folder, "tolem.db")

let engine: EmbeddedEngine
let web: ReturnType<typeof WebHandler.make>
let shop: ReturnType<EmbeddedEngine["of"]>
let apiKey: string
let tenant: { readonly organizationId: string; readonly mode: "sandbox" }

beforeAll(async () => {
  const platform = nodePlatform()
  engine = await createEngine({
    database: sqlite({ filename }),
    platform,
    secretKeys: [secretKey],
    mailer: Layer.succeed(Mailer, { send: () => Effect.succeed(HandOver.Taken()) }),
    settings: { sandbox: { mailTo: [] } },
    agents: false
  })
  const services = Engine.layer().pipe(
    Layer.provideMerge(sqlite({ filename })),
    Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
    Layer.provideMerge(platform)
  )
  web = WebHandler.make(services)
  const { organization } = await engine.organizations.create({ name: "Shop", ownerPhone: "77001234567" })
  tenant = { organizationId: organization.id, mode: "sandbox" }
  shop = engine.of(tenant)
  const scopes = KeyScope.literals.filter((scope) => scope !== "partner:manage")
  apiKey = (await engine.organizations.createKey({ ...tenant, name: "test", scopes })).apiKey
})

afterAll(async () => {
  await web.dispose()
  await engine.close()
  rmSync(folder, { recursive: true })
})

const http = async (path: string, method = "GET", body?: unknown, { key = apiKey, ...more }: Headers = {}) => {
  const init = { method, headers: { "x-api-key": key, "content-type": "application/json", ...more } }
  const sent = body === undefined ? init : { ...init, body: JSON.stringify(body) }
  const answer = await web.handler(new Request(`http://localhost:3000/api/v1${path}`, sent), { address: null })
  expect(answer.ok).toBe(true)
  return answer.json()
}

type Headers = { readonly key?: string; readonly "idempotency-key"?: string }

it("of invoices", async () => {
  const { id } = await shop.invoices.create({ amount: 1500, externalOrderId: "42", metadata: { a: [1] } })
  await shop.invoices.simulate(id, "paid")
  await shop.invoices.refund(id, { amount: 500 })
  expect(await shop.invoices.get(id)).toEqual(await http(`/invoices/${id}`))
  expect(await shop.invoices.list()).toEqual(await http("/invoices"))
})

it("of creates that are repeated, of many at once, of cancels, and of what is asked anew", async () => {
  const sent = { amount: 900, idempotencyKey: "once" }
  const first = await shop.invoices.create(sent)
  const replayed = await shop.invoices.create(sent)
  expect(replayed).toEqual({ ...first, idempotentReplay: true })
  expect(replayed).toEqual(await http("/invoices", "POST", sent))
  expect(await shop.invoices.create({ ...sent, amount: 901 })).toEqual({ ...replayed, idempotencyMismatch: true })
  const many = [sent, { amount: 0 }, { amount: 901, idempotencyKey: "once" }]
  const { results, ...counts } = await http("/invoices/bulk", "POST", { invoices: many })
  const bulk = await shop.invoices.bulk(many)
  expect(bulk).toMatchObject({ ...counts, results: [results[0], results[1], {}] })
  expect(bulk.results[2]).toMatchObject({ index: 2, ok: true, invoice: { idempotencyMismatch: true } })
  const refund = { amount: 100, idempotencyKey: "back" }
  await shop.invoices.simulate(first.id, "paid")
  await shop.invoices.refund(first.id, refund)
  expect(await shop.invoices.refund(first.id, refund)).toEqual(
    await http(`/invoices/${first.id}/refund`, "POST", refund)
  )
  const [one, other] = [await shop.invoices.create({ amount: 5 }), await shop.invoices.create({ amount: 5 })]
  const cancelled = await shop.invoices.cancel(one.id)
  expect(Object.keys(cancelled)).toEqual(Object.keys(await http(`/invoices/${other.id}/cancel`, "POST", {})))
  expect(cancelled.stillPayableUntil).toBe(cancelled.expiresAt)
  expect(await shop.invoices.get(one.id, { live: true })).toEqual(await http(`/invoices/${one.id}?live=1`))
})

it("of an organization, its partner's view, and its keys", async () => {
  const { organizations, tariffs, partners } = engine
  const { organization, owner } = await organizations.create({ name: "Partner", ownerPhone: "77007654321" })
  await tariffs.grant({ organizationId: organization.id, tariff: "partner", months: null })
  const tenant = { organizationId: organization.id, mode: "sandbox" } as const
  const { apiKey: partnerKey } = await organizations.createKey({ ...tenant, name: "p", scopes: ["partner:manage"] })
  const client = { name: "Client", ownerPhone: "77001112233" }
  const opened = await partners.open(organization.id, client, "client-1")
  const again = { idempotentReplay: true, organization: opened.organization, owner: opened.owner }
  expect(
    await http("/partner/organizations", "POST", client, { key: partnerKey, "idempotency-key": "client-1" })
  ).toEqual(again)
  expect(await partners.clients(organization.id)).toEqual(
    await http("/partner/organizations", "GET", undefined, { key: partnerKey })
  )
  const { id } = opened.organization
  expect(await partners.client(organization.id, id)).toEqual(
    await http(`/partner/organizations/${id}`, "GET", undefined, { key: partnerKey })
  )
  expect(await organizations.get(id)).toEqual(opened.organization)
  expect(await partners.earnings(organization.id)).toEqual(
    await http("/partner/earnings", "GET", undefined, { key: partnerKey })
  )
  const { organizations: found, total } = await organizations.list({ search: "Client", limit: 5 })
  expect({ found, total }).toEqual({ found: [{ ...opened.organization, ownerStatus: "active" }], total: 1 })
  await engine.members.add(id, { phone: "77003332211", role: "developer" })
  const { members } = await engine.members.list(id)
  expect(members.map(({ role }) => role).sort()).toEqual(["developer", "developer", "owner"])
  expect((await engine.accounts.memberships(owner.id)).memberships.map(({ name }) => name)).toEqual([
    "Partner",
    "Client"
  ])
  const { connections } = await engine.connections.list(id)
  const made = await engine.connections.create(id, { name: "Till" })
  expect([connections, await engine.connections.get(id, made.id)]).toEqual([[], made])
  expect(await engine.connections.disable(id, made.id)).toMatchObject({ status: "disabled" })
  const { keys } = await organizations.keys(id)
  expect(keys).toMatchObject([{ mode: "sandbox", connectionId: null }])
  expect(await organizations.bindKey(id, keys[0]!.id, made.id)).toMatchObject({ connectionId: made.id })
  await expect(engine.connections.remove(id, made.id)).rejects.toMatchObject({ code: "connection_has_keys" })
  expect(await organizations.deleteKey(keys[0]!.id)).toBe(true)
  expect(await organizations.keys(id)).toEqual({ keys: [] })
  await engine.connections.remove(id, made.id)
  expect(await organizations.setStatus(id, "archived")).toBe(true)
  await expect(partners.client(organization.id, id)).rejects.toMatchObject({ code: "organization_inactive" })
  const { records } = await engine.audit.list({ organizationId: id, limit: 3 })
  expect(records.map(({ action }) => action)).toEqual(["organization.archived", "connection.deleted", "key.deleted"])
})

it("of the letters about an invoice", async () => {
  const subscription = await shop.subscriptions.create({ amount: 70, customer: { email: "dana@gmail.com" } })
  const { id } = await shop.subscriptions.run(subscription.id)
  const letter = { kind: "invoice", invoiceId: id, recipient: "dana@gmail.com", status: "pending", attempts: 0 }
  expect(await shop.invoices.letters(id)).toMatchObject({
    letters: [{ ...letter, text: expect.stringContaining(`/pay/${id}`) }]
  })
  const [{ id: waits } = { id: "" }] = (await shop.invoices.letters(id)).letters
  expect(await shop.invoices.sendLetterAgain(id, waits)).toMatchObject({ ...letter, id: waits, resent: 0 })
  await expect(shop.invoices.sendLetterAgain(id, "mai_none")).rejects.toMatchObject({ code: "letter_not_found" })
  await expect(shop.invoices.letters("inv_nobody")).rejects.toMatchObject({ code: "invoice_not_found" })
})

it("of subscriptions", async () => {
  const customer = { email: "a@shop.kz" }
  const { id } = await shop.subscriptions.create({ amount: 1500, interval: "week", customer, metadata: { a: 1 } })
  expect(await shop.subscriptions.get(id)).toEqual(await http(`/subscriptions/${id}`))
  expect(await shop.subscriptions.list()).toEqual(await http("/subscriptions"))
  expect(await shop.subscriptions.detail(id)).toMatchObject({
    subscription: { id },
    events: [{ type: "subscription.created" }],
    runs: []
  })
})

it("of payment links and form hooks", async () => {
  const link = await shop.paymentLinks.create({ title: "Tea", amount: 20 })
  expect(link).toEqual(await http(`/payment-links/${link.id}`))
  expect(await shop.paymentLinks.patch(link.id, { status: "paused" })).toEqual(await http(`/payment-links/${link.id}`))
  expect(await shop.paymentLinks.list()).toEqual(await http("/payment-links"))
  const hook = await shop.formHooks.create({ name: "Form" })
  expect(hook).toEqual(await http(`/form-hooks/${hook.id}`))
  expect(await shop.formHooks.list()).toEqual(await http("/form-hooks"))
})

it("of webhook endpoints, every verb", async () => {
  const made = await shop.webhooks.create({ url: "https://shop.kz/hook", events: ["invoice.paid"] })
  const { id } = made
  const { secret, ...endpoint } = made
  expect(secret).toMatch(/^whsec_/)
  expect(endpoint).toEqual(await http(`/webhook-endpoints/${id}`))
  expect(await shop.webhooks.list()).toEqual(await http("/webhook-endpoints"))
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

it("of events", async () => {
  const page = await shop.events().page()
  expect(page.events.length).toBeGreaterThan(0)
  expect(page).toEqual(await http("/events"))
  const types = ["invoice.paid"] as const
  const paid = await shop.events({ types, limit: 1 }).page()
  expect(paid).toEqual(await http("/events?types=invoice.paid&limit=1"))
  expectTypeOf(page.events[0]!.invoice.amount).toEqualTypeOf<number>()
})

it("of events one after another, for as long as one likes", async () => {
  const { cursor, events: before } = await shop.events().page()
  const found: Array<string> = []
  for await (const event of shop.events({ follow: false, limit: 1 })) found.push(event.id)
  expect(found).toEqual(before.map(({ id }) => id))
  const stop = new AbortController()
  const waiting = (async () => {
    const types: Array<string> = []
    for await (const event of shop.events({ after: cursor, signal: stop.signal })) {
      types.push(event.type)
      if (types.length === 2) break
    }
    return types
  })()
  const { id } = await shop.invoices.create({ amount: 1 })
  await shop.invoices.simulate(id, "paid")
  expect(await waiting).toEqual(["invoice.created", "invoice.paid"])
  const idle = (async () => {
    for await (const event of engine.events({ ...tenant, types: ["invoice.refunded"], signal: stop.signal }))
      return event
    return "stopped"
  })()
  stop.abort()
  expect(await idle).toBe("stopped")
  await expect(shop.events({ after: "nonsense" }).page()).rejects.toMatchObject({ code: "invalid_after" })
})
