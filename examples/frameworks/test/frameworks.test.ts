import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { routeOf } from "../src/NextRoute.ts"
import { onFastify } from "../src/OnFastify.ts"
import { onHono } from "../src/OnHono.ts"
import { functionsOf } from "../src/Serverless.ts"
import { openShop, type Shop } from "../src/Shop.ts"

const secretKey = "a text of the shop that nobody else knows"

let folder: string
let shop: Shop
let key: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tolem-frameworks-"))
  shop = await openShop({ filename: join(folder, "shop.db"), secretKey })
  const { organizationId, mode } = shop.shop
  const scopes = ["invoices:read", "invoices:write"] as const
  key = (await shop.engine.organizations.createKey({ organizationId, mode, name: "test", scopes })).apiKey
})

afterEach(async () => {
  await shop.engine.close()
  rmSync(folder, { recursive: true })
})

type Ask = (path: string, init?: RequestInit) => Promise<Response>

const json = (body: object, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body)
})

/** A customer's way: the API makes an invoice, its page opens, and it is paid; the documents are there. */
const works = async (ask: Ask) => {
  const made = await ask("/payments/api/v1/invoices", json({ amount: 1500 }, { "x-api-key": key }))
  expect(made.status).toBe(201)
  const { id, payUrl } = await made.json()
  expect(payUrl).toBe(`https://shop.kz/payments/pay/${id}`)
  expect((await ask(`/payments/pay/${id}`)).status).toBe(200)
  const simulate = json({ status: "paid" }, { "x-api-key": key })
  expect((await ask(`/payments/api/v1/invoices/${id}/simulate`, simulate)).status).toBe(200)
  expect(await shop.shop.invoices.get(id)).toMatchObject({ status: "paid" })
  expect((await ask("/payments/docs")).status).toBe(200)
  expect((await ask("/payments/metrics")).status).toBe(404)
}

/** The shop's own route beside it. */
const sells = async (ask: Ask) => {
  const order = json({ order: "A-1", amount: 1500 })
  const first = await (await ask("/checkout", order)).json()
  expect(first.payUrl).toMatch(/^https:\/\/shop\.kz\/payments\/pay\/inv_/)
  expect(await (await ask("/checkout", order)).json()).toEqual(first)
}

it("Fastify", async () => {
  const app = onFastify(shop)
  const url = await app.listen({ port: 0, host: "127.0.0.1" })
  const ask: Ask = (path, init) => fetch(url + path, init)
  await works(ask)
  await sells(ask)
  await app.close()
})

it("Hono", async () => {
  const app = onHono(shop)
  const ask: Ask = async (path, init) => app.request(path, init)
  await works(ask)
  await sells(ask)
})

it("a route of Next.js", async () => {
  const route = routeOf(Promise.resolve(shop))
  await works((path, init = {}) => {
    const method = init.method === "POST" ? "POST" : "GET"
    return route[method](new Request(`https://shop.kz${path}`, init))
  })
})

it("functions without a process", async () => {
  await shop.engine.close()
  const filename = join(folder, "shop.db")
  const paid: Array<string> = []
  const on = {
    "invoice.paid": ({ invoice }: { readonly invoice: { readonly id: string } }) => void paid.push(invoice.id)
  }
  const functions = functionsOf({ filename, secretKey, on })
  const asked = new Request("https://shop.kz/payments/api/v1/invoices", json({ amount: 1500 }, { "x-api-key": key }))
  const made = await functions.fetch(asked)
  expect(made.status).toBe(201)
  const { id } = await made.json()
  const pays = json({ status: "paid" }, { "x-api-key": key })
  await functions.fetch(new Request(`https://shop.kz/payments/api/v1/invoices/${id}/simulate`, pays))
  expect(paid).toEqual([])
  expect((await functions.fetch(new Request("https://shop.kz/payments/docs"))).status).toBe(200)
  while (paid.length === 0) await functions.scheduled(100)
  expect(paid).toEqual([id])
  await functions.close()
})
