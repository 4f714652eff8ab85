/** Subscriptions in the cabinet: the same things as with a key, within what a member may do. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"
import { type Live, live } from "./cashier.ts"

let world: Live
let manager: Person
let accountant: Person

beforeAll(async () => {
  world = await live()
  manager = await logIn(world.service, "77094000001")
  accountant = await logIn(world.service, "77094000002")
  await join(world.service, world.organizationId, manager, "manager")
  await join(world.service, world.organizationId, accountant, "accountant")
})
afterAll(() => world.stop())

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  as(world.service, person, method, `/panel/orgs/${world.organizationId}/subscriptions${path}`, body)
const outcome = async (...asked: Parameters<typeof ask>) => outcomeOf(await ask(...asked))

describe("subscriptions in the cabinet", () => {
  it("are made, shown, changed, run, paused, resumed and cancelled as with a key", async () => {
    const made = await ask(manager, "POST", "?mode=sandbox", { amount: 4990, metadata: { plan: 1.5e3 } })
    expect(made.status).toBe(201)
    const id = String(made.body["id"])
    const at = (verb = "") => `/${id}${verb}?mode=sandbox`
    const key = await world.service.key({ organizationId: world.organizationId })
    const shown = await call(world.service, "GET", `/api/v1/subscriptions/${id}`, { key })
    // What a key is answered, and behind it what only people are shown.
    const page = (await ask(accountant, "GET", at())).text
    expect(page.startsWith(`${shown.text.slice(0, -1)},"connectionId":null,"stuck":null,"upcoming":[`)).toBe(true)
    expect(JSON.parse((await ask(accountant, "GET", "?mode=sandbox&status=active")).text)).toMatchObject({
      total: 1,
      subscriptions: [{ id }]
    })
    expect((await ask(manager, "PATCH", at(), { amount: 5490 })).body).toMatchObject({ amount: 5490 })
    const run = await ask(manager, "POST", at("/run"))
    expect([run.status, run.body]).toMatchObject([201, { amount: 5490, metadata: { plan: 1500, subscriptionId: id } }])
    expect((await ask(manager, "POST", at("/pause"))).body).toMatchObject({ status: "paused" })
    expect((await ask(manager, "POST", at("/resume"))).body).toMatchObject({ status: "active" })
    expect((await ask(manager, "POST", at("/cancel"))).body).toMatchObject({ status: "cancelled" })
    expect(await outcome(manager, "POST", at("/run"))).toBe("409 subscription_closed")
    expect(await outcome(accountant, "POST", at("/cancel"))).toBe("403 insufficient_role")
    expect(await outcome(manager, "GET", `/${id}?mode=live`)).toBe("404 subscription_not_found")
    expect(await outcome(manager, "PATCH", at(), { interval: "year" })).toBe("422 invalid_interval")
  })

  it("of a mode with money are of the cashier that is named, who has to be there", async () => {
    const wanted = { amount: 100, startAt: "2026-02-01T00:00:00Z" }
    const made = await ask(manager, "POST", "?mode=live", { ...wanted, connectionId: world.cashier.id })
    expect(made.status).toBe(201)
    const bound = await world.service.key({
      organizationId: world.organizationId,
      mode: "live",
      connectionId: world.cashier.id
    })
    const seen = await call(world.service, "GET", `/api/v1/subscriptions/${made.body["id"]}`, { key: bound })
    expect(seen.status).toBe(200)
    for (const [connectionId, code] of [
      ["con_none", "404 connection_not_found"],
      [7, "422 invalid_connection_id"]
    ] as const) {
      expect(await outcome(manager, "POST", "?mode=live", { ...wanted, connectionId })).toBe(code)
    }
    const other = await ask(manager, "POST", "?mode=live", wanted)
    expect(other.status).toBe(201)
    expect((await call(world.service, "GET", `/api/v1/subscriptions/${other.body["id"]}`, { key: bound })).status).toBe(
      404
    )
  })
})
