/** Invoices of the cabinet: members make, see, cancel and refund them, as far as their role and terms reach. */
import type { Role } from "@tolem/core/merchant/Merchant"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"
import { type Live, live } from "./cashier.ts"

let world: Live
let owner: Person
let manager: Person
let base: string

beforeAll(async () => {
  world = await live()
  base = `/panel/orgs/${world.organizationId}/invoices`
  owner = await logIn(world.service, "77000000001")
  manager = await member("manager")
})
afterAll(() => world.stop())

let phones = 77_091_000_000
const member = async (role: Exclude<Role, "owner">) => {
  const person = await logIn(world.service, String(++phones))
  await join(world.service, world.organizationId, person, role)
  return person
}
/** Gives a member cashiers, or a limit, as the owner does. */
const give = async (person: Person, terms: object) => {
  const path = `/panel/orgs/${world.organizationId}/members/${person.accountId}`
  expect(outcomeOf(await as(world.service, owner, "PATCH", path, terms))).toBe("200")
}
const ask = (person: Person, method: string, path: string, body?: unknown) =>
  as(world.service, person, method, `${base}${path}`, body)
const outcome = async (...asked: Parameters<typeof ask>) => outcomeOf(await ask(...asked))

describe("a member", () => {
  it("takes a sandbox invoice through its life, and sees what the interface shows", async () => {
    const headers = { authorization: `Bearer ${manager.token}`, "idempotency-key": "one" }
    const create = () => call(world.service, "POST", `${base}?mode=sandbox`, { body: { amount: 1500 }, headers })
    const made = await create()
    expect([made.status, (await create()).status]).toEqual([201, 200])
    const path = `/${made.body["id"]}`
    const sandbox = "?mode=sandbox"
    expect(await outcome(manager, "GET", path)).toBe("404 invoice_not_found")
    expect(await outcome(manager, "POST", `${path}/simulate${sandbox}`, { status: "paid" })).toBe("200")
    expect(await outcome(manager, "POST", `${path}/refund${sandbox}`, { amount: 500 })).toBe("201")
    expect(await outcome(manager, "POST", `${path}/cancel${sandbox}`)).toBe("409 invoice_not_open")
    const key = await world.service.key({ organizationId: world.organizationId })
    const shown = await call(world.service, "GET", `/api/v1/invoices${path}`, { key })
    const read = await ask(manager, "GET", `${path}${sandbox}`)
    expect(read.body).toEqual(shown.body)
    expect(read.body["events"]?.map((one) => one["source"])).toContain("cabinet")
    const list = await ask(manager, "GET", `${sandbox}&status=partially_refunded`)
    expect(list.body).toMatchObject({ next: null, invoices: [{ id: made.body["id"] }] })
    expect(await outcome(manager, "GET", "?limit=all")).toBe("422 invalid_limit")
    expect(await outcome(manager, "GET", `${path}${sandbox}&live=1&live=1`)).toBe("422 invalid_live")
    expect(await outcome(manager, "POST", `${path}/simulate?mode=live`, {})).toBe("404 invoice_not_found")
  })

  it("of one organization sees none of another's", async () => {
    const made = await world.create()
    const other = await world.service.organization()
    const stranger = await logIn(world.service, String(++phones))
    await join(world.service, other.id, stranger, "manager")
    const path = `/panel/orgs/${other.id}/invoices/${made.body["id"]}`
    for (const [method, verb, body] of [
      ["GET", "", undefined],
      ["POST", "/cancel", {}],
      ["POST", "/refund", {}],
      ["POST", "/simulate", { status: "paid" }]
    ] as const) {
      for (const mode of ["live", "sandbox"]) {
        const answer = await as(world.service, stranger, method, `${path}${verb}?mode=${mode}`, body)
        expect(outcomeOf(answer)).toBe("404 invoice_not_found")
      }
    }
    const list = await as(world.service, stranger, "GET", `/panel/orgs/${other.id}/invoices?mode=live`)
    expect(list.body).toMatchObject({ next: null, invoices: [] })
  })
})

describe("a cashier", () => {
  it("makes and sees the live invoices of the cashiers given to them", async () => {
    const person = await member("cashier")
    const made = await world.create()
    expect(await outcome(person, "POST", "", { amount: 700 })).toBe("400 provider_session_not_configured")
    expect((await ask(person, "GET", "")).body).toMatchObject({ next: null, invoices: [] })
    expect(await outcome(person, "GET", `/${made.body["id"]}`)).toBe("404 invoice_not_found")
    await give(person, { connectionIds: [world.cashier.id] })
    const own = await ask(person, "POST", "", { amount: 700 })
    expect(own.status).toBe(201)
    expect(await outcome(person, "POST", "", { amount: 700, connectionId: "con_other" })).toBe(
      "400 provider_session_not_configured"
    )
    expect(await outcome(manager, "POST", "", { amount: 700, connectionId: 5 })).toBe("422 invalid_connection_id")
    const { body } = await ask(person, "GET", "?search=inv_")
    expect(body["invoices"]?.map((one) => one["id"])).toContain(made.body["id"])
    expect(await outcome(person, "POST", `/${own.body["id"]}/cancel`)).toBe("200")
    const developer = await member("developer")
    expect(await outcome(developer, "POST", `/${made.body["id"]}/cancel`)).toBe("403 insufficient_role")
    expect(await outcome(developer, "GET", `/${made.body["id"]}`)).toBe("200")
  })

  it("refunds if it is allowed to them, and up to their limit; large refunds take a fresh code", async () => {
    const person = await member("cashier")
    const made = await world.create({ amount: 200_000 })
    await world.pay(made)
    await world.look(made)
    const refund = (who: Person, body?: object) => outcome(who, "POST", `/${made.body["id"]}/refund`, body)
    await give(person, { connectionIds: [world.cashier.id] })
    expect(await refund(person, { amount: 1 })).toBe("403 refund_not_allowed")
    await give(person, { refundLimit: 500 })
    expect(await refund(person, { amount: 500.01 })).toBe("403 refund_not_allowed")
    expect(await refund(person)).toBe("403 refund_not_allowed")
    expect(await refund(person, { amount: "x" })).toBe("422 invalid_refund_amount")
    expect(await refund(person, { amount: 300 })).toBe("201")
    expect(await refund(person, { amount: 300 })).toBe("403 refund_not_allowed")
    const last = { amount: 200, idempotencyKey: "the-last" }
    expect(await refund(person, last)).toBe("201")
    // The answer may have been lost: what was done already is no further refund.
    expect(await refund(person, last)).toBe("200")
    world.pass(10 * 60_000)
    expect(await refund(manager)).toBe("403 fresh_code_required")
    expect(await refund(manager, { amount: 60_000 })).toBe("201")
    expect(await refund(manager, { amount: 60_000 })).toBe("403 fresh_code_required")
    expect(await refund(manager, { amount: 39_500 })).toBe("201")
  })
})
