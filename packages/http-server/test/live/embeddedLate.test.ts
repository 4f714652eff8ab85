/** Money that comes after the end, in an application that embeds the engine: told as over HTTP. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import { sandboxBank, sandboxPayments } from "@tolem/provider-sandbox"
import { expect, it, onTestFinished } from "vitest"
import { handler } from "../../src/index.ts"
import { eventually } from "../support/eventually.ts"

it("is `late` in the invoice's events, in the feed, and in what handlers are told", async () => {
  const bank = sandboxBank()
  const heard: Array<object> = []
  const engine = await createEngine({
    database: sqlite({ filename: ":memory:" }),
    platform: nodePlatform(),
    provider: sandboxPayments(bank),
    secretKeys: ["a key for tests only, of no use anywhere else"],
    on: { "invoice.paid": ({ event, invoice }) => void heard.push({ ...event, status: invoice.status }) }
  })
  onTestFinished(engine.close)
  const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "live" })
  const { organizationId } = shop
  const { id: cashier } = await engine.connections.create(organizationId, { name: "Till" })
  const { processId } = await engine.connections.initLogin(organizationId, cashier)
  await engine.connections.sendPhone(organizationId, cashier, { processId, phone: "77001234567" })
  await engine.connections.verifyOtp(organizationId, cashier, { processId, otp: "111111" })
  await engine.organizations.switchMode(organizationId, "live")

  const { id } = await shop.invoices.create({ amount: 1500, kind: "qr" })
  // The code that the customer has on their phone stays payable.
  await shop.invoices.cancel(id)
  const [payment] = bank.control.payments(Date.now())
  bank.control.act(payment?.reference ?? "", { does: "pay" }, Date.now())
  const paid = await shop.invoices.get(id, { live: true })
  expect(paid.status).toBe("paid")
  const told = { type: "invoice.paid", from: "cancelled", to: "paid", late: true }
  expect(paid.events.flatMap(({ late, to }) => (late ? [to] : []))).toEqual(["paid"])
  expect(paid.events.at(-1)).toMatchObject(told)

  const { events } = await shop.events({ types: ["invoice.paid"] }).page()
  expect(events).toMatchObject([told])
  await eventually(() => expect(heard).toMatchObject([{ ...told, status: "paid" }]))

  const scopes = ["invoices:read"] as const
  const { apiKey } = await engine.organizations.createKey({ organizationId, mode: "live", name: "test", scopes })
  const asked = new Request(`http://localhost:3000/api/v1/invoices/${id}`, { headers: { "x-api-key": apiKey } })
  expect(await (await handler(engine)(asked)).json()).toEqual(await shop.invoices.get(id))
})
