/** The cabinet's daily work: lists with filters, sums and totals, cashiers and their login, what was sent and again. */
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { newDelivery } from "@tolem/core/webhook/Delivery"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { creationOf } from "@tolem/testing/fixtures"
import { Effect } from "effect"
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
  base = `/panel/orgs/${world.organizationId}`
  owner = await logIn(world.service, "77000000001")
  manager = await logIn(world.service, "77092000001")
  await join(world.service, world.organizationId, manager, "manager")
})
afterAll(() => world.stop())

const ask = (person: Person, method: string, path: string, body?: unknown) =>
  as(world.service, person, method, `${base}${path}`, body)
const outcome = async (...asked: Parameters<typeof ask>) => outcomeOf(await ask(...asked))
const read = async (path: string, person = manager) => JSON.parse((await ask(person, "GET", path)).text)

describe("the list of invoices", () => {
  it("is filtered, paged by a cursor, summed up and totalled", async () => {
    for (const amount of [100, 200, 300, 400.5]) {
      await ask(manager, "POST", "/invoices?mode=sandbox", { amount })
      world.pass(1000)
    }
    const link = await ask(manager, "POST", "/payment-links?mode=sandbox", { title: "Tea", amount: 50 })
    expect(link.status).toBe(201)
    const sandbox = "mode=sandbox"
    const first = await read(`/invoices?${sandbox}&limit=3`)
    expect(first).toMatchObject({
      total: 4,
      offset: 0,
      limit: 3,
      invoices: [{ amount: 400.5 }, { amount: 300 }, { amount: 200 }]
    })
    const second = await read(`/invoices?${sandbox}&limit=3&after=${first.next}`)
    expect(second).toMatchObject({
      total: 4,
      totalIsExact: true,
      next: null,
      lookedTo: null,
      invoices: [{ amount: 100 }]
    })
    expect((await read(`/invoices?${sandbox}&offset=3`)).invoices).toEqual(second.invoices)
    const paid = second.invoices[0].id
    expect(await outcome(manager, "POST", `/invoices/${paid}/simulate?${sandbox}`, { status: "paid" })).toBe("200")
    const amounts = async (filter: string): Promise<Array<number>> =>
      (await read(`/invoices?${sandbox}&${filter}`)).invoices.map(({ amount }: { amount: number }) => amount)
    expect(await amounts("minAmount=200&maxAmount=300.00")).toEqual([300, 200])
    expect(await amounts("status=paid&status=pending&kind=qr&source=request")).toHaveLength(4)
    expect(await amounts("source=payment-link")).toEqual([])
    expect(await amounts("connectionId=con_none")).toEqual([])
    expect(await amounts("search=INV_&from=2026-01-01&to=2026-01-01")).toHaveLength(4)
    const sums = await read(`/sums?${sandbox}`)
    expect(sums).toMatchObject({ count: 4, amount: 1000.5, refunded: 0 })
    expect(await read(`/sums?${sandbox}&minAmount=1`)).toEqual(sums)
    expect(sums.statuses).toContainEqual({ status: "paid", count: 1, amount: 100, refunded: 0 })
    const totals = await read(`/totals?${sandbox}`)
    const figures = { created: 4, paid: 1, amount: 100, refunded: 0 }
    expect(totals).toMatchObject({ ...figures, from: "2025-12-26", to: "2026-01-01" })
    expect(totals.days).toEqual([{ day: "2026-01-01", ...figures }])
    expect(totals.cashiers).toEqual([{ connectionId: null, ...figures }])
    expect(totals.sources[0]).toEqual({ source: "request", ...figures })
    expect(totals.before).toMatchObject({ from: "2025-12-19", to: "2025-12-25", created: 0 })
  })

  it("refuses what it does not understand, each with its code", async () => {
    const refused = (path: string) => outcome(manager, "GET", path)
    for (const [query, code] of [
      ["kind=cash", "invalid_kind"],
      ["source=shop", "invalid_source"],
      ["minAmount=-1", "invalid_amount"],
      ["maxAmount=1.005", "invalid_amount"],
      ["connectionId=a&connectionId=b", "invalid_connection_id"],
      ["from=2026-02-30", "invalid_from"],
      ["status=gone", "invalid_status"]
    ] as const) {
      expect(await refused(`/invoices?${query}`)).toBe(`422 ${code}`)
      expect(await refused(`/sums?${query}`)).toBe(`422 ${code}`)
    }
    expect(await refused("/invoices?after=x")).toBe("422 invalid_after")
    expect(await refused("/totals?from=2025-01-01&to=2026-12-31")).toBe("422 invalid_from")
    expect(await refused("/totals?to=2026-01-01T00:00:00Z")).toBe("422 invalid_to")
    expect(await refused("/totals?connectionId=a&connectionId=b")).toBe("422 invalid_connection_id")
  })
})

describe("cashiers", () => {
  it("are added, logged in step by step by the owner, chosen, disabled and removed", async () => {
    const made = await ask(manager, "POST", "/connections", { name: "Second" })
    expect(made.body).toMatchObject({ name: "Second", status: "pending", phone: null, isDefault: false })
    const path = `/connections/${made.body["id"]}`
    expect(await outcome(manager, "POST", `${path}/login`)).toBe("403 insufficient_role")
    const { processId } = JSON.parse((await ask(owner, "POST", `${path}/login`)).text)
    const step = (name: string, body: object) => ask(owner, "POST", `${path}/login/${name}`, { processId, ...body })
    expect(outcomeOf(await step("phone", { phone: "7" }))).toBe("422 invalid_phone")
    expect((await step("phone", { phone: "77010000002" })).body).toEqual({ processId })
    expect(outcomeOf(await step("code", { otp: "999999" }))).toBe("400 invalid_code")
    expect((await step("code", { otp: "111111" })).body).toMatchObject({ status: "active" })
    expect(outcomeOf(await step("code", { otp: "111111" }))).toBe("409 challenge_used")
    expect((await ask(manager, "PATCH", path, { isDefault: true })).body).toMatchObject({ isDefault: true })
    const { connections } = await read("/connections")
    expect(connections.filter((one: { isDefault: boolean }) => one.isDefault)).toHaveLength(1)
    expect(await outcome(manager, "PATCH", path, { isDefault: false })).toBe("400 invalid_request")
    expect(await outcome(manager, "PATCH", path, { disabled: 1 })).toBe("422 invalid_disabled")
    expect(await outcome(manager, "PATCH", path, { disabled: true, isDefault: true })).toBe("400 invalid_request")
    expect((await ask(manager, "PATCH", path, {})).body).toMatchObject({ status: "active", isDefault: true })
    expect((await ask(manager, "PATCH", path, { disabled: true })).body).toMatchObject({ status: "disabled" })
    expect(await outcome(manager, "DELETE", path)).toBe("204")
    expect(await outcome(manager, "DELETE", path)).toBe("404 connection_not_found")
    expect(await outcome(manager, "PATCH", "/connections/%00", {})).toBe("404 connection_not_found")
  })

  it("may have webhooks of their own, if they are of the organization and live", async () => {
    const { connections } = await read("/connections")
    const connectionId: unknown = connections[0].id
    const add = (mode: string, body: object) =>
      ask(manager, "POST", `/webhook-endpoints?mode=${mode}`, { url: "https://shop.example.kz/one", ...body })
    const made = await add("live", { connectionId, events: ["invoice.paid"] })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ connectionId, mode: "live", events: ["invoice.paid"] })
    expect((await add("live", { connectionId: null })).body).toMatchObject({ connectionId: null })
    const tried = { url: "http://localhost:9/one", connectionId }
    const inSandbox = await add("sandbox", tried)
    expect(inSandbox.body).toMatchObject({ connectionId: null, mode: "sandbox" })
    const other = `/webhook-endpoints/${inSandbox.body["id"]}?mode=sandbox`
    expect(await outcome(manager, "DELETE", other)).toBe("204")
    expect(outcomeOf(await add("live", { connectionId: "con_none" }))).toBe("404 connection_not_found")
    expect(outcomeOf(await add("live", { connectionId: 7 }))).toBe("422 invalid_connection_id")
    const { endpoints } = await read("/webhook-endpoints?mode=live")
    for (const { id } of endpoints)
      expect(await outcome(manager, "DELETE", `/webhook-endpoints/${id}?mode=live`)).toBe("204")
    expect(endpoints).toHaveLength(2)
  })

  it("given to none, members see none", async () => {
    const till = await logIn(world.service, "77092000002")
    await join(world.service, world.organizationId, till, "cashier")
    expect(await read("/connections?mode=live", till)).toEqual({ connections: [] })
    expect(await read("/sums?mode=live", till)).toMatchObject({ count: 0, amount: 0, statuses: [] })
    expect((await read("/totals?mode=live", till)).days).toEqual([])
  })
})

describe("links, forms and endpoints", () => {
  it.each([
    ["payment-links", { title: "Tea" }, { title: "Coffee" }],
    ["form-hooks", { name: "Form" }, { name: "Other" }],
    ["webhook-endpoints", { url: "http://localhost:9/a" }, { disabled: true }]
  ])("are made, shown, changed and removed as with a key: %s", async (kind, given, changes) => {
    const made = await ask(manager, "POST", `/${kind}?mode=sandbox`, given)
    expect(made.status).toBe(201)
    const path = `/${kind}/${made.body["id"]}?mode=sandbox`
    const key = await world.service.key({ organizationId: world.organizationId })
    const shown = await call(world.service, "GET", `/api/v1/${kind}/${made.body["id"]}`, { key })
    expect((await ask(manager, "GET", path)).body).toEqual(shown.body)
    expect(JSON.stringify(await read(`/${kind}?mode=sandbox`))).toContain(made.body["id"])
    expect((await ask(manager, "PATCH", path, changes)).body).toMatchObject(changes)
    expect(await outcome(manager, "DELETE", path)).toBe("204")
    expect(await outcome(manager, "GET", path)).toMatch(/^404 (link|hook|endpoint)_not_found$/)
  })
})

describe("what was sent", () => {
  it("is found by its invoice, and sent again by hand or for a time", async () => {
    const made = await ask(manager, "POST", "/webhook-endpoints?mode=sandbox", { url: "http://localhost:9/" })
    expect(made.body["secret"]).toMatch(/^whsec_/)
    const path = `/webhook-endpoints/${made.body["id"]}`
    const invoice = await ask(manager, "POST", "/invoices?mode=sandbox", { amount: 10 })
    const id = invoice.body["id"]
    await ask(manager, "POST", `/invoices/${id}/simulate?mode=sandbox`, { status: "paid" })
    const sent = async () => (await read(`/invoices/${id}/deliveries?mode=sandbox`)).deliveries
    const [delivery] = await sent()
    expect(delivery).toMatchObject({ event: "invoice.paid", invoiceId: id, endpointId: made.body["id"] })
    const log = await read(`${path}/deliveries?mode=sandbox`)
    expect(log.deliveries).toEqual([delivery])
    const one = await read(`${path}/deliveries/${delivery.id}?mode=sandbox`)
    expect(one).toMatchObject({ id: delivery.id, attempts: [] })
    const again = await ask(manager, "POST", `${path}/deliveries/${delivery.id}/resend?mode=sandbox`)
    expect([again.status, again.body["eventId"]]).toEqual([202, delivery.eventId])
    const replay = (body: object) => ask(manager, "POST", `${path}/replay?mode=sandbox`, body)
    expect(outcomeOf(await replay({}))).toBe("422 invalid_from")
    expect(outcomeOf(await replay({ from: "rpl_a.1.2" }))).toBe("422 invalid_from")
    expect(outcomeOf(await replay({ from: "2026-01-01", failedOnly: "true" }))).toBe("400 invalid_request")
    expect(outcomeOf(await replay({ from: "2026-01-02", to: "2026-01-01" }))).toBe("422 invalid_to")
    expect((await replay({ from: "2026-01-01" })).body).toEqual({ sent: 1, continueFrom: null })
    expect((await replay({ from: "2026-01-01", failedOnly: true })).body).toEqual({ sent: 0, continueFrom: null })
    expect(new Set((await sent()).map((one: { eventId: string }) => one.eventId)).size).toBe(1)
    expect(await sent()).toHaveLength(3)
    expect(await outcome(manager, "POST", `${path}/test?mode=sandbox`)).toBe("202")
    expect(await outcome(manager, "POST", `${path}/rotate-secret?mode=sandbox`)).toBe("200")
    expect((await ask(manager, "PATCH", `${path}?mode=sandbox`, { disabled: true })).body["disabled"]).toBe(true)
    expect(await outcome(manager, "GET", `${path}?mode=live`)).toBe("404 endpoint_not_found")
    expect(await outcome(manager, "GET", `/invoices/${id}/deliveries?mode=live`)).toBe("404 invoice_not_found")
    expect(await outcome(manager, "DELETE", `${path}?mode=sandbox`)).toBe("204")
  })

  it("is sent again to its end, each event once, however many there are of one instant", async () => {
    const made = await ask(manager, "POST", "/webhook-endpoints?mode=sandbox", { url: "http://localhost:9/many" })
    const path = `/webhook-endpoints/${made.body["id"]}`
    const tenant = { organizationId: world.organizationId, mode: "sandbox" } as const
    const endpoint = { ...tenant, id: String(made.body["id"]) }
    const at = Date.parse("2026-01-01T00:00:00Z")
    await world.service.run(
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const creations = Array.from({ length: 205 }, () => creationOf(tenant))
        yield* (yield* InvoiceStore).insertMany(creations)
        for (const [index, { invoice, event }] of creations.entries()) {
          const sent = {
            id: `dlv_${index + 100}`,
            kind: "invoice.paid",
            eventId: event.id,
            invoiceId: invoice.id
          } as const
          expect(yield* store.addDelivery(newDelivery(endpoint, { ...sent, sequence: event.sequence }, at))).toBe(true)
        }
      })
    )
    const replay = (from: string | null) =>
      ask(manager, "POST", `${path}/replay?mode=sandbox`, { from, to: "2999-01-01" })
    const first = await replay("2025-01-01")
    expect(first.body).toEqual({ sent: 200, continueFrom: expect.stringMatching(/^rpl_/) })
    world.pass(1000)
    expect((await replay(String(first.body["continueFrom"]))).body).toEqual({ sent: 5, continueFrom: null })
    expect((await read(`${path}/deliveries?mode=sandbox`)).total).toBe(410)
  })
})
