/** The console of the platform: every call, with all who may not make it, and what operators do there. */
import { PanelApi } from "@tolem/api/PanelApi"
import { NeededDuty } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { type Duty, duties } from "@tolem/core/operator/Duty"
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { as, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

const endpoints: Array<{ readonly method: string; readonly path: string; readonly duty: Duty | undefined }> = []
HttpApi.reflect(PanelApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint: { method, path, annotations } }) => {
    if (!path.startsWith("/panel/operator/")) return
    endpoints.push({ method, path, duty: Context.getOrUndefined(annotations, NeededDuty) })
  }
})

let service: Service
let operator: Person
let member: Person
/** An operator whose code is stale. */
let late: Person
let organizationId: string
let key: Awaited<ReturnType<Service["key"]>>

const makeOperator = async ({ phone }: Person) => {
  const { operators } = await service.run(Engine)
  await service.run(operators.grant(phone))
}

beforeAll(async () => {
  service = await start({ now: Date.UTC(2026, 0, 5, 5) })
  late = await logIn(service, "77090000003")
  await makeOperator(late)
  service.time.now += service.settings.login.freshMs + 1
  operator = await logIn(service, "77090000001")
  await makeOperator(operator)
  member = await logIn(service, "77090000002")
  organizationId = await organizationOf(service, member)
  key = await service.key({ organizationId })
})
afterAll(() => service.stop())

const addressOf = (path: string) => path.replaceAll(/:\w+/g, "none")
const bodyOf = (method: string) => (method === "GET" ? undefined : {})

describe("a call of the console", () => {
  it("has its row in the table of duties, and each row a call", () => {
    const used = new Set(endpoints.map(({ duty }) => duty))
    for (const { method, path, duty } of endpoints) {
      expect(duty === undefined ? "no duty" : Object.keys(duties), `${method} ${path}`).toContain(duty)
    }
    expect(Object.keys(duties).filter((duty) => !used.has(duty as Duty))).toEqual([])
  })

  it("takes a fresh code if it changes something", () => {
    for (const { method, path, duty } of endpoints) if (method !== "GET") expect(duties[duty!].fresh, path).toBe(true)
  })

  it.each(endpoints)("is an operator's alone: $method $path", async ({ method, path }) => {
    const address = addressOf(path)
    expect(outcomeOf(await as(service, member, method, address, bodyOf(method)))).toBe("403 forbidden")
    const real = path.replace(":id", organizationId)
    expect(outcomeOf(await as(service, member, method, addressOf(real), bodyOf(method)))).toBe("403 forbidden")
    expect(outcomeOf(await call(service, method, address, { body: bodyOf(method) }))).toBe("401 unauthorized")
    expect(outcomeOf(await call(service, method, address, { key, body: bodyOf(method) }))).toBe("401 unauthorized")
    expect(outcomeOf(await as(service, operator, method, address, bodyOf(method)))).toMatch(/^(200|404|422)/)
  })

  it.each(endpoints.filter(({ method }) => method !== "GET"))(
    "is refused to other sites, and with a stale code: $method $path",
    async ({ method, path }) => {
      const address = addressOf(path)
      const headers = { cookie: `tolem_session=${operator.token}`, origin: "https://elsewhere.example" }
      expect(outcomeOf(await call(service, method, address, { headers, body: {} }))).toBe("403 cross_site_request")
      expect(outcomeOf(await as(service, late, method, address, {}))).toBe("403 fresh_code_required")
    }
  )
})

const path = (rest: string) => `/panel/operator/${rest}`
const done = async (method: string, rest: string, body?: unknown) => as(service, operator, method, path(rest), body)

describe("an operator", () => {
  it("is told so in their session, and no one else is", async () => {
    expect((await as(service, operator, "GET", "/panel/session")).body["operator"]).toBe(true)
    expect((await as(service, member, "GET", "/panel/session")).body["operator"]).toBe(false)
  })

  it("is one no more at once when that is ended", async () => {
    const person = await logIn(service, "77090000004")
    await makeOperator(person)
    expect((await as(service, person, "GET", path("accounts"))).status).toBe(200)
    const { operators } = await service.run(Engine)
    await service.run(operators.end(person.phone))
    expect(outcomeOf(await as(service, person, "GET", path("accounts")))).toBe("403 forbidden")
  })

  it("blocks a person, whose sessions and keys end, and lets them act again", async () => {
    const person = await logIn(service, "77090000005")
    const shop = await organizationOf(service, person)
    const key = await service.key({ organizationId: shop })
    const found = await done("GET", "accounts?search=8%20709%20000%2000%2005")
    expect(found.body["accounts"]).toMatchObject([{ id: person.accountId, status: "active" }])
    const blocked = await done("POST", `accounts/${person.accountId}/block`)
    expect(blocked.body).toMatchObject({ status: "blocked", sessions: 0, memberships: [{ organizationId: shop }] })
    expect(outcomeOf(await as(service, person, "GET", "/panel/session"))).toBe("403 account_blocked")
    expect(outcomeOf(await call(service, "GET", "/api/v1/account", { key }))).toBe("403 account_blocked")
    expect((await done("GET", `accounts/${person.accountId}`)).body).toMatchObject({ status: "blocked" })
    await done("POST", `accounts/${person.accountId}/unblock`)
    expect((await call(service, "GET", "/api/v1/account", { key })).status).toBe(200)
    // Codes are not sent one right after the other.
    service.time.now += 61_000
    const again = await logIn(service, person.phone)
    expect((await done("POST", `accounts/${person.accountId}/end-sessions`)).body).toEqual({ ended: 1 })
    expect((await as(service, again, "GET", "/panel/session")).status).toBe(401)
  })

  it("archives an organization, restores it, and grants it a tariff once however often it is asked", async () => {
    const at = `organizations/${organizationId}`
    expect((await done("GET", `organizations?search=${member.phone}`)).body["organizations"]).toMatchObject([
      { id: organizationId, ownerStatus: "active" }
    ])
    const { body } = await done("GET", at)
    expect(body).toMatchObject({ owner: { phone: member.phone }, counts: { members: 1 }, usedToday: 0 })
    expect((await done("POST", `${at}/archive`)).body["status"]).toBe("archived")
    expect((await done("POST", `${at}/restore`)).body["status"]).toBe("active")
    const seen = { seenTariff: body["tariff"], seenUntil: body["tariffUntil"] }
    const wanted = { tariff: "business", months: 2, ...seen }
    expect(outcomeOf(await done("POST", `${at}/tariff`, { ...wanted, months: 121 }))).toBe("422 invalid_months")
    expect(outcomeOf(await done("POST", `${at}/tariff`, { ...wanted, tariff: "none" }))).toBe("422 invalid_tariff")
    expect((await done("POST", `${at}/tariff`, wanted)).body).toMatchObject({ tariff: "business" })
    expect(outcomeOf(await done("POST", `${at}/tariff`, wanted))).toBe("409 organization_changed")
    expect(outcomeOf(await done("GET", "organizations?after=x"))).toBe("422 invalid_after")
    expect(outcomeOf(await done("GET", "accounts?after=x"))).toBe("422 invalid_after")
    expect(outcomeOf(await done("POST", "organizations/none/archive"))).toBe("404 organization_not_found")
    expect(outcomeOf(await done("POST", "accounts/none/block"))).toBe("404 account_not_found")
  })

  it("reads the tariffs that can be granted, with their limits and prices", async () => {
    const { catalogue, referralPercent } = service.settings.tariffs
    const { body } = await done("GET", "tariffs")
    expect(body).toMatchObject({ referralPercent })
    expect(body["tariffs"]).toEqual(
      catalogue.map((tariff) => ({ ...tariff, price: tariff.price === null ? null : tariff.price / 100 }))
    )
  })

  it("looks at an invoice for a reason alone, which its owner finds in their journal", async () => {
    const made = await call(service, "POST", "/api/v1/invoices", {
      key,
      body: { amount: 1500, description: "Tea", customer: { phone: "77770001122" } }
    })
    const invoiceId = made.body["id"]
    const journal = async () =>
      (await as(service, member, "GET", `/panel/orgs/${organizationId}/journal?kind=looks`)).body["records"]
    expect(outcomeOf(await done("POST", "looks", { invoiceId, reason: "too short" }))).toBe("422 invalid_look_reason")
    expect(outcomeOf(await done("POST", "looks", { invoiceId: "inv_x", reason: "A complaint" }))).toBe(
      "404 invoice_not_found"
    )
    expect(await journal()).toEqual([])
    const reason = "The customer says that they paid twice"
    const shown = await done("POST", "looks", { invoiceId, reason })
    expect(shown.body).toMatchObject({ id: invoiceId, customer: { phone: "77770001122" } })
    expect(await journal()).toMatchObject([
      {
        action: "invoice.looked_at",
        subject: { id: invoiceId },
        actor: { kind: "operator", id: null, name: null, origin: null },
        detail: JSON.stringify({ reason })
      }
    ])
    for (const list of ["organizations", "accounts", `organizations/${organizationId}`])
      expect((await done("GET", list)).text).not.toContain("77770001122")
  })
})
