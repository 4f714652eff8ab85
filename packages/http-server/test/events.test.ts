/** The feed over HTTP: pages, filters, times, cursors, and waiting. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const hour = 3_600_000
let service: Service
let key: Key

beforeAll(async () => {
  service = await start({ settings: { feed: { ...defaults.feed, waitingOfTenant: 2 } } })
  key = await service.key()
})
afterAll(() => service.stop())

const events = async (query: string, of = key) =>
  (await call(service, "GET", `/api/v1/events?${query}`, { key: of })).body
const create = async (of = key, body: object = { amount: 10 }) =>
  String((await call(service, "POST", "/api/v1/invoices", { key: of, body })).body["id"])
const simulate = (id: string, status: string, of = key) =>
  call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key: of, body: { status } })
const told = (page: Awaited<ReturnType<typeof events>>) =>
  Array.from(page["events"]!).map((event) => `${event["type"]} ${event["invoice"]!["id"]}`)

describe("the feed", () => {
  it("has every event, with the invoice as it was and its metadata as they were sent", async () => {
    const own = await service.key()
    const id = await create(own, '{"amount":10,"metadata":{"b":12345678901234567890,"a":1e400}}' as never)
    await simulate(id, "paid", own)
    await call(service, "POST", `/api/v1/invoices/${id}/refund`, { key: own, body: { amount: 4 } })
    const answer = await call(service, "GET", "/api/v1/events", { key: own })
    expect(told(answer.body)).toEqual([
      `invoice.created ${id}`,
      `invoice.paid ${id}`,
      `invoice.partially_refunded ${id}`
    ])
    expect(answer.text.split('"metadata":{"b":12345678901234567890,"a":1e400}')).toHaveLength(4)
    const [created, paid] = Array.from(answer.body["events"]!)
    expect(created).toMatchObject({ sequence: 1, from: null, to: "pending", source: "api", invoice: { paidAt: null } })
    expect(paid).toMatchObject({ sequence: 2, invoice: { status: "paid", refundedAmount: 0, amount: 10 } })
    const history = (await call(service, "GET", `/api/v1/invoices/${id}`, { key: own })).body["events"]!
    expect(Array.from(answer.body["events"]!, ({ id, sequence }) => [id, sequence])).toEqual(
      Array.from(history, ({ id, sequence }) => [id, sequence])
    )
    expect(answer.body).toMatchObject({ more: false, cursor: answer.body["events"]!.at(-1)!["cursor"] })
  })

  it("comes in pages, and goes on from any cursor", async () => {
    const own = await service.key()
    const made: Array<string> = []
    for (let n = 0; n < 5; n++) made.push(`invoice.created ${await create(own)}`)
    const first = await events("limit=2", own)
    expect([told(first), first["more"]]).toEqual([made.slice(0, 2), true])
    const second = await events(`limit=2&after=${first["cursor"]}`, own)
    expect(told(second)).toEqual(made.slice(2, 4))
    const inner = await events(`after=${first["events"]![0]!["cursor"]}`, own)
    expect([told(inner), inner["more"]]).toEqual([made.slice(1), false])
    const last = await events(`after=${inner["cursor"]}`, own)
    expect(last).toEqual({ events: [], cursor: inner["cursor"], more: false })
    const nothing = await events("", await service.key())
    expect(nothing).toMatchObject({ events: [], more: false })
    expect(await events("limit=1000", own)).toMatchObject({ more: false })
  })

  it("is filtered by types, and begins at a time", async () => {
    const held = await start({ now: Date.UTC(2026, 0, 2) })
    try {
      const own = await held.key()
      const ids: Array<string> = []
      for (let n = 0; n < 3; n++) {
        const made = await call(held, "POST", "/api/v1/invoices", { key: own, body: { amount: 10 } })
        ids.push(String(made.body["id"]))
        held.time.now += hour
      }
      await call(held, "POST", `/api/v1/invoices/${ids[0]}/simulate`, { key: own, body: { status: "paid" } })
      const found = async (query: string) =>
        told((await call(held, "GET", `/api/v1/events?${query}`, { key: own })).body)
      const [a, b, c] = ids.map((id) => `invoice.created ${id}`)
      const paid = `invoice.paid ${ids[0]}`
      expect(await found("types=invoice.paid")).toEqual([paid])
      expect(await found("types=invoice.paid,invoice.created")).toEqual([a, b, c, paid])
      expect(await found("types=invoice.paid&types=invoice.refunded")).toEqual([paid])
      for (const types of ["types=invoice.*", "types="]) expect(await found(types)).toEqual([a, b, c, paid])
      expect(await found("after=2026-01-02T01:00:00Z")).toEqual([b, c, paid])
      expect(await found("after=2026-01-02T06:30:00%2B05:00")).toEqual([c, paid])
      expect(await found("after=2026-01-02")).toEqual([a, b, c, paid])
      const none = (await call(held, "GET", "/api/v1/events?after=2026-01-03", { key: own })).body
      expect(none["events"]).toEqual([])
      expect(await found(`after=${none["cursor"]}`)).toEqual([])
    } finally {
      await held.stop()
    }
  })

  it("is the organization's own, and that of a bound key the cashier's", async () => {
    const live = await service.key({ mode: "live" })
    const of = { organizationId: live.organizationId, mode: "live" } as const
    const cashiers = ["con_feed_1", "con_feed_2"]
    for (const id of cashiers) {
      await service.run(ConnectionStore.use((store) => store.add(connectionOf({ id, ...of }))))
    }
    const made = cashiers.map((connectionId) => creationOf({ ...of, connectionId }))
    await service.run(InvoiceStore.use((store) => store.insertMany(made)))
    expect(told(await events("", live))).toHaveLength(2)
    const bound = await service.key({ ...of, connectionId: cashiers[1]! })
    expect(told(await events("", bound))).toEqual([`invoice.created ${made[1]!.invoice.id}`])
    const sandbox = await service.key({ organizationId: live.organizationId })
    expect(told(await events("", sandbox))).toEqual([])
    const { cursor } = await events("", live)
    for (const stranger of [sandbox, await service.key()]) {
      expect((await events(`after=${cursor}`, stranger))["error"]).toBe("invalid_after")
    }
  })

  it("refuses what is no cursor, no type and no number", async () => {
    const { cursor } = await events("")
    for (const after of [
      "nonsense",
      "cur_",
      `${cursor}!`,
      `x${cursor}`,
      "2026-02-30",
      `a&after=b`,
      "%00",
      "x".repeat(300)
    ])
      expect((await events(`after=${after}`))["error"]).toBe("invalid_after")
    for (const types of ["invoice.sneezed", "invoice", "*", "invoice.new", "invoice.paid,"])
      expect((await events(`types=${types}`))["error"]).toBe("invalid_types")
    for (const wait of ["long", "1.5", "1&wait=2"]) expect((await events(`wait=${wait}`))["error"]).toBe("invalid_wait")
    expect((await events("limit=all"))["error"]).toBe("invalid_limit")
    const stranger = await service.key({ scopes: ["invoices:write"] })
    expect((await events("", stranger))["error"]).toBe("insufficient_scope")
  })
})

describe("a request that waits", () => {
  it("is answered with the first event that it asks for", async () => {
    const own = await service.key()
    const id = await create(own)
    const { cursor } = await events("", own)
    const waiting = events(`after=${cursor}&types=invoice.paid&wait=20`, own)
    await create(own)
    await simulate(id, "paid", own)
    expect(told(await waiting)).toEqual([`invoice.paid ${id}`])
  })

  it("is answered at once where there is something, and without anything when its time is over", async () => {
    const own = await service.key()
    const id = await create(own)
    const page = await events("wait=20", own)
    expect(told(page)).toEqual([`invoice.created ${id}`])
    expect(await events(`wait=1&after=${page["cursor"]}`, own)).toEqual({
      events: [],
      cursor: page["cursor"],
      more: false
    })
    expect(await events(`wait=-5&after=${page["cursor"]}`, own)).toMatchObject({ events: [] })
  })

  it("is refused where as many of its organization wait as may, and no other is", async () => {
    const own = await service.key()
    const three = Array.from({ length: 3 }, () => call(service, "GET", "/api/v1/events?wait=20", { key: own }))
    // Whichever came last: the others wait.
    const refused = await Promise.race(three)
    expect(refused.body["error"]).toBe("too_many_waiting")
    expect(refused.headers.get("retry-after")).toBe("5")
    expect(told(await events("", own))).toEqual([])
    expect(await events("wait=1", await service.key())).toMatchObject({ events: [] })
    const id = await create(own)
    const answers = (await Promise.all(three)).filter(({ status }) => status === 200)
    expect(answers.map(({ body }) => told(body))).toEqual([[`invoice.created ${id}`], [`invoice.created ${id}`]])
    expect(told(await events("wait=20", own))).toHaveLength(1)
  })

  it("is refused when its key is deleted meanwhile", async () => {
    const owner = await service.key()
    const own = await service.key({ organizationId: owner.organizationId })
    const three = Array.from({ length: 3 }, () => call(service, "GET", "/api/v1/events?wait=20", { key: own }))
    // The others wait by now.
    expect((await Promise.race(three)).body["error"]).toBe("too_many_waiting")
    await service.run(Engine.use((engine) => engine.organizations.deleteKey(own.keyId)))
    await create(owner)
    const answers = (await Promise.all(three)).map(({ status, body }) => `${status} ${body["error"]}`)
    expect(answers.toSorted()).toEqual(["401 unauthorized", "401 unauthorized", "429 too_many_waiting"])
  })

  it("counts once, however often it is looked who waits", async () => {
    const own = await service.key()
    const asked = async (query: string) => {
      const { headers } = await call(service, "GET", `/api/v1/events?${query}`, { key: own })
      return { remaining: Number(headers.get("x-ratelimit-remaining")), reset: headers.get("x-ratelimit-reset") }
    }
    const thrice = async () => [await asked(""), await asked("wait=1"), await asked("")]
    let answers = await thrice()
    // Not where a minute begins meanwhile, which counts anew.
    if (new Set(answers.map(({ reset }) => reset)).size > 1) answers = await thrice()
    const [before = 0, ...after] = answers.map(({ remaining }) => remaining)
    expect(after).toEqual([before - 1, before - 2])
  })

  it("is answered when the server stops", async () => {
    const other = await start({ drainMs: 400 })
    const own = await other.key()
    const waiting = call(other, "GET", "/api/v1/events?wait=20", { key: own })
    // It waits once the next request of its connection pool has been answered.
    await call(other, "GET", "/api/v1/events", { key: own })
    await other.stop()
    expect((await waiting).body).toMatchObject({ events: [], more: false })
  })
})
