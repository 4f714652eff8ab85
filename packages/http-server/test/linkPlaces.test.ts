/** Payment links that take so many payments only: who holds a place, from when on, and until when. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { type LinkSweep, PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import type { InvoiceId } from "@tolem/core/value/Ids"
import { Effect, Option, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askForCode, call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)
const wide = {
  invoicesPerMinute: 1e9,
  invoicesOfOnePerMinute: 1e9,
  invoicesOfOrganizationPerMinute: 1e9,
  codesPerMinute: 1e9
}
const visitors = { ...defaults.visitors, ...wide }

/** All places of a link to one visitor, for what is not about visitors. */
const shared = { placesPart: 1000, placeRestMs: 0 }

let service: Service
let key: Key
beforeAll(async () => {
  service = await start({ now, settings: { pagesPerMinute: 1e9, visitors, ...shared } })
  key = await service.key()
})
afterAll(() => service.stop())

const api = async (method: string, path: string, body?: object) =>
  (await call(service, method, `/api/v1${path}`, { key, body })).body
const linkWith = async (body: object) => {
  const { id, slug } = await api("POST", "/payment-links", { title: "Йога", amount: 100, ...body })
  return { id: String(id), slug: String(slug) }
}
/** An invoice of a link, which waits; or the status that was answered. */
const buy = async (slug: string, fields: Record<string, string> = {}) => {
  const answer = await fetch(`${service.url}/l/${slug}?lang=en`, {
    method: "POST",
    headers: { accept: "text/html", "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
    redirect: "manual"
  })
  return /inv_[0-9a-z]+/.exec(answer.headers.get("location") ?? "")?.[0] ?? String(answer.status)
}
const codeStatus = async (id: string) => {
  const headers = { accept: "application/json" }
  return (await fetch(`${service.url}/pay/${id}/code`, { method: "POST", headers })).status
}
const again = (id: string) => fetch(`${service.url}/pay/${id}/again?lang=en`, { method: "POST", redirect: "manual" })
const simulate = (id: string, status: string) => api("POST", `/invoices/${id}/simulate`, { status })
const totalsOf = async (id: string) => (await api("GET", `/payment-links/${id}`))["totals"] as Record<string, number>
/** What does not add up, but for the sums of kinds by day: `moveAs` moves them too, and such a server knows none. */
const findings = async () => {
  const { integrity } = await service.run(Engine)
  return (await service.run(integrity.findings)).filter(({ rule }) => rule !== "totals_of_kinds_equal_rows")
}
/** Writes an invoice unchanged, but moves the sums as a server does that sees it otherwise, before or after. */
const moveAs = (id: string, seen: { readonly before?: Partial<Invoice>; readonly after?: Partial<Invoice> }) =>
  service.run(
    InvoiceStore.use((store) =>
      Effect.gen(function* () {
        const invoice = Option.getOrThrow(yield* store.find(id as InvoiceId))
        const previous = { ...invoice, ...seen.before }
        const next = { ...invoice, ...seen.after, version: invoice.version + 1 }
        const [written] = yield* store.commitMany([{ previous, next, event: null, refund: null }])
        expect(Result.isSuccess(written!)).toBe(true)
      })
    )
  )
let sweptAt = 10
/** Sweeps over all links; false if another does so. */
const sweep = (at = sweptAt) => {
  sweptAt = at + 10
  return service.run(
    PaymentLinkStore.use((store) =>
      Effect.gen(function* () {
        const lent = yield* store.lendSweep(at, at + 5, 1e9)
        if (Option.isNone(lent)) return false
        let under: LinkSweep | null = lent.value
        while (under !== null) under = yield* store.sweep(under, { limit: 2, until: at + 5, nextAt: at + 1 })
        return true
      })
    )
  )
}
const times = <A>(count: number, make: () => Promise<A>) => Promise.all(Array.from({ length: count }, make))

describe("the places of a payment link", () => {
  it("are not held by invoices whose code was never asked for, however many they are", async () => {
    const { slug, id } = await linkWith({ maxPayments: 2 })
    const hoarded = await times(20, () => buy(slug))
    expect(hoarded.every((one) => one.startsWith("inv_"))).toBe(true)
    expect((await totalsOf(id))["placesLeft"]).toBe(2)
    const buyer = await buy(slug)
    expect(await codeStatus(buyer)).toBe(200)
    expect((await totalsOf(id))["placesLeft"]).toBe(1)
    expect(await findings()).toEqual([])
  })

  it("go to three of fifty who ask for a code of the last three at once", async () => {
    const { slug, id } = await linkWith({ maxPayments: 5 })
    for (let count = 0; count < 2; count++) expect(await codeStatus(await buy(slug))).toBe(200)
    const buyers = await times(50, () => buy(slug))
    const statuses = await Promise.all(buyers.map((one) => codeStatus(one)))
    // A slow database leaves an answer open, 202; what became of it shows when it is asked for again.
    expect(statuses.every((one) => [200, 202, 409].includes(one))).toBe(true)
    const settled = await Promise.all(buyers.map((one) => codeStatus(one)))
    expect(settled.filter((one) => one === 200)).toHaveLength(3)
    expect(await totalsOf(id)).toMatchObject({ invoices: 52, payments: 0, placesLeft: 0, placesBeyond: 0 })
    // Who has a place asks again without losing it, and who has none is told on a page.
    const won = buyers[settled.indexOf(200)]!
    expect((await times(3, () => codeStatus(won))).every((one) => one === 200)).toBe(true)
    const refused = await askForCode(service, buyers[settled.indexOf(409)], "?lang=en")
    expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining("Sold out")])
    expect(await buy(slug)).toBe("409")
    const program = await call(service, "POST", `/l/${slug}`)
    expect([program.status, program.body["error"]]).toEqual([409, "link_sold_out"])
    expect(await findings()).toEqual([])
  })

  it("come back when a code is lost or money refunded, and late money beyond them is told", async () => {
    const { slug, id } = await linkWith({ maxPayments: 1 })
    const ticket = "0".repeat(16)
    const first = await buy(slug, { ticket })
    await askForCode(service, first)
    // The same form finds its invoice, though there is no place for another.
    expect(await buy(slug, { ticket })).toBe(first)
    expect(await buy(slug)).toBe("409")
    await simulate(first, "expired")
    const second = await buy(slug)
    await askForCode(service, second)
    // Who lost the place gets no other code while it is taken.
    expect((await again(first)).status).toBe(409)
    await simulate(second, "paid")
    await simulate(first, "paid")
    const late = { invoices: 2, payments: 2, paidAmount: 200, refundedAmount: 0, placesLeft: 0, placesBeyond: 1 }
    expect(await totalsOf(id)).toEqual(late)
    for (const invoice of [first, second]) await api("POST", `/invoices/${invoice}/refund`)
    expect(await totalsOf(id)).toEqual({ ...late, refundedAmount: 200, placesLeft: 1, placesBeyond: 0 })
    expect(await codeStatus(await buy(slug))).toBe(200)
  })

  it("stay held by a cancelled invoice for as long as its code can be paid", async () => {
    const { slug } = await linkWith({ maxPayments: 1 })
    const first = await buy(slug)
    const second = await buy(slug)
    await askForCode(service, first)
    await api("POST", `/invoices/${first}/cancel`)
    expect(await codeStatus(second)).toBe(409)
    service.time.now += defaults.qrWindowMs + 1
    expect(await codeStatus(second)).toBe(200)
    service.time.now = now
    // One whose code was never asked for has held none.
    const { slug: other } = await linkWith({ maxPayments: 1 })
    await api("POST", `/invoices/${await buy(other)}/cancel`)
    expect(await codeStatus(await buy(other))).toBe(200)
  })

  it("are right again after servers of an earlier version have moved the sums their way", async () => {
    const { slug, id } = await linkWith({})
    const { slug: unbounded, id: unboundedId } = await linkWith({})
    const bought: Array<string> = []
    for (const each of [slug, slug, unbounded]) {
      const invoice = await buy(each)
      await askForCode(service, invoice)
      await simulate(invoice, "paid")
      bought.push(invoice)
    }
    for (const invoice of bought) await moveAs(invoice, { after: { origin: null } })
    expect(await totalsOf(id)).toMatchObject({ invoices: 0, payments: 0, paidAmount: 0 })
    expect(await findings()).toHaveLength(2)
    // The bound counts though the sums are off, and setting it mends them.
    const patched = await api("PATCH", `/payment-links/${id}`, { maxPayments: 2 })
    expect(patched["totals"]).toMatchObject({ invoices: 2, payments: 2, paidAmount: 200, placesLeft: 0 })
    expect(await buy(slug)).toBe("409")
    expect((await Promise.all([sweep(5), sweep(5)])).filter(Boolean)).toHaveLength(1)
    expect(await totalsOf(unboundedId)).toMatchObject({ invoices: 1, payments: 1, paidAmount: 100 })
    expect(await findings()).toEqual([])
  })

  it("are counted in the invoices where the sums say that some are left", async () => {
    const { slug, id } = await linkWith({ maxPayments: 1 })
    const [first, second] = [await buy(slug), await buy(slug)]
    expect(await codeStatus(first!)).toBe(200)
    await moveAs(first!, { after: { origin: null } })
    expect((await totalsOf(id))["placesLeft"]).toBe(1)
    expect(await codeStatus(second!)).toBe(409)
    expect(await sweep()).toBe(true)
    expect(await findings()).toEqual([])
  })
})

describe("another code of a link or form", () => {
  const lostAt = async (slug: string) => {
    const id = await buy(slug)
    await askForCode(service, id)
    await simulate(id, "expired")
    return id
  }
  const answered = async (id: string) => {
    const answer = await again(id)
    return [answer.status, /<h1>([^<]*)/.exec(await answer.text())?.[1]]
  }

  it("is refused with the page of a link that was paused, closed, sold out or removed since", async () => {
    const { slug, id } = await linkWith({})
    const [first, second] = [await lostAt(slug), await lostAt(slug)]
    const change = (body: object) => api("PATCH", `/payment-links/${id}`, body)
    await change({ status: "paused" })
    expect(await answered(first)).toEqual([410, "Payments are paused"])
    await change({ status: "active", closesAt: "2026-01-10T06:00:00Z" })
    expect((await answered(first))[0]).toBe(410)
    await change({ closesAt: null, maxPayments: 1 })
    const buyer = await buy(slug)
    await askForCode(service, buyer)
    expect(await answered(first)).toEqual([409, "Sold out"])
    await change({ maxPayments: null })
    expect((await again(first)).status).toBe(303)
    // Who has another code already is led to it, whatever has become of the link.
    await api("DELETE", `/payment-links/${id}`)
    expect((await again(first)).status).toBe(303)
    expect(await answered(second)).toEqual([410, "This payment link does not work"])
  })

  it("is refused where the form was paused or removed since", async () => {
    const { id } = await api("POST", "/form-hooks", { name: "Form" })
    const body = new URLSearchParams({ amount: "5" })
    const sent = await fetch(`${service.url}/f/${id}`, { method: "POST", body })
    const { invoiceId } = (await sent.json()) as { readonly invoiceId: string }
    await askForCode(service, invoiceId)
    await simulate(invoiceId, "expired")
    await api("PATCH", `/form-hooks/${id}`, { status: "paused" })
    expect(await answered(invoiceId)).toEqual([410, "Payments are paused"])
    await api("DELETE", `/form-hooks/${id}`)
    expect((await again(invoiceId)).status).toBe(404)
  })
})
