/** The page of a payment link, as people see it: with a form, and without any script. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)
const html = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" }

let service: Service
let key: Key
let count = 0

beforeAll(async () => {
  service = await start({ now, settings: { pagesPerMinute: 1e9 } })
  key = await service.key()
})
afterAll(() => service.stop())

const made = async (body: object = {}) => {
  const slug = `yoga-${++count}`
  const sent = { key, body: { slug, title: "Йога", ...body } }
  const { body: link } = await call(service, "POST", "/api/v1/payment-links", sent)
  return { slug, id: String(link["id"]) }
}

/** As a browser does: it follows nowhere by itself here. */
const open = async (slug: string, query = "?lang=en", headers: object = html) => {
  const answer = await fetch(`${service.url}/l/${slug}${query}`, { headers: { ...headers } })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, ticket: ticketIn(text) }
}
const ticketIn = (text: string) => /name="ticket" value="([0-9a-z]{16})"/.exec(text)?.[1] ?? ""

const send = async (slug: string, fields: Record<string, string>, headers: object = html, query = "?lang=en") => {
  const answer = await fetch(`${service.url}/l/${slug}${query}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams(fields).toString(),
    redirect: "manual"
  })
  const text = await answer.text()
  return { status: answer.status, location: answer.headers.get("location"), headers: answer.headers, text }
}
const countInvoices = async () => Number((await call(service, "GET", "/api/v1/invoices", { key })).body["total"])

describe("the page of a payment link", () => {
  it("is for who asks for a page; programs get JSON", async () => {
    const { slug } = await made({ amount: 3000 })
    const page = await open(slug)
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(page.headers.get("vary")).toMatch(/^Accept, Accept-Language/)
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'")
    expect(page.text).toContain("Йога")
    expect(page.text).toContain("Dastarkhan")
    const programs = [
      {},
      { accept: "*/*" },
      { accept: "application/json" },
      { accept: "application/json, text/html;q=0.9" }
    ]
    for (const headers of [...programs, { accept: "text/html;q=0" }]) {
      const answer = await open(slug, "", headers)
      expect(answer.headers.get("content-type"), JSON.stringify(headers)).toBe("application/json")
      expect(JSON.parse(answer.text)).toMatchObject({ title: "Йога", amount: 3000, sellerName: "Dastarkhan" })
    }
  })

  it("leads to the pay page of an invoice of its own, in the visitor's language", async () => {
    const { slug, id } = await made({ amount: 3000 })
    const { ticket } = await open(slug)
    const sent = await send(slug, { ticket, amount: "1" }, html, "?lang=ru")
    expect([sent.status, sent.text]).toEqual([303, ""])
    expect(sent.location).toMatch(/^\.\.\/pay\/inv_[0-9a-z]{26}\?lang=ru$/)
    const invoiceId = /inv_[0-9a-z]+/.exec(String(sent.location))?.[0]
    const { body } = await call(service, "GET", `/api/v1/invoices/${invoiceId}`, { key })
    expect(body).toMatchObject({ amount: 3000, status: "new", metadata: { paymentLinkId: id } })
    const page = await fetch(new URL(String(sent.location), `${service.url}/l/${slug}`))
    expect(page.status).toBe(200)
  })

  it("makes one invoice of what is sent twice, and another of what is changed in between", async () => {
    const { slug } = await made()
    const { ticket } = await open(slug)
    const again = await Promise.all([1, 2, 3].map(() => send(slug, { ticket, amount: "3 500" })))
    expect(new Set(again.map(({ location }) => location)).size).toBe(1)
    const [first] = again
    expect((await send(slug, { ticket, amount: "3500,00 тг" })).location).toBe(first!.location)
    const other = await send(slug, { ticket, amount: "4 000" })
    expect(other.location).not.toBe(first!.location)
    const anew = await send(slug, { ticket: (await open(slug)).ticket, amount: "3500" })
    expect(new Set([first, other, anew].map((one) => one!.location)).size).toBe(3)
    // A ticket of one link is none of another.
    const elsewhere = await send((await made()).slug, { ticket, amount: "3 500" })
    expect([first, other, anew].map((one) => one!.location)).not.toContain(elsewhere.location)
    for (const strange of ["", "x", "../".repeat(40), "A".repeat(16)]) {
      expect((await send(slug, { ticket: strange, amount: "5" })).status).toBe(303)
    }
  })

  it.each([
    ["3 500", 3500],
    ["3\u00a0500,50", 3500.5],
    ["₸3 500,50", 3500.5],
    ["3500 тг", 3500],
    [" 1 ", 1]
  ])("understands %j", async (amount, tenge) => {
    const { slug } = await made()
    const { location } = await send(slug, { amount })
    const invoiceId = /inv_[0-9a-z]+/.exec(String(location))?.[0]
    expect((await call(service, "GET", `/api/v1/invoices/${invoiceId}`, { key })).body["amount"]).toBe(tenge)
  })

  it.each([
    ["", "Enter the amount as a number"],
    ["three thousand", "Enter the amount as a number"],
    ["3.500", "Enter the amount as a number"],
    ["0", "The least amount is 1"],
    ["-5", "The least amount is 1"],
    ["100000000", "The largest amount is 99"]
  ])("comes back with what was typed where that is %j", async (amount, said) => {
    const { slug } = await made()
    const { ticket } = await open(slug)
    const before = await countInvoices()
    const hostile = await send(slug, { ticket, amount: `${amount}"><script>` })
    expect([hostile.status, hostile.text.includes('"><script>')]).toEqual([422, false])
    const plain = await send(slug, { ticket, amount })
    expect(plain.text).toContain(said)
    expect(plain.text).toContain(`value="${amount}"`)
    expect(plain.text).toContain('aria-invalid="true"')
    expect(plain.text).toContain('role="alert"')
    expect(ticketIn(plain.text)).toBe(ticket)
    expect(await countInvoices()).toBe(before)
  })

  it("says in three languages why there is no form, with the status that programs get", async () => {
    const { slug, id } = await made({ amount: 5 })
    const { ticket } = await open(slug)
    await call(service, "PATCH", `/api/v1/payment-links/${id}`, { key, body: { status: "paused" } })
    for (const [lang, title] of [
      ["kk", "Төлем қабылдау тоқтатылған"],
      ["ru", "Приём платежей приостановлен"],
      ["en", "Payments are paused"]
    ]) {
      for (const answer of [await open(slug, `?lang=${lang}`), await send(slug, { ticket }, html, `?lang=${lang}`)]) {
        expect(answer.status).toBe(410)
        expect(answer.text).toContain(title)
        expect(answer.text).toContain("Dastarkhan")
      }
    }
    for (const unknown of ["nobody-here", "%00", "NO", "x".repeat(90)]) {
      const answer = await open(unknown)
      expect([answer.status, answer.headers.get("content-type")]).toEqual([410, "text/html; charset=utf-8"])
      expect(answer.text).toContain("This payment link does not work")
    }
    expect((await send("nobody-here", { amount: "5" })).status).toBe(410)
  })

  it("makes nothing by being read, by people or programs", async () => {
    const { slug } = await made({ amount: 5 })
    const before = await countInvoices()
    for (const method of ["HEAD", "GET"]) {
      for (const agent of ["WhatsApp/2.24.8 A", "TelegramBot (like TwitterBot)"]) {
        const answer = await fetch(`${service.url}/l/${slug}`, { method, headers: { ...html, "user-agent": agent } })
        expect(answer.status).toBe(200)
      }
    }
    expect(await countInvoices()).toBe(before)
  })

  it("takes forms from no other site, and none that cannot be read", async () => {
    const { slug } = await made({ amount: 5 })
    for (const foreign of [{ origin: "https://evil.kz" }, { "sec-fetch-site": "cross-site" }]) {
      const answer = await send(slug, {}, { ...html, ...foreign })
      expect([answer.status, JSON.parse(answer.text).error]).toEqual([403, "cross_site_request"])
    }
    for (const own of [
      { origin: "null" },
      { "sec-fetch-site": "same-origin", origin: "null" },
      { origin: service.url }
    ]) {
      expect((await send(slug, {}, { ...html, ...own })).status).toBe(303)
    }
    const broken = await fetch(`${service.url}/l/${slug}?lang=en`, {
      method: "POST",
      headers: { ...html, "content-type": "multipart/form-data; boundary=x" },
      body: "--y"
    })
    expect([broken.status, await broken.text()]).toEqual([400, expect.stringContaining("The form could not be read")])
    const program = await send(slug, { amount: "5" }, { accept: "application/json" })
    expect([program.status, JSON.parse(program.text).error]).toEqual([415, "unsupported_media_type"])
  })

  it("says so where a visitor comes too often, or makes too many invoices", async () => {
    const visitors = { ...service.settings.visitors, invoicesPerMinute: 2 }
    const limited = await start({ now, settings: { pagesPerMinute: 6, visitors } })
    try {
      const own = await limited.key()
      await call(limited, "POST", "/api/v1/payment-links", { key: own, body: { slug: "rush", title: "Шай" } })
      const body = "amount=5"
      const form = { ...html, "content-type": "application/x-www-form-urlencoded" }
      const statuses: Array<number> = []
      for (const amount of ["amount=x", body, body, body]) {
        const sent = { method: "POST", headers: form, body: amount, redirect: "manual" } as const
        const answer = await fetch(`${limited.url}/l/rush?lang=en`, sent)
        statuses.push(answer.status)
        if (answer.status === 429) expect(await answer.text()).toContain("Too many requests")
      }
      expect(statuses).toEqual([422, 303, 303, 429])
      for (let view = 0; view < 2; view++) await fetch(`${limited.url}/l/rush`, { headers: html })
      const refused = await fetch(`${limited.url}/l/rush?lang=ru`, { headers: html })
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"])
      expect(await refused.text()).toContain("Слишком много запросов")
    } finally {
      await limited.stop()
    }
  })
})

describe("an invoice of a payment link", () => {
  const simulated = async (slug: string, status: string) => {
    const { location } = await send(slug, {})
    const id = /inv_[0-9a-z]+/.exec(String(location))?.[0] ?? ""
    await fetch(`${service.url}/pay/${id}/code`, { method: "POST" })
    const verb = status === "cancelled" ? "cancel" : "simulate"
    expect((await call(service, "POST", `/api/v1/invoices/${id}/${verb}`, { key, body: { status } })).status).toBe(200)
    return id
  }
  const read = async (path: string) => (await fetch(`${service.url}${path}?lang=en`)).text()

  it("thanks who has paid, on the page and the receipt, in the seller's own words", async () => {
    const thankYou = "Рақмет!\n<b>See you</b>"
    const { slug } = await made({ amount: 5, thankYou })
    const paid = await simulated(slug, "paid")
    for (const path of [`/pay/${paid}`, `/receipts/${paid}`]) {
      const text = await read(path)
      expect(text, path).toContain('<p class="thanks"><bdi>Рақмет!\n&lt;b&gt;See you&lt;/b&gt;</bdi></p>')
      expect(text, path).not.toContain("Back to the payment link")
      expect(Buffer.byteLength(text)).toBeLessThan(20 * 1024)
    }
    expect(await read(`/pay/${await simulated(slug, "failed")}`)).not.toContain("Рақмет!")
    await call(service, "POST", `/api/v1/invoices/${paid}/refund`, { key })
    for (const path of [`/pay/${paid}`, `/receipts/${paid}`]) expect(await read(path)).not.toContain("Рақмет!")
  })

  it.each(["expired", "failed", "cancelled"])(
    "leads back to the link if it is %s and that can be paid",
    async (status) => {
      const { slug, id } = await made({ amount: 5 })
      const lost = await simulated(slug, status)
      const back = `href="/l/${slug}?lang=en">Back to the payment link</a>`
      expect(await read(`/pay/${lost}`)).toContain(back)
      await call(service, "PATCH", `/api/v1/payment-links/${id}`, { key, body: { status: "paused" } })
      expect(await read(`/pay/${lost}`)).not.toContain("Back to the payment link")
      await call(service, "DELETE", `/api/v1/payment-links/${id}`, { key })
      const gone = await fetch(`${service.url}/pay/${lost}?lang=en`)
      expect([gone.status, (await gone.text()).includes("Back to the payment link")]).toEqual([200, false])
    }
  )
})

describe("a payment link that asks", () => {
  it("shows what it asks for, and keeps what it is told", async () => {
    const fields = { name: "required", phone: "off", email: "optional", comment: "optional" }
    const { slug } = await made({ minAmount: 1000, maxAmount: 5000, presets: [1000, 3000], fields })
    const { text } = await open(slug)
    expect(text).not.toContain('name="phone"')
    expect(text).toContain('value="300000"')
    const wrong = await send(slug, { preset: "", amount: "900", email: "x", name: "", comment: "<i>" })
    expect(wrong.status).toBe(422)
    for (const said of ["The least amount is 1", "Enter your name", "Enter an address like", "&lt;i&gt;"]) {
      expect(wrong.text).toContain(said)
    }
    const typed = { preset: "300000", amount: "", name: " Әлия ", phone: "8 701", email: "a@b.kz", comment: "Рақмет" }
    const { location } = await send(slug, typed)
    const invoice = await call(service, "GET", `/api/v1/invoices/${/inv_[0-9a-z]+/.exec(String(location))?.[0]}`, {
      key
    })
    expect(invoice.body).toMatchObject({
      amount: 3000,
      customer: { name: "Әлия", phone: null, email: "a@b.kz" },
      metadata: { comment: "Рақмет" }
    })
  })

  it.each([
    ["invalid_min_amount", { minAmount: 0 }],
    ["invalid_min_amount", { minAmount: 200, maxAmount: 100 }],
    ["invalid_max_amount", { maxAmount: "5" }],
    ["invalid_presets", { presets: [5, 5] }],
    ["invalid_presets", { presets: [1, 2, 3, 4, 5, 6, 7] }],
    ["invalid_presets", { presets: [50], minAmount: 100 }],
    ["invalid_fields", { fields: { name: "perhaps" } }],
    ["invalid_fields", { fields: [] }],
    ["invalid_thank_you", { thankYou: "x".repeat(501) }],
    ["invalid_max_payments", { maxPayments: 0 }],
    ["invalid_max_payments", { maxPayments: 1.5 }],
    ["invalid_max_payments", { maxPayments: 10_001 }],
    ["invalid_opens_at", { opensAt: "tomorrow" }],
    ["invalid_closes_at", { closesAt: 5 }],
    ["invalid_closes_at", { opensAt: "2026-02-02T00:00:00Z", closesAt: "2026-02-01T00:00:00Z" }]
  ])("is refused with %s, when it is made and when it is changed", async (code, body) => {
    const create = { key, body: { title: "Йога", ...body } }
    expect((await call(service, "POST", "/api/v1/payment-links", create)).body["error"]).toBe(code)
    const { id } = await made()
    const changed = await call(service, "PATCH", `/api/v1/payment-links/${id}`, { key, body })
    expect(changed.body["error"]).toBe(code)
  })

  it.each([
    ["name_required", { fields: { name: "required" } }, { customer: { name: " " } }],
    ["email_required", { fields: { email: "required" } }, {}],
    ["phone_required", { fields: { phone: "required" } }, {}],
    ["comment_required", { fields: { comment: "required" } }, {}],
    ["invalid_comment", {}, { comment: "x".repeat(301) }],
    ["amount_too_small", { minAmount: 100 }, { amount: 99 }],
    ["amount_too_large", { maxAmount: 100 }, { amount: 101 }]
  ])("answers a program with %s", async (code, link, payment) => {
    const { slug } = await made(link)
    const answer = await call(service, "POST", `/l/${slug}`, { body: { amount: 500, ...payment } })
    expect(answer.body["error"]).toBe(code)
  })

  it("is open from one instant to another, for people and programs", async () => {
    const { slug, id } = await made({ amount: 5, opensAt: "2026-01-10T07:00:01Z", closesAt: "2026-01-10T07:00:02Z" })
    const seen: Array<unknown> = []
    for (const after of [0, 1000, 2000]) {
      service.time.now = now + after
      const program = await call(service, "GET", `/l/${slug}`)
      seen.push((await open(slug)).status, program.body["error"] ?? program.body["title"])
    }
    service.time.now = now
    expect(seen).toEqual([409, "link_not_open", 200, "Йога", 410, "link_closed"])
    await call(service, "PATCH", `/api/v1/payment-links/${id}`, { key, body: { opensAt: null, closesAt: null } })
    expect((await open(slug)).status).toBe(200)
  })
})
