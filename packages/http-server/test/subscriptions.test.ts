/** Subscriptions over HTTP: requests, answers, who sees what, and the pages of their invoices. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, askForCode, call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)
const path = "/api/v1/subscriptions"

let service: Service
let key: Key

beforeAll(async () => {
  service = await start({ now })
  key = await service.key()
})
afterAll(() => service.stop())

const create = (body: object = {}, headers: Record<string, string> = {}, as = key) =>
  call(service, "POST", path, { key: as, body: { amount: 1500, ...body }, headers })
const of = (made: Answer, more = "") => `${path}/${made.body["id"]}${more}`
const post = (made: Answer, verb: string, as = key) => call(service, "POST", of(made, `/${verb}`), { key: as })
const patch = (made: Answer, body: object) => call(service, "PATCH", of(made), { key, body })
const get = (made: Answer, as = key) => call(service, "GET", of(made), { key: as })

describe("a create", () => {
  it("answers the whole subscription, due at once", async () => {
    const { status, body } = await create({ description: "Клуб", customer: { email: "a@b.kz" } })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^sub_[0-9a-z]{26}$/),
      status: "active",
      amount: 1500,
      description: "Клуб",
      kind: "qr",
      interval: "month",
      every: 1,
      dayOfMonth: null,
      customer: { name: null, phone: null, email: "a@b.kz" },
      nextRunAt: "2026-01-10T07:00:00.000Z",
      lastRunAt: null,
      lastInvoiceId: null,
      runs: 0,
      maxRuns: null,
      retry: [],
      misfire: "run_once",
      createdAt: "2026-01-10T07:00:00.000Z",
      metadata: null
    })
  })

  it("takes a day of the month at 10:00 in Almaty", async () => {
    expect((await create({ dayOfMonth: 15 })).body["nextRunAt"]).toBe("2026-01-15T05:00:00.000Z")
    expect((await create({ dayOfMonth: 5 })).body["nextRunAt"]).toBe("2026-02-05T05:00:00.000Z")
    const later = await create({ dayOfMonth: 5, startAt: "2026-03-06T00:00:00+05:00" })
    expect(later.body["nextRunAt"]).toBe("2026-04-05T05:00:00.000Z")
  })

  it("keeps metadata as the text that was sent", async () => {
    const metadata = '{"b":12345678901234567890,"a":{"__proto__":1}}'
    const made = await call(service, "POST", path, { key, body: `{"amount":10,"metadata":${metadata}}` })
    expect(made.text).toContain(`"metadata":${metadata}`)
    expect((await get(made)).text).toContain(`"metadata":${metadata}`)
    const run = await post(made, "run")
    const own = `"subscriptionId":"${made.body["id"]}","run":1}`
    expect(run.text).toContain(`"metadata":${metadata.slice(0, -1)},${own}`)
  })

  it("is repeated without harm under one idempotency key", async () => {
    const headers = { "idempotency-key": "sub-1" }
    const first = await create({ interval: "week" }, headers)
    service.time.now += 5_000
    const again = await create({ interval: "week" }, headers)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body["id"]).toBe(first.body["id"])
    expect(again.headers.get("idempotency-mismatch")).toBeNull()
    const other = await create({ interval: "day" }, headers)
    expect(other.body["id"]).toBe(first.body["id"])
    expect(other.headers.get("idempotency-mismatch")).toBe("true")
  })
})

describe("a subscription", () => {
  it("is seen by its own organization and mode only, and with either scope", async () => {
    const made = await create({ dayOfMonth: 1 })
    expect((await get(made, await service.key())).body["error"]).toBe("forbidden")
    const { organizationId } = key
    const live = await service.key({ organizationId, mode: "live" })
    expect((await get(made, live)).body["error"]).toBe("subscription_not_found")
    for (const scope of ["subscriptions:manage", "invoices:write"] as const) {
      expect((await get(made, await service.key({ organizationId, scopes: [scope] }))).status).toBe(200)
    }
    const reader = await service.key({ organizationId, scopes: ["invoices:read"] })
    expect((await get(made, reader)).body["error"]).toBe("insufficient_scope")
  })

  it("is listed newest first, by status, in pages", async () => {
    const own = await service.key()
    const made = [await create({ dayOfMonth: 1 }, {}, own)]
    service.time.now += 1
    made.push(await create({ dayOfMonth: 2 }, {}, own))
    await post(made[0]!, "pause", own)
    const list = (query = "") => call(service, "GET", `${path}${query}`, { key: own })
    const all = await list()
    expect(all.body).toMatchObject({ total: 2, limit: 50, offset: 0 })
    expect(all.body["subscriptions"]?.map(({ id }) => id)).toEqual(made.map(({ body }) => body["id"]).toReversed())
    expect((await list("?status=paused")).body["subscriptions"]?.map(({ status }) => status)).toEqual(["paused"])
    expect((await list("?status=paused,active&limit=1&offset=1")).body).toMatchObject({ total: 2, limit: 1, offset: 1 })
    expect((await list("?status=late")).body["error"]).toBe("invalid_status")
  })

  it("is paused, resumed and cancelled, and then closed for good", async () => {
    const made = await create({ dayOfMonth: 1 })
    for (const [verb, status] of [
      ["pause", "paused"],
      ["pause", "paused"],
      ["resume", "active"],
      ["resume", "active"],
      ["cancel", "cancelled"]
    ] as const) {
      expect((await post(made, verb)).body["status"]).toBe(status)
    }
    for (const verb of ["pause", "resume", "cancel", "run"]) {
      expect((await post(made, verb)).body["error"]).toBe("subscription_closed")
    }
    expect((await patch(made, { amount: 5 })).body["error"]).toBe("subscription_closed")
  })

  it("is patched member by member, and its schedule follows", async () => {
    const made = await create({ dayOfMonth: 15, metadata: { a: 1 } })
    const changed = await patch(made, { amount: 20.5, description: null, metadata: { b: 2 }, retry: [1, 2] })
    expect(changed.body).toMatchObject({ amount: 20.5, metadata: { b: 2 }, retry: [1, 2], dayOfMonth: 15 })
    expect(changed.body["nextRunAt"]).toBe("2026-01-15T05:00:00.000Z")
    expect((await patch(made, { dayOfMonth: 20 })).body["nextRunAt"]).toBe("2026-01-20T05:00:00.000Z")
    const moved = await patch(made, { interval: "week", every: 2, nextRunAt: "2026-02-01T00:00:00Z" })
    expect(moved.body).toMatchObject({ interval: "week", every: 2, dayOfMonth: null })
    expect(moved.body["nextRunAt"]).toBe("2026-02-01T00:00:00.000Z")
    expect((await patch(made, { kind: "phone" })).body["error"]).toBe("amount_must_be_whole_tenge")
    expect((await patch(made, { kind: "phone", amount: 20 })).body["error"]).toBe("phone_required")
  })

  it("keeps the members of its customer that a patch does not name", async () => {
    const customer = { name: "Әлия", phone: "77001234567", email: "aliya@example.kz" }
    const made = await create({ customer })
    const after = async (given: unknown) => (await patch(made, { customer: given })).body["customer"]
    expect(await after({ name: "Dana" })).toEqual({ ...customer, name: "Dana" })
    expect(await after({ email: null })).toEqual({ ...customer, name: "Dana", email: null })
    expect(await after({})).toEqual({ ...customer, name: "Dana", email: null })
    expect((await patch(made, { customer: { phone: "8700" } })).body["error"]).toBe("invalid_phone")
    expect((await patch(made, { customer: "Dana" })).body["error"]).toBe("invalid_customer")
    expect(await after(null)).toEqual({ name: null, phone: null, email: null })
  })

  it("keeps a date that was set by hand, and the days of the month begin after it", async () => {
    const made = await create({ interval: "day", startAt: "2026-02-10T00:00:00Z" })
    const set = await patch(made, { nextRunAt: "2027-01-15T00:00:00Z" })
    const monthly = await patch(set, { interval: "month", dayOfMonth: 3 })
    expect(monthly.body).toMatchObject({ interval: "month", dayOfMonth: 3, nextRunAt: "2027-01-15T00:00:00.000Z" })
    const rare = await patch(set, { every: 2, dayOfMonth: 4 })
    expect(rare.body).toMatchObject({ every: 2, dayOfMonth: 4, nextRunAt: "2027-01-15T00:00:00.000Z" })
  })

  it("takes a day of the month with months only, and says so", async () => {
    for (const interval of ["day", "week"]) {
      const refused = await create({ interval, dayOfMonth: 5 })
      expect([refused.status, refused.body["error"]]).toEqual([422, "invalid_day_of_month"])
      expect(String(refused.body["message"])).toContain("interval month")
    }
  })

  it("takes null for what has a default when it is made, and not later", async () => {
    const nothing = { kind: null, interval: null, every: null, retry: null, misfire: null }
    const made = await create({ ...nothing, dayOfMonth: null, startAt: null, maxRuns: null })
    expect(made.body).toMatchObject({ kind: "qr", interval: "month", every: 1, retry: [], misfire: "run_once" })
    for (const [name, code] of [
      ["kind", "invalid_kind"],
      ["interval", "invalid_interval"],
      ["every", "invalid_every"]
    ]) {
      expect((await patch(made, { [name!]: null })).body["error"]).toBe(code)
    }
  })

  it("shows the date that would have been next when nothing follows any more", async () => {
    const made = await create({ startAt: "2026-06-01T00:00:00Z" })
    const { nextRunAt } = (await post(made, "cancel")).body
    expect(nextRunAt).toBe("2026-06-01T00:00:00.000Z")
    const last = await create({ startAt: "2026-06-01T00:00:00Z", maxRuns: 1 })
    await post(last, "run")
    expect((await get(last)).body).toMatchObject({ status: "finished", nextRunAt })
  })

  it("is shown with its members in the order of the specification", async () => {
    const { body } = await create({ metadata: { b: 1, a: 2 } })
    expect(Object.keys(body)).toEqual([
      ...["id", "status", "amount", "description", "kind", "interval", "every", "dayOfMonth", "customer", "nextRunAt"],
      ...["lastRunAt", "lastInvoiceId", "runs", "maxRuns", "metadata", "createdAt", "retry", "misfire"]
    ])
  })

  it("makes an invoice out of schedule, which moves no date and may be the last", async () => {
    const made = await create({ dayOfMonth: 15, maxRuns: 2 })
    await post(made, "pause")
    const [first, second] = [await post(made, "run"), await post(made, "run")]
    expect([first.status, second.status]).toEqual([201, 201])
    expect([first, second].map(({ body }) => body["metadata"]?.["run"])).toEqual([1, 2])
    const { body } = await get(made)
    expect(body).toMatchObject({ runs: 2, status: "finished", lastInvoiceId: second.body["id"] })
    expect(body["nextRunAt"]).toBe("2026-01-15T05:00:00.000Z")
  })

  it("is run once for each idempotency key, also at once, and after it has ended", async () => {
    const made = await create({ amount: 700, period: "month", maxRuns: 2 })
    const run = (idempotencyKey: string) =>
      call(service, "POST", of(made, "/run"), { key, headers: { "idempotency-key": idempotencyKey } })
    const pressed = await Promise.all([run("one"), run("one"), run("one")])
    expect(pressed.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
    expect(new Set(pressed.map(({ body }) => body["id"])).size).toBe(1)
    expect(pressed.filter(({ body }) => body["idempotentReplay"] === true)).toHaveLength(2)
    expect((await get(made)).body).toMatchObject({ runs: 1 })
    const two = await run("two")
    expect([two.status, (await run("three")).body["error"]]).toEqual([201, "subscription_closed"])
    const again = await run("two")
    expect([again.status, again.body["id"]]).toEqual([200, two.body["id"]])
    const other = await create({ amount: 700, period: "month" })
    const theirs = await call(service, "POST", of(other, "/run"), { key, headers: { "idempotency-key": "one" } })
    expect(theirs.status).toBe(201)
    expect((await run("x".repeat(256))).body["error"]).toBe("invalid_idempotency_key")
  })

  it("is run and changed as often as it is asked for at once", async () => {
    const own = await service.key()
    const made = await create({ startAt: "2027-01-01T00:00:00Z" }, {}, own)
    const runs = Array.from({ length: 40 }, () => post(made, "run", own))
    const patches = Array.from({ length: 40 }, (_, i) =>
      call(service, "PATCH", of(made), { key: own, body: { amount: i + 1 } })
    )
    expect(new Set((await Promise.all(runs)).map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set((await Promise.all(patches)).map(({ status }) => status))).toEqual(new Set([200]))
    expect((await get(made, own)).body["runs"]).toBe(40)
  })
})

describe("an invoice of a subscription", () => {
  it("waits without a code until a person asks for one", async () => {
    const run = await post(await create({ dayOfMonth: 15 }), "run")
    expect(run.body).toMatchObject({ status: "new", kind: "qr", qrUrl: null, deepLink: null, expiresAt: null })
    expect((await askForCode(service, run.body["id"])).status).toBe(200)
    const { body } = await call(service, "GET", `/api/v1/invoices/${run.body["id"]}`, { key })
    expect(body).toMatchObject({ status: "pending", qrUrl: expect.any(String), expiresAt: expect.any(String) })
    expect(body["events"]?.map(({ type }) => type)).toEqual(["invoice.created", "invoice.pending"])
  })

  it("can be paid in the sandbox before that, as by a customer who opens it", async () => {
    const run = await post(await create({ dayOfMonth: 15 }), "run")
    const paid = await call(service, "POST", `/api/v1/invoices/${run.body["id"]}/simulate`, {
      key,
      body: { status: "paid" }
    })
    expect(paid.body["status"]).toBe("paid")
  })
})
