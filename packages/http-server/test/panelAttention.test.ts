/** What needs attention in the cabinet: each thing is there while it is so, for those who may see it. */
import { after } from "@tolem/core/connection/Connection"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { Engine } from "@tolem/core/engine/Engine"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import type { Role } from "@tolem/core/merchant/Merchant"
import { subscriptionCreated } from "@tolem/core/subscription/Subscription"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { creationOf, deliveryOf, endpointOf } from "@tolem/testing/fixtures"
import { subscriptionOf } from "@tolem/testing/storage/SubscriptionCases"
import { Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "./live/cashier.ts"
import { call } from "./support/calls.ts"
import { as, join, logIn, outcomeOf, type Person } from "./support/people.ts"

let world: Live
const people = new Map<Role, Person>()

beforeAll(async () => {
  world = await live()
  people.set("owner", await logIn(world.service, "77000000001"))
  for (const [index, role] of (["manager", "accountant", "cashier", "developer"] as const).entries()) {
    const person = await logIn(world.service, String(77_093_000_001 + index))
    await join(world.service, world.organizationId, person, role)
    people.set(role, person)
  }
})
afterAll(() => world.stop())

interface Item {
  readonly kind: string
  readonly severity: string
  readonly since: string
  readonly [member: string]: unknown
}

const ask = async (role: Role, mode: string) => {
  const path = `/panel/orgs/${world.organizationId}/attention?mode=${mode}`
  const answer = await as(world.service, people.get(role)!, "GET", path)
  expect(outcomeOf(answer)).toBe("200")
  return JSON.parse(answer.text) as {
    readonly kinds: ReadonlyArray<{ kind: string; severity: string; count: number; more: boolean }>
    readonly items: ReadonlyArray<Item>
  }
}
const of = async (kind: string, mode = "sandbox", role: Role = "manager") =>
  (await ask(role, mode)).items.filter((item) => item.kind === kind)
/** Which roles see such a thing. */
const seers = async (kind: string, mode = "sandbox") => {
  const seen: Array<Role> = []
  for (const role of people.keys()) if ((await of(kind, mode, role)).length > 0) seen.push(role)
  return seen
}
const giveCashiers = (connectionIds: ReadonlyArray<string>) => {
  const path = `/panel/orgs/${world.organizationId}/members/${people.get("cashier")!.accountId}`
  return as(world.service, people.get("owner")!, "PATCH", path, { connectionIds })
}

describe("what needs attention", () => {
  it("is nothing where all is well", async () => {
    for (const mode of ["live", "sandbox"]) expect(await ask("owner", mode)).toEqual({ kinds: [], items: [] })
  })

  it("is a refund of which no one knows, until the provider says", async () => {
    const made = await world.create()
    world.pay(made)
    await world.look(made)
    world.fault("refund", { kind: "drop", done: false })
    await world.refund(made, { amount: 500 })
    const [item] = await of("refund_unknown", "live")
    expect(item).toMatchObject({
      severity: "error",
      invoiceId: made.body["id"],
      refundId: expect.stringMatching(/^ref_/),
      amount: 500,
      connectionId: world.cashier.id
    })
    expect(await seers("refund_unknown", "live")).toEqual(["owner", "manager", "accountant", "developer"])
    await giveCashiers([world.cashier.id])
    expect(await seers("refund_unknown", "live")).toContain("cashier")
    expect(await of("refund_unknown", "sandbox")).toEqual([])
    world.pass(120_000)
    await world.look(made)
    expect(await of("refund_unknown", "live")).toEqual([])
  })

  it("is a cashier whose session is lost, until they are logged in again", async () => {
    await world.service.run(
      Effect.gen(function* () {
        const store = yield* ConnectionStore
        const found = Option.getOrThrow(yield* store.find(world.organizationId, world.cashier.id))
        yield* store.replace(after(found, { _tag: "SessionLost" }, world.service.time.now))
      })
    )
    const [item] = await of("cashier_session_lost", "live")
    expect(item).toMatchObject({ severity: "error", connectionId: world.cashier.id, name: "Till" })
    expect(item?.since).toBe(new Date(world.service.time.now).toISOString())
    expect(await seers("cashier_session_lost", "live")).toContain("cashier")
    await giveCashiers([])
    expect(await seers("cashier_session_lost", "live")).toEqual(["owner", "manager", "accountant", "developer"])
    expect(await of("cashier_session_lost", "sandbox")).toEqual([])
    await world.login()
    expect(await of("cashier_session_lost", "live")).toEqual([])
  })

  it("is a quota that is nearly used up, or is", async () => {
    const { tariffs } = await world.service.run(Engine)
    const grant = (months: number) =>
      world.service.run(tariffs.grant({ organizationId: world.organizationId, tariff: "trial", months }))
    await grant(1)
    const bulk = (count: number) =>
      call(world.service, "POST", "/api/v1/invoices/bulk", {
        key: world.key,
        body: { invoices: Array.from({ length: count }, () => ({ amount: 5 })) }
      })
    await bulk(38)
    expect(await of("quota_low", "live")).toEqual([])
    await bulk(1)
    const quota = { period: "day", used: 40, limit: 50 }
    expect(await of("quota_low", "live")).toMatchObject([{ quota, since: "2025-12-31T19:00:00.000Z" }])
    expect(await seers("quota_low", "live")).toHaveLength(5)
    await bulk(10)
    expect(await of("quota_low", "live")).toEqual([])
    expect(await of("quota_used_up", "live")).toMatchObject([{ quota: { ...quota, used: 50 }, severity: "error" }])
  })

  it("is a subscription whose run cannot be made, by what keeps it", async () => {
    const tenant = { organizationId: world.organizationId, mode: "sandbox" } as const
    const stuck = subscriptionOf({ ...tenant, faults: 2, fault: "connection_not_active", status: "active" })
    const paused = subscriptionOf({ ...tenant, faults: 2, fault: "connection_not_active", status: "paused" })
    await world.service.run(
      Effect.gen(function* () {
        const store = yield* SubscriptionStore
        for (const one of [stuck, paused]) yield* store.insert(one, subscriptionCreated(one, `evt_${one.id}`, "api"))
      })
    )
    expect(await of("subscription_stuck")).toMatchObject([
      { subscriptionId: stuck.id, code: "connection_not_active", since: new Date(stuck.nextRunAt).toISOString() }
    ])
    expect(await seers("subscription_stuck")).toEqual(["owner", "manager", "accountant", "developer"])
  })

  it("is late money, until it is given back or old", async () => {
    const path = (rest = "") => `/panel/orgs/${world.organizationId}/invoices${rest}?mode=sandbox`
    const manager = people.get("manager")!
    const made = await as(world.service, manager, "POST", path(), { amount: 700, externalOrderId: "order 7" })
    const id = made.body["id"]
    for (const status of ["expired", "paid"])
      expect(outcomeOf(await as(world.service, manager, "POST", path(`/${id}/simulate`), { status }))).toBe("200")
    expect(await of("late_money")).toMatchObject([{ invoiceId: id, amount: 700, name: "order 7", severity: "warning" }])
    await as(world.service, manager, "POST", path(`/${id}/refund`), { amount: 200 })
    expect(await of("late_money")).toMatchObject([{ amount: 500 }])
    await as(world.service, manager, "POST", path(`/${id}/refund`), { amount: 500 })
    expect(await of("late_money")).toEqual([])
    const old = (await as(world.service, manager, "POST", path(), { amount: 800 })).body["id"]
    for (const status of ["expired", "paid"])
      await as(world.service, manager, "POST", path(`/${old}/simulate`), { status })
    expect(await of("late_money")).toMatchObject([{ invoiceId: old }])
    // By the time of the sandbox, in which it was paid. What leaves the sandbox, as in the next test, is at real time.
    const { sandboxTime } = await world.service.run(Engine)
    const dayMs = 86_400_000
    await world.service.run(sandboxTime.advance(world.organizationId, 6 * dayMs))
    expect(await of("late_money")).toMatchObject([{ invoiceId: old }])
    await world.service.run(sandboxTime.advance(world.organizationId, 2 * dayMs))
    expect(await of("late_money")).toEqual([])
  })

  it("is an endpoint that rests, and what it never got", async () => {
    const tenant = { organizationId: world.organizationId, mode: "sandbox" } as const
    const { now } = world.service.time
    const endpoint = endpointOf({ ...tenant, pausedUntil: now + 60_000, pauseCount: 1, updatedAt: now })
    const creations = Array.from({ length: 130 }, () => creationOf(tenant))
    const add = (index: number, status: "failed" | "delivered", at: number) =>
      Effect.flatMap(WebhookStore, (store) =>
        store.addDelivery(deliveryOf(endpoint, creations[index]!.event, { status, createdAt: at, completedAt: at }))
      )
    await world.service.run(
      Effect.gen(function* () {
        yield* (yield* WebhookStore).addEndpoint(endpoint, 10)
        yield* (yield* InvoiceStore).insertMany(creations)
        yield* add(0, "failed", now - 8 * 24 * 3_600_000)
        for (let index = 1; index < 130; index++) yield* add(index, "failed", now - index)
      })
    )
    expect(await of("endpoint_paused")).toMatchObject([
      { endpointId: endpoint.id, name: endpoint.url, until: new Date(now + 60_000).toISOString() }
    ])
    const { kinds, items } = await ask("developer", "sandbox")
    expect(kinds).toContainEqual({ kind: "delivery_given_up", severity: "warning", count: 100, more: true })
    const given = items.filter(({ kind }) => kind === "delivery_given_up")
    expect(given.map(({ invoiceId }) => invoiceId)).toEqual(creations.slice(1, 21).map(({ invoice }) => invoice.id))
    expect(given[0]).toMatchObject({ code: "invoice.paid", endpointId: endpoint.id })
    await world.service.run(add(1, "delivered", now + 5))
    const [first] = await of("delivery_given_up")
    expect(first?.["invoiceId"]).toBe(creations[2]?.invoice.id)
    expect(await seers("delivery_given_up")).toEqual(["owner", "manager", "developer"])
    world.pass(61_000)
    expect(await of("endpoint_paused")).toEqual([])
    const path = `/panel/orgs/${world.organizationId}/webhook-endpoints/${endpoint.id}?mode=sandbox`
    expect(outcomeOf(await as(world.service, people.get("manager")!, "DELETE", path))).toBe("204")
    expect(await of("delivery_given_up")).toEqual([])
  })

  it("is a tariff that has ended, and with it the quota", async () => {
    // Grants are by the real clock.
    world.pass(Date.now() + 32 * 24 * 3_600_000 - world.service.time.now)
    people.set("owner", await logIn(world.service, "77000000001"))
    expect((await ask("owner", "live")).items).toMatchObject([{ kind: "tariff_ended", severity: "error" }])
    expect(await of("tariff_ended", "sandbox", "owner")).toEqual([])
  })
})
