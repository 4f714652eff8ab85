/** The tariff in the cabinet over HTTP: what is used, what there is, how a month is ordered, and what was ordered. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import type { Mode } from "@tolem/core/value/Mode"
import { accountOf, organizationOf as merchantOf } from "@tolem/testing/fixtures"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { type Answer, call } from "./support/calls.ts"
import { as, join, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Key, type Service, start } from "./support/service.ts"

const seller = "org_seller_of_tests"

/** A service whose seller is an organization of its own. */
const selling = async (mode: Mode) => {
  const started = await start({
    settings: { tariffs: { ...defaults.tariffs, seller: { organizationId: seller, mode } } }
  })
  const owner = accountOf()
  const organization = merchantOf(owner, { id: seller, name: "Secret seller" })
  await started.run(MerchantStore.use((store) => store.addOrganization(organization, owner)))
  return started
}

let service: Service
let owner: Person
let key: Key
beforeAll(async () => {
  service = await selling("sandbox")
  owner = await logIn(service, "77097000001")
  key = await service.key({ organizationId: seller })
})
afterAll(() => service.stop())

const panel = (id: string, person: Person, method: string, path: string, body?: unknown, on = service) =>
  as(on, person, method, `/panel/orgs/${id}${path}`, body)
const order = (id: string, tariff: unknown, person = owner) => panel(id, person, "POST", "/tariff/orders", { tariff })
const bills = async (id: string, query = "") => (await panel(id, owner, "GET", `/bills${query}`)).body
const billsOf = async (id: string): Promise<ReadonlyArray<Record<string, unknown>>> =>
  Object((await bills(id))["bills"])
const invoiceOf = ({ body }: Answer) => String(body["invoice"]?.["id"])
const simulate = (invoiceId: string, status: string) =>
  call(service, "POST", `/api/v1/invoices/${invoiceId}/simulate`, { key, body: { status } })
const keep = async () => {
  const { tariffSales } = await service.run(Engine)
  const due = await service.run(TariffStore.use((store) => store.paidOrders(0, 100)))
  for (const one of due) await service.run(tariffSales.fulfil(one))
}

it("is shown with what is used of it, and those that there are, to every member", async () => {
  const id = await organizationOf(service, owner)
  const cashier = await logIn(service, "77097000002")
  await join(service, id, cashier, "cashier")
  const { status, body } = await panel(id, cashier, "GET", "/tariff")
  expect(status).toBe(200)
  expect(body).toMatchObject({
    isSold: true,
    tariff: { code: "scale", active: true, monthlyLimit: 50_000, monthlyUsed: 0, dailyUsed: 0, partner: false }
  })
  const shown: ReadonlyArray<Record<string, unknown>> = Object(body["catalogue"])
  expect(shown.map(({ code, price }) => [code, price])).toEqual([
    ["trial", null],
    ["start", 5_000],
    ["business", 15_000],
    ["scale", 60_000],
    ["partner", 90_000]
  ])
  expect(outcomeOf(await panel(id, cashier, "GET", "/bills"))).toBe("403 insufficient_role")
})

it("is ordered by the owner, paid to the seller, and takes effect; its bill tells nothing else of them", async () => {
  const id = await organizationOf(service, owner)
  const ordered = await order(id, "business")
  expect([ordered.status, ordered.body]).toMatchObject([
    200,
    {
      tariff: "business",
      months: 1,
      amount: 15_000,
      invoice: { status: "pending", qrUrl: expect.any(String), expiresAt: expect.any(String) }
    }
  ])
  const image = await fetch(String(ordered.body["invoice"]?.["qrImageUrl"]).replace(/^https?:\/\/[^/]+/, service.url))
  expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/svg+xml"])
  expect(await billsOf(id)).toMatchObject([{ appliedAt: null, invoice: { status: "pending", receiptNumber: null } }])
  expect((await simulate(invoiceOf(ordered), "paid")).status).toBe(200)
  await keep()
  const [bill] = await billsOf(id)
  expect(bill).toEqual({
    id: ordered.body["id"],
    tariff: "business",
    months: 1,
    amount: 15_000,
    createdAt: expect.any(String),
    appliedAt: expect.any(String),
    invoice: {
      id: invoiceOf(ordered),
      status: "paid",
      payUrl: ordered.body["invoice"]?.["payUrl"],
      receiptNumber: expect.any(String),
      receiptUrl: expect.stringContaining(`/receipts/${invoiceOf(ordered)}`)
    }
  })
  const told = `${JSON.stringify(bill)} ${ordered.text}`
  for (const text of ["Secret seller", seller, "metadata"]) expect(told).not.toContain(text)
  expect((await panel(id, owner, "GET", "/tariff")).body["tariff"]).toMatchObject({ code: "business", active: true })
})

it("is ordered once by two at once, with one record of who did it", async () => {
  const id = await organizationOf(service, owner)
  const answers = await Promise.all([order(id, "start"), order(id, "start"), order(id, "start")])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(await billsOf(id)).toHaveLength(1)
  const { audit, integrity } = await service.run(Engine)
  const log = await service.run(audit.list({ organizationId: id, before: null, limit: 50 }))
  const records = log.filter(({ action }) => action === "tariff.ordered")
  expect(records.map(({ actor, subject, detail }) => [actor.id, subject, JSON.parse(detail ?? "")])).toEqual([
    [owner.accountId, answers[0]?.body["id"], { tariff: "start", months: 1, amount: 5_000 }]
  ])
  // What has expired is ordered anew.
  await simulate(invoiceOf(answers[0]!), "expired")
  const again = await order(id, "start")
  expect(invoiceOf(again)).not.toBe(invoiceOf(answers[0]!))
  expect((await billsOf(id)).map(({ invoice }) => Object(invoice)["status"])).toEqual(["pending", "expired"])
  expect(await service.run(integrity.findings)).toEqual([])
})

it("has its bills newest first, page by page, for those who keep the books", async () => {
  const id = await organizationOf(service, owner)
  const accountant = await logIn(service, "77097000003")
  await join(service, id, accountant, "accountant")
  const made = []
  for (const tariff of ["start", "business", "scale"]) made.unshift((await order(id, tariff)).body["id"])
  const page = (await panel(id, accountant, "GET", "/bills?limit=2")).body
  const rest = await bills(id, `?limit=2&after=${page["next"]}`)
  const idsIn = (body: Answer["body"]) => Object(body["bills"]).map((one: { readonly id: string }) => one.id)
  // Those of one millisecond have the order of their ids, which are random then.
  expect([...idsIn(page), ...idsIn(rest)].toSorted()).toEqual(made.toSorted())
  expect([page["limit"], idsIn(page).length, rest["next"]]).toEqual([2, 2, null])
  expect((await bills(id, "?limit=1000"))["limit"]).toBe(50)
  for (const [query, code] of [
    ["?limit=many", "invalid_limit"],
    ["?after=1", "invalid_after"],
    ["?after=1.inv_1", "invalid_after"]
  ] as const) {
    expect(outcomeOf(await panel(id, owner, "GET", `/bills${query}`)), query).toBe(`422 ${code}`)
  }
  const other = await organizationOf(service, owner)
  expect(await billsOf(other)).toEqual([])
  expect(outcomeOf(await order(id, "start", accountant))).toBe("403 insufficient_role")
})

it("is one with a price", async () => {
  const id = await organizationOf(service, owner)
  for (const tariff of ["trial", "gold", "", 7, null, undefined, ["start"], "\u0000"]) {
    expect(outcomeOf(await order(id, tariff)), String(tariff)).toBe("422 invalid_tariff")
  }
  expect(await billsOf(id)).toEqual([])
})

it("cannot be bought now if the seller's cashier is not there, which says nothing of the buyer's", async () => {
  const broken = await selling("live")
  onTestFinished(() => broken.stop())
  const person = await logIn(broken, "77097000004")
  const id = await organizationOf(broken, person)
  const buy = () => panel(id, person, "POST", "/tariff/orders", { tariff: "start" }, broken)
  expect(outcomeOf(await buy())).toBe("502 provider_error")
  expect(outcomeOf(await buy())).toBe("502 provider_error")
  const { body } = await panel(id, person, "GET", "/bills", undefined, broken)
  expect(body["bills"]).toMatchObject([{ tariff: "start", appliedAt: null, invoice: null }])
  expect(broken.logs.filter((line) => line.includes("the seller's invoice was not made"))).toHaveLength(2)
})

it("is not sold where there is no seller", async () => {
  const plain = await start()
  onTestFinished(() => plain.stop())
  const person = await logIn(plain, "77097000005")
  const id = await organizationOf(plain, person)
  expect((await panel(id, person, "GET", "/tariff", undefined, plain)).body["isSold"]).toBe(false)
  const bought = await panel(id, person, "POST", "/tariff/orders", { tariff: "start" }, plain)
  expect(outcomeOf(bought)).toBe("422 invalid_tariff")
})
