/** Tariffs over HTTP: what is counted and refused, what `GET /account` shows, how a tariff is bought and who earns. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { tariffOf } from "@tolem/core/merchant/TariffPlan"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { accountOf, organizationOf } from "@tolem/testing/fixtures"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import * as TestClock from "./support/clock.ts"
import { type Key, type Service, start } from "./support/service.ts"

const startAt = Date.UTC(2026, 0, 1, 7)
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const invoices = "/api/v1/invoices"

let service: Service
const operator = "org_operator_of_tests"

const at = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, TestClock.layer(service.time))

beforeAll(async () => {
  const tiny = { ...tariffOf("tiny", "Tiny", 5), dailyLimit: 3 }
  const catalogue = [...defaults.tariffs.catalogue, tiny]
  const seller = { organizationId: operator, mode: "sandbox" } as const
  service = await start({
    now: startAt,
    provider: InProcess.layer(SandboxBank.make(), { timeoutMs: 1_000 }),
    settings: { tariffs: { ...defaults.tariffs, catalogue, seller } }
  })
})
afterAll(() => service.stop())

/** A merchant of a tariff with a cashier who works, and their keys. */
const merchant = async (tariff: string, referralCode?: string) => {
  const { id, ownerId } = await service.organization({ tariff, ...(referralCode !== undefined && { referralCode }) })
  const { connections } = await service.run(Engine)
  const cashier = await service.run(at(connections.create(id, { name: "Till" })))
  const { id: processId } = await service.run(at(connections.initLogin(id, cashier.id)))
  await service.run(at(connections.sendPhone(id, cashier.id, { processId, phone: "77010000000" })))
  await service.run(at(connections.verifyOtp(id, cashier.id, { processId, otp: Redacted.make("111111") })))
  return {
    id,
    ownerId,
    cashier,
    live: await service.key({ organizationId: id, mode: "live" }),
    test: await service.key({ organizationId: id })
  }
}

const create = async (key: Key, headers: Record<string, string> = {}) => {
  const { status, body } = await call(service, "POST", invoices, { key, body: { amount: 100 }, headers })
  return status < 300 ? status : String(body["error"])
}
const account = async (key: Key) => (await call(service, "GET", "/api/v1/account", { key })).body

describe("the account", () => {
  it("shows organization, mode, tariff with usage, and cashiers", async () => {
    const { id, live, test, cashier } = await merchant("start")
    expect(await create(live)).toBe(201)
    expect(await create(test)).toBe(201)
    const body = await account(live)
    expect(body).toEqual({
      organization: {
        id,
        name: "Dastarkhan",
        legalName: null,
        idn: null,
        status: "active",
        createdAt: new Date(startAt).toISOString()
      },
      mode: "live",
      tariff: {
        code: "start",
        name: "Start",
        active: true,
        validUntil: null,
        monthlyLimit: 500,
        monthlyUsed: 1,
        dailyLimit: 100,
        dailyUsed: 1
      },
      connections: [
        {
          id: cashier.id,
          name: "Till",
          status: "active",
          phone: "7701*****00",
          isDefault: true,
          createdAt: new Date(startAt).toISOString()
        }
      ]
    })
    expect((await account(test))["mode"]).toBe("sandbox")
    expect(JSON.stringify(body)).not.toContain("77010000000")
  })

  it("is open to any key, and shows a bound one its own cashier only", async () => {
    const { id, cashier } = await merchant("start")
    const { connections } = await service.run(Engine)
    await service.run(at(connections.create(id, { name: "Another" })))
    const scopes = ["refunds:write"] as const
    const bound = await service.key({ organizationId: id, mode: "live", scopes, connectionId: cashier.id })
    expect((await account(bound))["connections"]?.map(({ id }) => id)).toEqual([cashier.id])
  })
})

describe("a tariff", () => {
  it("refuses what is over the day and over the month, and nothing in the sandbox", async () => {
    const { live, test } = await merchant("tiny")
    const answers = []
    for (let i = 0; i < 4; i++) answers.push(await create(live))
    expect(answers).toEqual([201, 201, 201, "tariff_daily_burst"])
    const refused = await call(service, "POST", invoices, { key: live, body: { amount: 1 } })
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, null])
    for (let i = 0; i < 6; i++) expect(await create(test)).toBe(201)
    service.time.now += dayMs
    expect(await create(live)).toBe(201)
    expect(await create(live)).toBe(201)
    expect(await create(live)).toBe("tariff_limit_reached")
    expect((await account(live))["tariff"]).toMatchObject({ monthlyUsed: 5, dailyUsed: 2 })
    service.time.now += 31 * dayMs
    expect(await create(live)).toBe(201)
  })

  it("counts exactly when many ask at once, a request that is repeated once", async () => {
    const { live } = await merchant("tiny")
    const same = { "idempotency-key": "same" }
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => create(live)),
      ...Array.from({ length: 5 }, () => create(live, same))
    ])
    const made = answers.filter((answer) => answer === 201)
    expect(made).toHaveLength(3)
    expect((await account(live))["tariff"]).toMatchObject({ monthlyUsed: 3, dailyUsed: 3 })
  })

  it("answers a replay with the quota used up, and judges each element of a bulk request", async () => {
    const { live } = await merchant("tiny")
    const first = { "idempotency-key": "first" }
    expect(await create(live, first)).toBe(201)
    const elements = Array.from({ length: 4 }, (_, n) => ({ amount: 10 + n }))
    const bulk = await call(service, "POST", `${invoices}/bulk`, { key: live, body: { invoices: elements } })
    expect(bulk.body["results"]?.map(({ ok, error }) => (ok ? "made" : error))).toEqual([
      "made",
      "made",
      "tariff_daily_burst",
      "tariff_daily_burst"
    ])
    expect(await create(live, first)).toBe(200)
  })

  it("that is a trial ends after seven days, the sandbox goes on", async () => {
    const { live, test } = await merchant("trial")
    expect(await create(live)).toBe(201)
    expect((await account(live))["tariff"]?.["validUntil"]).toBe(new Date(service.time.now + 7 * dayMs).toISOString())
    service.time.now += 7 * dayMs
    expect(await create(live)).toBe("tariff_inactive")
    expect(await create(test)).toBe(201)
    expect((await account(live))["tariff"]?.["active"]).toBe(false)
  })

  it("that has ended withholds nothing that an earlier request has made", async () => {
    const { live, id, cashier } = await merchant("trial")
    const same = { "idempotency-key": "same" }
    const bulk = () =>
      call(service, "POST", `${invoices}/bulk`, { key: live, body: { invoices: [{ amount: 7, idempotencyKey: "b" }] } })
    expect(await create(live, same)).toBe(201)
    const [made] = (await bulk()).body["results"] ?? []
    service.time.now += 8 * dayMs
    expect(await create(live, same)).toBe(200)
    expect(await create(live, { "idempotency-key": "other" })).toBe("tariff_inactive")
    const again = await call(service, "POST", invoices, { key: live, body: { amount: 3 }, headers: same })
    expect([again.status, again.body["idempotentReplay"], again.headers.get("idempotency-mismatch")]).toEqual([
      200,
      true,
      "true"
    ])
    expect((await bulk()).body["results"]).toMatchObject([{ ok: true, invoice: { id: made?.invoice?.id } }])
    const { connections, tariffs } = await service.run(Engine)
    await service.run(at(tariffs.grant({ organizationId: id, tariff: "start", months: null })))
    await service.run(at(connections.change(id, cashier.id, { _tag: "Disabled" })))
    expect(await create(live, same)).toBe(200)
    expect(await create(live)).toBe("connection_not_active")
  })

  it("is granted by the operator, from now or onto what there is", async () => {
    const { id, live } = await merchant("trial")
    const { tariffs } = await service.run(Engine)
    service.time.now += 8 * dayMs
    expect(await create(live)).toBe("tariff_inactive")
    const grant = (tariff: string, months: number | null) =>
      service.run(at(tariffs.grant({ organizationId: id, tariff, months })))
    const until = (await grant("start", 1)).organization.tariffUntil!
    expect(await create(live)).toBe(201)
    expect((await grant("start", 1)).organization.tariffUntil!).toBeGreaterThan(until + 27 * dayMs)
    expect((await grant("scale", null)).organization.tariffUntil).toBeNull()
    expect((await grant("scale", 1)).organization.tariffUntil).toBeNull()
    const codeOf = <A>(effect: Effect.Effect<A, { readonly _tag: string }>) =>
      service.run(Effect.map(Effect.flip(effect), ({ _tag }) => _tag))
    expect(await codeOf(tariffs.grant({ organizationId: id, tariff: "gold", months: 1 }))).toBe("InvalidTariff")
    expect(await codeOf(tariffs.grant({ organizationId: "org_no", tariff: "start", months: 1 }))).toBe(
      "OrganizationNotFound"
    )
  })
})

describe("a tariff that is bought", () => {
  const buy = async (organizationId: string, tariff: string) => {
    const { tariffSales } = await service.run(Engine)
    return service.run(at(tariffSales.buy(organizationId, tariff)))
  }
  /** Pays the invoice as a customer does in the sandbox, and lets the agent's work be done. */
  const pay = async (invoiceId: string, status = "paid") => {
    const key = await operatorKey()
    await call(service, "POST", `${invoices}/${invoiceId}/simulate`, { key, body: { status } })
    return fulfil()
  }
  const fulfil = async () => {
    const { tariffSales } = await service.run(Engine)
    const due = await service.run(TariffStore.use((store) => store.paidOrders(0, 100)))
    for (const order of due) await service.run(at(tariffSales.fulfil(order)))
    return due.length
  }
  let known: Key | undefined
  const operatorKey = async () => {
    if (known !== undefined) return known
    const { organizations } = await service.run(Engine)
    const owner = accountOf()
    await service.run(
      MerchantStore.use((store) => store.addOrganization(organizationOf(owner, { id: operator }), owner))
    )
    const request = { organizationId: operator, mode: "sandbox" as const, name: "op", scopes: ["invoices:write"] }
    const { key, text } = await service.run(organizations.createKey(request))
    known = { organizationId: operator, apiKey: Redacted.value(text), keyId: key.id }
    return known
  }

  it("starts when its invoice is paid, is prolonged by the next, and gives the referrer their share once", async () => {
    await operatorKey()
    const { ownerId: referrerId } = await service.organization()
    const { directory } = await service.run(Engine)
    const found = await service.run(directory.account({ id: referrerId }))
    const referralCode = found._tag === "Some" ? found.value.referralCode : ""
    const { id, live } = await merchant("trial", referralCode)
    const first = await buy(id, "start")
    expect(first.invoice).toMatchObject({ amount: 500_000, organizationId: operator, status: "pending" })
    expect((await account(live))["tariff"]?.["code"]).toBe("trial")
    expect(await pay(first.invoice.id)).toBe(1)
    const started = await account(live)
    expect(started["tariff"]).toMatchObject({ code: "start", active: true })
    const until = Date.parse(String(started["tariff"]?.["validUntil"]))
    expect(until).toBeGreaterThanOrEqual(service.time.now + 28 * dayMs)
    expect(await fulfil()).toBe(0)
    const second = await buy(id, "start")
    await pay(second.invoice.id)
    const prolonged = Date.parse(String((await account(live))["tariff"]?.["validUntil"]))
    expect(prolonged).toBeGreaterThanOrEqual(until + 28 * dayMs)
    const earned = await service.run(TariffStore.use((store) => store.earnings(referrerId, 10)))
    expect(earned.map(({ amount, state, organizationId }) => [amount, state, organizationId])).toEqual([
      [100_000, "accrued", id],
      [100_000, "accrued", id]
    ])
  })

  it("changes nothing where its invoice expires, and something where it is paid late", async () => {
    await operatorKey()
    const { id, live } = await merchant("trial")
    const { invoice } = await buy(id, "business")
    expect(await pay(invoice.id, "expired")).toBe(0)
    expect((await account(live))["tariff"]?.["code"]).toBe("trial")
    expect(await pay(invoice.id, "paid")).toBe(1)
    expect((await account(live))["tariff"]?.["code"]).toBe("business")
  })

  it("is ordered once while it can be paid, however often and by however many it is asked for", async () => {
    await operatorKey()
    const { id, live } = await merchant("trial")
    const sales = await Promise.all(Array.from({ length: 5 }, () => buy(id, "start")))
    const billOf = ({ order, invoice }: (typeof sales)[number]) => `${order.id} ${invoice.id}`
    const first = sales.map(billOf)[0] ?? ""
    expect(new Set(sales.map(billOf))).toEqual(new Set([first]))
    expect(billOf(await buy(id, "start"))).toBe(first)
    const other = await buy(id, "business")
    expect(other.invoice.id).not.toBe(sales[0]?.invoice.id)
    // What has expired cannot be scanned any more: another one is made, once.
    await pay(sales[0]?.invoice.id ?? "", "expired")
    const again = await Promise.all([buy(id, "start"), buy(id, "start")])
    expect(again.map(billOf)[0]).toBe(again.map(billOf)[1])
    expect(again.map(billOf)).not.toContain(first)
    // What is paid is no open bill: the next one prolongs.
    expect(await pay(again[0]?.invoice.id ?? "")).toBe(1)
    expect((await account(live))["tariff"]?.["code"]).toBe("start")
    expect(billOf(await buy(id, "start"))).not.toBe(again.map(billOf)[0])
  })

  it("is one that the catalogue sells", async () => {
    const { id } = await merchant("trial")
    for (const tariff of ["trial", "gold"])
      await expect(buy(id, tariff)).rejects.toMatchObject({ _tag: "InvalidTariff" })
    await expect(buy("org_no", "start")).rejects.toMatchObject({ _tag: "OrganizationNotFound" })
  })

  it("leaves the books right", async () => {
    const { integrity } = await service.run(Engine)
    expect(await service.run(integrity.findings)).toEqual([])
  })
})
