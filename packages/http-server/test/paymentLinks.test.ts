/** Payment links over HTTP: merchants manage them, and visitors have invoices made at them. */
import { Engine } from "@tolem/core/engine/Engine"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, askForCode, call } from "./support/calls.ts"
import * as TestClock from "./support/clock.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)
const iso = "2026-01-10T07:00:00.000Z"
const links = "/api/v1/payment-links"

/** What a link shows that was made without these. */
const asksNothing = {
  minAmount: null,
  maxAmount: null,
  presets: [],
  fields: { name: "off", phone: "off", email: "off", comment: "off" }
}

let service: Service
let key: Key

beforeAll(async () => {
  service = await start({ now, settings: { pagesPerMinute: 1e9 } })
  key = await service.key()
})
afterAll(() => service.stop())

let count = 0
const send = (method: string, path: string, body?: unknown, as = key) =>
  call(service, method, `${links}${path}`, { key: as, body })
const create = (body: object = {}, as = key) => send("POST", "", { title: "Шай", ...body }, as)
const made = async (body: object = {}, as = key) => {
  const answer = await create({ slug: `tea-${++count}`, ...body }, as)
  expect(answer.status).toBe(201)
  return answer
}
const of = (link: Answer) => `/${link.body["id"]}`
const patch = (link: Answer, body: object) => send("PATCH", of(link), body)
const show = (slug: unknown) => call(service, "GET", `/l/${slug}`)
const pay = (slug: unknown, body?: unknown) => call(service, "POST", `/l/${slug}`, { body })
const invoice = async (answer: Answer, as = key) =>
  (await call(service, "GET", `/api/v1/invoices/${answer.body["invoiceId"]}`, { key: as })).body
const codeOf = async (answer: Promise<Answer>) => String((await answer).body["error"])

describe("a payment link", () => {
  it("is shown as it was made, by itself and in the list", async () => {
    const own = await service.key()
    const sent = {
      slug: "kofe-2026",
      title: "Кофе",
      description: "Екі кофе",
      amount: 1500.5,
      successUrl: "https://shop.kz/thanks?a=1",
      failUrl: "http://shop.kz/sorry"
    }
    const answer = await create(sent, own)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^lnk_[0-9a-z]{26}$/),
      mode: "sandbox",
      status: "active",
      url: `${service.settings.baseUrl}/l/kofe-2026`,
      currency: "KZT",
      createdAt: iso,
      updatedAt: iso,
      ...asksNothing,
      thankYou: null,
      maxPayments: null,
      opensAt: null,
      closesAt: null,
      totals: {
        invoices: 0,
        payments: 0,
        paidAmount: 0,
        refundedAmount: 0,
        placesLeft: null,
        placesBeyond: 0
      },
      ...sent,
      pictureUrl: null
    })
    expect((await send("GET", of(answer), undefined, own)).body).toEqual(answer.body)
    expect((await send("GET", "", undefined, own)).body).toEqual({ links: [answer.body] })
  })

  it("gets a slug made up where none is given", async () => {
    const all = await Promise.all([create(), create({ slug: null })])
    const slugs = all.map(({ body }) => String(body["slug"]))
    for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]{16}$/)
    expect(slugs[0]).not.toBe(slugs[1])
    expect(all[0]!.body).toMatchObject({ amount: null, description: null, successUrl: null, failUrl: null })
  })

  it("is changed member by member", async () => {
    const link = await made({ amount: 10, description: "x" })
    service.time.now = now + 1000
    const moved = await patch(link, { slug: `moved-${count}`, amount: null, description: null })
    service.time.now = now
    expect(moved.body).toMatchObject({ amount: null, description: null, updatedAt: "2026-01-10T07:00:01.000Z" })
    expect((await show(`moved-${count}`)).status).toBe(200)
    expect(await codeOf(show(link.body["slug"]))).toBe("link_invalid")
    expect((await patch(link, { title: "Нан", successUrl: "https://a.kz/" })).body).toMatchObject({
      title: "Нан",
      slug: `moved-${count}`,
      successUrl: "https://a.kz/"
    })
    expect((await patch(link, { nonsense: 1 })).body).toMatchObject({ title: "Нан" })
  })

  it("keeps every one of many changes at once", async () => {
    const link = await made()
    const members = [{ title: "A" }, { description: "B" }, { amount: 7 }, { status: "paused" }, { failUrl: "http://c" }]
    const answers = await Promise.all(members.map((member) => patch(link, member)))
    expect(answers.map(({ status }) => status)).toEqual(members.map(() => 200))
    expect((await send("GET", of(link))).body).toMatchObject(Object.assign({}, ...members))
  })

  it.each([
    [{ title: undefined }, "invalid_title"],
    [{ title: "" }, "invalid_title"],
    [{ title: " " }, "invalid_title"],
    [{ title: 5 }, "invalid_title"],
    [{ title: "x".repeat(101) }, "invalid_title"],
    [{ title: "\u0000" }, "invalid_title"],
    [{ slug: "ab" }, "invalid_slug"],
    [{ slug: "a".repeat(65) }, "invalid_slug"],
    [{ slug: "Tea" }, "invalid_slug"],
    [{ slug: "шай" }, "invalid_slug"],
    [{ slug: "a/../b" }, "invalid_slug"],
    [{ slug: "tea\n" }, "invalid_slug"],
    [{ slug: "'; drop table--" }, "invalid_slug"],
    [{ slug: ["tea"] }, "invalid_slug"],
    [{ description: "x".repeat(101) }, "invalid_description"],
    [{ amount: "10" }, "invalid_amount"],
    [{ amount: 1.005 }, "invalid_amount"],
    [{ amount: 0 }, "amount_too_small"],
    [{ amount: 1e8 }, "amount_too_large"],
    [{ successUrl: "javascript:alert(1)" }, "invalid_url"],
    [{ failUrl: 1 }, "invalid_url"],
    [{ status: "off" }, "invalid_status"]
  ])("is refused with %j as %s, when it is made and when it is changed", async (body, code) => {
    expect(await codeOf(create(body))).toBe(code)
    if (Object.values(body)[0] !== undefined) expect(await codeOf(patch(await made(), body))).toBe(code)
  })

  it("keeps what must be there when it is changed", async () => {
    const link = await made()
    expect(await codeOf(patch(link, { title: null }))).toBe("invalid_title")
    expect(await codeOf(patch(link, { slug: null }))).toBe("invalid_slug")
    expect(await codeOf(patch(link, { status: null }))).toBe("invalid_status")
  })

  it("is seen by its organization and mode alone, and changed with the right to write alone", async () => {
    const link = await made()
    const { organizationId } = key
    const live = await service.key({ mode: "live", organizationId })
    const stranger = await service.key()
    const verbs = [["GET", undefined] as const, ["PATCH", {}] as const, ["DELETE", undefined] as const]
    for (const [method, body] of verbs) {
      expect(await codeOf(send(method, of(link), body, live))).toBe("link_not_found")
      expect(await codeOf(send(method, of(link), body, stranger))).toBe("forbidden")
      expect(await codeOf(send(method, "/lnk_nobody", body))).toBe("link_not_found")
      expect(await codeOf(send(method, "/%00", body))).toBe("link_not_found")
    }
    expect((await send("GET", "", undefined, live)).body).toEqual({ links: [] })
    const reader = await service.key({ organizationId, scopes: ["invoices:read"] })
    expect((await send("GET", of(link), undefined, reader)).status).toBe(200)
    expect((await send("GET", "", undefined, reader)).status).toBe(200)
    expect(await codeOf(create({}, reader))).toBe("insufficient_scope")
    expect(await codeOf(send("PATCH", of(link), {}, reader))).toBe("insufficient_scope")
    expect(await codeOf(send("DELETE", of(link), undefined, reader))).toBe("insufficient_scope")
    const other = await service.key({ organizationId, scopes: ["refunds:write"] })
    expect(await codeOf(send("GET", "", undefined, other))).toBe("insufficient_scope")
  })

  it("has its slug alone in the service, also when many ask for it at once", async () => {
    const keys = await Promise.all([key, service.key(), service.key({ mode: "live" })])
    const answers = await Promise.all(Array.from({ length: 9 }, (_, i) => create({ slug: "rush" }, keys[i % 3]!)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => String(body["error"]))
    expect(new Set(refused)).toEqual(new Set(["slug_taken"]))
    const link = await made()
    expect(await codeOf(patch(link, { slug: "rush" }))).toBe("slug_taken")
    expect((await patch(link, { slug: String(link.body["slug"]) })).status).toBe(200)
  })

  it("is one of a hundred at most, in each mode, even when all are added at once", async () => {
    const own = await service.key()
    const answers = await Promise.all(Array.from({ length: 110 }, () => create({}, own)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => String(body["error"]))
    expect(new Set(refused)).toEqual(new Set(["too_many_links"]))
    await made({}, await service.key({ mode: "live", organizationId: own.organizationId }))
    const [first] = answers.filter(({ status }) => status === 201)
    expect((await send("DELETE", of(first!), undefined, own)).status).toBe(204)
    expect((await create({}, own)).status).toBe(201)
  })

  it("takes every change of many at once", async () => {
    const own = await service.key()
    const link = await made({}, own)
    const titles = Array.from({ length: 60 }, (_, i) => `Шай ${i}`)
    const answers = await Promise.all(titles.map((title) => send("PATCH", of(link), { title }, own)))
    expect(answers.map(({ status, body }) => [status, body["title"]])).toEqual(titles.map((title) => [200, title]))
  })
})

describe("a customer at a payment link", () => {
  it("is told what it is for, and nothing else", async () => {
    const link = await made({ amount: 1500, description: "Екі шай", successUrl: "https://shop.kz/" })
    const shown = await show(link.body["slug"])
    expect(shown.status).toBe(200)
    expect(shown.headers.get("cache-control")).toBe("no-store")
    expect(shown.body).toEqual({
      title: "Шай",
      description: "Екі шай",
      pictureUrl: null,
      amount: 1500,
      currency: "KZT",
      ...asksNothing,
      sellerName: "Dastarkhan"
    })
  })

  it("gets an invoice that is new until a person asks for its code", async () => {
    const link = await made({ amount: 1500, successUrl: "https://shop.kz/yes", failUrl: "https://shop.kz/no" })
    const paid = await pay(link.body["slug"], { customer: { name: "Әлия", phone: "77001234567", email: "a@b.kz" } })
    expect(paid.status).toBe(201)
    const id = String(paid.body["invoiceId"])
    expect(paid.body).toEqual({ invoiceId: id, payUrl: `${service.settings.baseUrl}/pay/${id}` })
    const stored = await invoice(paid)
    expect(stored).toMatchObject({
      id,
      status: "new",
      mode: "sandbox",
      kind: "qr",
      amount: 1500,
      description: "Шай",
      customer: { name: "Әлия", phone: "77001234567", email: "a@b.kz" },
      metadata: { paymentLinkId: link.body["id"] },
      qrUrl: null,
      deepLink: null,
      qrImageUrl: null,
      expiresAt: null
    })
    expect(stored["events"]).toMatchObject([{ type: "invoice.created", source: "system" }])
    expect((await fetch(`${service.url}/pay/${id}`)).status).toBe(200)
    expect((await invoice(paid))["status"]).toBe("new")
    expect((await askForCode(service, id)).status).toBe(200)
    expect(await invoice(paid)).toMatchObject({ status: "pending", expiresAt: "2026-01-10T07:03:00.000Z" })
  })

  it("types the amount where the link has none, and cannot type another where it has one", async () => {
    const open = await made({ description: "Екі шай" })
    const typed = await pay(open.body["slug"], { amount: 20.25 })
    expect(await invoice(typed)).toMatchObject({ amount: 20.25, description: "Екі шай" })
    const fixed = (await made({ amount: 20.25 })).body["slug"]
    for (const body of [undefined, {}, { amount: null }, { amount: 20.25 }]) {
      expect(await invoice(await pay(fixed, body))).toMatchObject({ amount: 20.25 })
    }
    for (const amount of [1, 20.26, "20.25", []]) expect(await codeOf(pay(fixed, { amount }))).toBe("invalid_amount")
  })

  it("sets nothing but the amount and who they are", async () => {
    const link = await made()
    const body = { amount: 5, kind: "phone", metadata: { a: 1 }, idempotencyKey: "k", successUrl: "https://evil.kz" }
    const first = await pay(link.body["slug"], body)
    const second = await pay(link.body["slug"], body)
    expect(second.body["invoiceId"]).not.toBe(first.body["invoiceId"])
    const metadata = { paymentLinkId: link.body["id"] }
    expect(await invoice(first)).toMatchObject({ kind: "qr", metadata, description: "Шай" })
  })

  it.each([
    [{}, "invalid_amount"],
    [{ amount: "5" }, "invalid_amount"],
    [{ amount: 1.001 }, "invalid_amount"],
    [{ amount: 0.99 }, "amount_too_small"],
    [{ amount: 1e8 }, "amount_too_large"],
    [{ amount: 5, customer: [] }, "invalid_customer"],
    [{ amount: 5, customer: { name: "x".repeat(201) } }, "invalid_customer"],
    [{ amount: 5, customer: { phone: "+77001234567" } }, "invalid_phone"],
    [{ amount: 5, customer: { email: "nobody" } }, "invalid_email"],
    ["{", "invalid_json"],
    ["[]", "invalid_json"],
    ["x".repeat(300_000), "payload_too_large"]
  ])("is refused with %j as %s", async (body, code) => {
    const link = await made()
    expect(await codeOf(pay(link.body["slug"], body))).toBe(code)
  })

  it("sends JSON", async () => {
    const link = await made()
    const headers = { "content-type": "text/plain" }
    const sent = call(service, "POST", `/l/${link.body["slug"]}`, { body: '{"amount":5}', headers })
    expect(await codeOf(sent)).toBe("unsupported_media_type")
  })

  it("is told while the link is paused, and can pay once it is resumed", async () => {
    const link = await made({ amount: 5 })
    const { slug } = Object(link.body)
    expect((await patch(link, { status: "paused" })).body["status"]).toBe("paused")
    for (const refused of [await show(slug), await pay(slug)]) {
      expect([refused.status, refused.body["error"]]).toEqual([410, "link_paused"])
    }
    await patch(link, { status: "active" })
    expect((await pay(slug)).status).toBe(201)
  })

  it("finds no link that is unknown, removed, or malformed", async () => {
    const link = await made({ amount: 5 })
    const before = await pay(link.body["slug"])
    expect((await send("DELETE", of(link))).status).toBe(204)
    expect(await codeOf(send("GET", of(link)))).toBe("link_not_found")
    const slugs = ["nobody", "NOBODY", "a", "x".repeat(90), "%00", "..%2f..", "tea'--", "%F0%9F%A7%BE"]
    for (const slug of [link.body["slug"], ...slugs]) {
      for (const refused of [await show(slug), await pay(slug, { amount: 5 })]) {
        expect(refused.body["error"], String(slug)).toBe("link_invalid")
      }
    }
    for (const slug of ["%ff", "x".repeat(5000)]) expect(await codeOf(show(slug))).toBe("link_invalid")
    expect(await codeOf(show("a/b"))).toBe("route_not_found")
    expect((await show(link.body["slug"])).status).toBe(410)
    expect((await fetch(`${service.url}/pay/${before.body["invoiceId"]}`)).status).toBe(200)
    expect((await create({ slug: link.body["slug"] }, await service.key())).status).toBe(201)
  })

  it("finds no link of a merchant who is blocked or archived", async () => {
    const { id, ownerId } = await service.organization()
    const own = await service.key({ organizationId: id })
    const link = await made({ amount: 5 }, own)
    type Subject = Parameters<MerchantStore["Service"]["setStatus"]>[0]
    const set = (subject: Subject) => service.run(MerchantStore.use((store) => store.setStatus(subject, Date.now())))
    await set({ account: ownerId, status: "blocked" })
    expect(await codeOf(pay(link.body["slug"]))).toBe("link_invalid")
    await set({ account: ownerId, status: "active" })
    await set({ organization: id, status: "archived" })
    expect(await codeOf(show(link.body["slug"]))).toBe("link_invalid")
    await set({ organization: id, status: "active" })
    expect((await pay(link.body["slug"])).status).toBe(201)
  })

  it("pays at the time of the merchant's sandbox", async () => {
    const own = await service.key()
    const link = await made({ amount: 5 }, own)
    const advance = Engine.use(({ sandboxTime }) => sandboxTime.advance(own.organizationId, 3_600_000))
    await service.run(Effect.provide(advance, TestClock.layer(service.time)))
    service.time.now = now + 1000 // by then every server knows
    const paid = await pay(link.body["slug"])
    service.time.now = now
    expect(await invoice(paid, own)).toMatchObject({ createdAt: "2026-01-10T08:00:01.000Z" })
  })

  it("is limited by their address, whatever they ask for", async () => {
    const limited = await start({ now, settings: { pagesPerMinute: 3 } })
    try {
      const statuses: Array<number> = []
      for (const path of ["/l/nobody", "/f/nobody", "/l/nobody"]) {
        statuses.push((await call(limited, "POST", path)).status)
      }
      expect(statuses).toEqual([410, 415, 410])
      for (const [method, path] of [["GET", "/l/nobody"] as const, ["POST", "/f/nobody"] as const]) {
        const refused = await call(limited, method, path)
        expect([refused.status, refused.body["error"]]).toEqual([429, "request_rate_limited"])
        expect(refused.headers.get("retry-after")).toBe("60")
      }
      limited.time.now += 60_000
      expect((await call(limited, "GET", "/l/nobody")).status).toBe(410)
    } finally {
      await limited.stop()
    }
  })
})
