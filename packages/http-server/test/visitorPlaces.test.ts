/** How many places of a payment link one visitor holds: no stranger sells a link out, and customers come through. */
import { defaults } from "@tolem/core/engine/Settings"
import { IpNetwork } from "effect/net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)
const second = 1000

let service: Service
let key: Key
beforeAll(async () => {
  const visitors = { ...defaults.visitors, codesPerMinute: 1e9, codesOfOnePerMinute: 1e9 }
  const wide = {
    ...visitors,
    invoicesPerMinute: 1e9,
    invoicesOfOnePerMinute: 1e9,
    invoicesOfOrganizationPerMinute: 1e9
  }
  const trustedProxies = [IpNetwork.fromStringUnsafe("127.0.0.0/8")]
  service = await start({ now, trustedProxies, settings: { pagesPerMinute: 1e9, visitors: wide } })
  key = await service.key()
})
afterAll(() => service.stop())

const api = async (method: string, path: string, body?: object) =>
  (await call(service, method, `/api/v1${path}`, { key, body })).body

/** A link with so many places, and what visitors by their addresses do at it. */
const linkOf = async (maxPayments: number) => {
  const { id, slug } = await api("POST", "/payment-links", { title: "Йога", amount: 100, maxPayments })
  const wait = async () => String((await call(service, "POST", `/l/${slug}`)).body["invoiceId"])
  const ask = async (address: string, invoice: string): Promise<Response> => {
    const headers = { accept: "application/json", "x-forwarded-for": address }
    const answer = await fetch(`${service.url}/pay/${invoice}/code`, { method: "POST", headers })
    return answer.status === 202 ? ask(address, invoice) : answer
  }
  /** Has the code of another invoice made; its id, or the status of the refusal. */
  const take = async (address: string) => {
    const invoice = await wait()
    const { status } = await ask(address, invoice)
    return status === 200 ? invoice : String(status)
  }
  return { id: String(id), slug: String(slug), wait, ask, take }
}
const simulate = (id: string, status: string) => api("POST", `/invoices/${id}/simulate`, { status })
const isInvoice = (text: string) => text.startsWith("inv_")

describe("one visitor", () => {
  it.each([1, 2, 6, 9])("never keeps another from a link of %i places, whatever they ask for", async (places) => {
    const link = await linkOf(places)
    const held = new Map<string, number>()
    let most = 0
    let boughtAt: number | null = null
    // A script asks every ten seconds for ten minutes; a customer comes in the middle and looks every five.
    for (let at = 0; at < 600 * second && boughtAt === null; at += 5 * second) {
      service.time.now = now + at
      for (const [invoice, end] of held)
        if (end <= service.time.now) {
          await simulate(invoice, "expired")
          held.delete(invoice)
        }
      if (at >= 300 * second && isInvoice(await link.take("10.0.0.2"))) boughtAt = at
      const taken = at % (10 * second) === 0 ? await link.take("10.0.0.1") : ""
      if (isInvoice(taken)) held.set(taken, service.time.now + defaults.qrWindowMs)
      most = Math.max(most, held.size)
    }
    expect(most).toBe(places >= 4 ? 2 : 1)
    // Where there is one place only, the customer has it when the script's code has ended.
    expect(boughtAt).toBeLessThanOrEqual(places === 1 ? 300 * second + defaults.qrWindowMs : 300 * second)
    service.time.now = now
  })

  it("is a network of 64 bits, and gets a share of many places", async () => {
    const few = await linkOf(3)
    expect(isInvoice(await few.take("2001:db8:1:2::1"))).toBe(true)
    expect(await few.take("2001:db8:1:2:ffff::9")).toBe("429")
    expect(isInvoice(await few.take("2001:db8:1:3::1"))).toBe(true)
    const many = await linkOf(80)
    const taken: Array<string> = []
    for (let count = 0; count < 7; count++) taken.push(await many.take("10.0.0.1"))
    // A twentieth, and one to spare while half of them are left.
    expect(taken.map((one) => (isInvoice(one) ? 200 : Number(one)))).toEqual([200, 200, 200, 200, 200, 429, 429])
  })

  it("has their places back when they have paid, so a shop's customers go on one after another", async () => {
    const link = await linkOf(6)
    for (let customer = 0; customer < 5; customer++) {
      const invoice = await link.take("10.0.0.1")
      expect(isInvoice(invoice)).toBe(true)
      await simulate(invoice, "paid")
    }
    // The last one too: who has paid has let nothing lapse.
    expect(isInvoice(await link.take("10.0.0.1"))).toBe(true)
    expect((await api("GET", `/payment-links/${link.id}`))["totals"]).toMatchObject({ payments: 5, placesLeft: 0 })
  })

  it("may begin anew, is told how soon to ask again, and then comes through by the same invoice", async () => {
    const link = await linkOf(6)
    const left = await link.take("10.0.0.1")
    const second = await link.take("10.0.0.1")
    expect([left, second].every(isInvoice)).toBe(true)
    const third = await link.wait()
    const refused = await link.ask("10.0.0.1", third)
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "15"])
    const page = await fetch(`${service.url}/pay/${third}/code?lang=en`, {
      method: "POST",
      headers: { "x-forwarded-for": "10.0.0.1" }
    })
    expect([page.status, page.headers.get("refresh") ?? (await page.text())]).toEqual([
      429,
      expect.stringContaining('http-equiv="refresh"')
    ])
    // What was refused holds nothing, and asking again for what one has is free.
    expect((await link.ask("10.0.0.1", second)).status).toBe(200)
    expect((await link.ask("10.0.0.1", third)).status).toBe(429)
    await simulate(left, "expired")
    expect((await link.ask("10.0.0.1", third)).status).toBe(200)
  })

  it("leaves the last place to others for a minute after a code that they did not pay", async () => {
    const link = await linkOf(1)
    const lapsed = await link.take("10.0.0.1")
    await simulate(lapsed, "expired")
    expect(await link.take("10.0.0.1")).toBe("429")
    service.time.now = now + 61 * second
    const other = await link.take("10.0.0.1")
    expect(isInvoice(other)).toBe(true)
    await simulate(other, "expired")
    // Who comes then has it at once.
    expect(isInvoice(await link.take("10.0.0.2"))).toBe(true)
    service.time.now = now
  })

  it("gets one place of two who ask at the same moment, of as many servers as there are", async () => {
    const link = await linkOf(2)
    const waiting = await Promise.all([link.wait(), link.wait(), link.wait(), link.wait()])
    const statuses = await Promise.all(waiting.map(async (one) => (await link.ask("10.0.0.1", one)).status))
    expect(statuses.toSorted()).toEqual([200, 429, 429, 429])
  })
})
