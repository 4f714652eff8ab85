/** What members learn of their forms and links: which forms were refused and why, what a link has brought by day. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { as, logIn, organizationOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
let owner: Person
beforeAll(async () => {
  const visitors = { ...defaults.visitors, invoicesPerMinute: 1e9, invoicesOfOnePerMinute: 10, freePerInvoice: 0 }
  service = await start({ settings: { pagesPerMinute: 1e9, visitors } })
  owner = await logIn(service, "77096000001")
})
afterAll(() => service.stop())

const flush = async () => service.run((await service.run(Engine)).formRefusals.flush)

const opened = async (body: object = {}) => {
  const organizationId = await organizationOf(service, owner)
  const panel = (method: string, path: string, body?: unknown) =>
    as(service, owner, method, `/panel/orgs/${organizationId}${path}`, body)
  const made = await panel("POST", "/form-hooks", { name: "Order form", ...body })
  expect(made.status).toBe(201)
  const id = String(made.body["id"])
  return { panel, id, refusals: (query = "") => refusalsOf(panel, id, query) }
}

interface Told {
  readonly reasons: ReadonlyArray<{ readonly reason: string; readonly refused: number }>
  readonly refusals: ReadonlyArray<{
    readonly reason: string
    readonly at: string
    readonly faults: ReadonlyArray<{ readonly field: string; readonly code: string }>
    readonly names: ReadonlyArray<string>
    readonly site: string | null
  }>
}

const refusalsOf = async (panel: (method: string, path: string) => ReturnType<typeof as>, id: string, query = "") => {
  await flush()
  const { status, text } = await panel("GET", `/form-hooks/${id}/refusals?mode=sandbox${query}`)
  expect(status).toBe(200)
  return { ...(JSON.parse(text) as Told), text }
}

const post = async (
  id: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
  query = ""
) => {
  const body = new URLSearchParams(fields)
  const response = await fetch(`${service.url}/f/${id}${query}`, { method: "POST", body, headers, redirect: "manual" })
  await response.text()
  return response.status
}

const person = { accept: "text/html", origin: "https://shop.kz" }

describe("forms that a hook has refused", () => {
  it("are shown with their reasons and the names of their fields, and with nothing that was filled in", async () => {
    const { id, refusals } = await opened()
    const from = Date.now() - 1000
    expect(await post(id, { summa: "1500", name: "Secret Person" }, { origin: "https://shop.kz" })).toBe(422)
    expect(await post(id, { amount: "a lot", phone: "12345", '{ "card": 4400': "" }, person)).toBe(422)
    const json = { method: "POST", headers: { "content-type": "application/json" }, body: '{"amount":1500}' }
    expect((await fetch(`${service.url}/f/${id}`, json)).status).toBe(415)
    const told = await refusals()
    expect(told.reasons.map(({ reason, refused }) => [reason, refused])).toEqual([
      ["invalid_amount", 2],
      ["form_required", 1]
    ])
    const [type, people, program] = told.refusals
    expect(type).toMatchObject({ reason: "form_required", names: [], site: null })
    expect(people).toMatchObject({
      reason: "invalid_amount",
      names: ["amount", "phone", "?"],
      site: "https://shop.kz",
      faults: [
        { field: "amount", code: "invalid_amount" },
        { field: "phone", code: "invalid_phone" }
      ]
    })
    expect(program).toMatchObject({ names: ["summa", "name"], faults: [{ field: "amount", code: "invalid_amount" }] })
    for (const { at } of told.refusals) expect(Date.parse(at)).toBeGreaterThan(from)
    for (const part of ["1500", "Secret Person", "a lot", "12345", "4400"]) expect(told.text).not.toContain(part)
    expect((await refusals("&reason=form_required")).refusals).toHaveLength(1)
  })

  it("are those of sites that were not named, of caught programs, and of a hook that is paused", async () => {
    const { panel, id, refusals } = await opened({ allowedOrigins: ["https://shop.kz"], honeypot: "website" })
    expect(await post(id, { amount: "1500" }, { origin: "https://other.kz" })).toBe(403)
    expect(await post(id, { amount: "1500", website: "spam" }, person, "?redirect=1")).toBe(302)
    expect(await post(id, { amount: "1500", website: "spam" }, { origin: "https://shop.kz" })).toBe(200)
    // Another language of the page is no form that was sent.
    expect(await post(id, { amount: "?" }, person, "?draft=1&lang=en")).toBe(422)
    await panel("PATCH", `/form-hooks/${id}?mode=sandbox`, { status: "paused" })
    expect(await post(id, { amount: "1500" }, person)).toBe(410)
    const { reasons, refusals: shown } = await refusals()
    expect(reasons.map(({ reason, refused }) => [reason, refused])).toEqual([
      ["form_caught", 2],
      ["form_refused", 1],
      ["hook_paused", 1]
    ])
    expect(shown.find(({ reason }) => reason === "form_refused")?.site).toBe("https://other.kz")
  })

  it("are a bounded number, however many are sent, and a flood for one reason leaves the others", async () => {
    const { id, refusals } = await opened()
    expect(await post(id, { amount: "none" })).toBe(422)
    for (let n = 0; n < 130; n++) await post(id, { amount: "0" })
    const { reasons, refusals: shown } = await refusals()
    const counts = new Map(reasons.map(({ reason, refused }) => [reason, refused]))
    expect([...counts.values()].reduce((sum, each) => sum + each, 0)).toBe(131)
    expect(counts.get("request_rate_limited")).toBeGreaterThan(50)
    expect(shown.filter(({ reason }) => reason === "request_rate_limited")).toHaveLength(20)
    expect(shown.filter(({ reason }) => reason === "invalid_amount")).toHaveLength(1)
    expect(shown.length).toBeLessThanOrEqual(41)
  })

  it("are of members of the organization alone, and of a hook that is there", async () => {
    const { id } = await opened()
    const other = await opened()
    const { status, body } = await other.panel("GET", `/form-hooks/${id}/refusals?mode=sandbox`)
    expect([status, body["error"]]).toEqual([403, "forbidden"])
  })
})

describe("the statistics of a payment link", () => {
  it("are counted from its invoices, by the day of their making", async () => {
    const { panel } = await opened()
    const made = await panel("POST", "/payment-links", { title: "Yoga", amount: 3000 })
    const [id, slug] = [String(made.body["id"]), String(made.body["slug"])]
    const ids: Array<string> = []
    for (let n = 0; n < 3; n++) {
      const headers = { "content-type": "application/json" }
      const answer = await fetch(`${service.url}/l/${slug}`, { method: "POST", headers, body: "{}" })
      ids.push(((await answer.json()) as { invoiceId: string }).invoiceId)
    }
    await fetch(`${service.url}/pay/${ids[1]}/code`, { method: "POST", headers: { "sec-fetch-site": "same-origin" } })
    expect((await panel("POST", `/invoices/${ids[0]}/simulate?mode=sandbox`, { status: "paid" })).status).toBe(200)
    const { body } = await panel("GET", `/payment-links/${id}/statistics?mode=sandbox`)
    const figures = { invoices: 3, opened: 2, payments: 1, paidAmount: 3000, refundedAmount: 0 }
    expect(body).toMatchObject({ ...figures, days: [{ day: body["to"], ...figures }] })
    expect(Date.parse(String(body["to"])) - Date.parse(String(body["from"]))).toBe(29 * 86_400_000)
    const elsewhere = await (await opened()).panel("GET", `/payment-links/${id}/statistics?mode=sandbox`)
    expect([elsewhere.status, elsewhere.body["error"]]).toEqual([403, "forbidden"])
  })
})
