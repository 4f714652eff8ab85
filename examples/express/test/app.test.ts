import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { madeOf } from "@tolem/testing-harness/Program"
import { afterEach, beforeEach, expect, it } from "vitest"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

let folder: string
let stop: () => Promise<number | null>
let url: string
let apiKey: string

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tolem-express-"))
  await start()
})

const start = async () => {
  const SECRET_KEY = "a secret text of the shop, 32 characters long"
  const own = { PORT: "0", DATA: folder, SECRET_KEY, BASE_URL: "https://shop.kz" }
  const child = spawn(process.execPath, [madeOf(main)], { env: { ...process.env, ...own } })
  child.stderr.pipe(process.stderr)
  const closed = once(child, "close")
  stop = async () => {
    child.kill("SIGTERM")
    const [code] = await closed
    return code
  }
  const [said] = await Promise.race([
    once(child.stdout, "data"),
    closed.then(([code]) => Promise.reject(new Error(`the shop ended with ${code}`)))
  ])
  const started = JSON.parse(String(said))
  url = `http://localhost:${started.address.port}`
  apiKey = started.apiKey
}

afterEach(async () => {
  await stop()
  rmSync(folder, { recursive: true })
})

const send = async (path: string, body?: object, headers: Record<string, string> = {}) => {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body)
  })
  return { status: response.status, body: await response.json() }
}

it("takes an order by the embedded engine, and its payment by the mounted API", async () => {
  const order = { order: "A-1", amount: 1500 }
  const checkout = await send("/checkout", order)
  expect(checkout.status).toBe(201)
  const id = checkout.body.invoice
  expect(checkout.body.payUrl).toBe(`https://shop.kz/pay/${id}`)
  expect((await send("/checkout", order)).body.invoice).toBe(id)

  const paid = await send(`/api/v1/invoices/${id}/simulate`, { status: "paid" }, { "X-API-Key": apiKey })
  expect(paid).toMatchObject({ status: 200, body: { id, status: "paid" } })
  expect((await send(`/orders/${id}`)).body).toEqual({ ...order, status: "paid" })
})

it("makes one invoice for an order also after restarts, and shows it as before", async () => {
  const order = { order: "A-1", amount: 1500 }
  const { body } = await send("/checkout", order)
  const earlierKey = { "X-API-Key": apiKey }
  for (let restarts = 0; restarts < 2; restarts++) {
    expect(await stop()).toBe(0)
    await start()
    expect((await send("/checkout", order)).body).toEqual(body)
  }
  expect(await send(`/orders/${body.invoice}`)).toMatchObject({ status: 200, body: { ...order, status: "pending" } })
  expect((await send("/api/v1/invoices", undefined, earlierKey)).status).toBe(401)
  const list = await send("/api/v1/invoices", undefined, { "X-API-Key": apiKey })
  expect(list.body).toMatchObject({ total: 1, invoices: [{ id: body.invoice }] })
})

it("answers refusals of the engine and of the API in the same shape", async () => {
  const embedded = await send("/checkout", { order: "A-2", amount: "many" })
  const mounted = await send("/api/v1/invoices", { amount: "many" }, { "X-API-Key": apiKey })
  expect(embedded).toEqual(mounted)
  expect(mounted).toMatchObject({ status: 422, body: { error: "invalid_amount" } })
  expect(await send("/orders/inv_nobody")).toMatchObject({ status: 404, body: { error: "invoice_not_found" } })
  expect(await send("/health/ready")).toMatchObject({ status: 200 })
  expect((await fetch(`${url}/docs`)).status).toBe(200)
})

it("closes in order", async () => {
  expect(await stop()).toBe(0)
})
