/** Payment links and form hooks in live mode: the provider is asked when a customer opens the page. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { askForCode, call } from "../support/calls.ts"
import { type Live, live } from "./cashier.ts"

let shop: Live

beforeEach(async () => {
  shop = await live()
})
afterEach(() => shop.service.stop())

const link = async (key = shop.key) => {
  const body = { title: "Шай", amount: 1500 }
  return (await call(shop.service, "POST", "/api/v1/payment-links", { key, body })).body
}
const pay = async (slug: unknown) => call(shop.service, "POST", `/l/${slug}`)
const submit = async () => {
  const made = await call(shop.service, "POST", "/api/v1/form-hooks", { key: shop.key, body: { name: "x" } })
  const body = new URLSearchParams({ amount: "1500" })
  const response = await fetch(`${shop.service.url}/f/${made.body["id"]}`, { method: "POST", body })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
const read = async (id: unknown) => (await call(shop.service, "GET", `/api/v1/invoices/${id}`, { key: shop.key })).body
const usage = async () => {
  const { body } = await call(shop.service, "GET", "/api/v1/account", { key: shop.key })
  const { monthlyUsed, dailyUsed } = Object(body["tariff"])
  return [monthlyUsed, dailyUsed]
}
const open = (id: unknown) => askForCode(shop.service, id)

describe("a live invoice of a link or a hook", () => {
  it.each([
    ["link", async () => pay((await link())["slug"])],
    ["hook", submit]
  ] as const)(
    "of a %s is new until a person asks for its code, and is then made at the provider once",
    async (_, make) => {
      const { invoiceId } = Object((await make()).body)
      expect(await read(invoiceId)).toMatchObject({ mode: "live", status: "new", qrUrl: null, expiresAt: null })
      expect(shop.payments()).toHaveLength(0)
      shop.pass(3_600_000)
      expect((await Promise.all([open(invoiceId), open(invoiceId)])).map(({ status }) => status)).toEqual([200, 200])
      await open(invoiceId)
      expect(shop.payments()).toHaveLength(1)
      const opened = await read(invoiceId)
      expect(opened["status"]).toBe("pending")
      expect(opened["qrUrl"]).not.toBeNull()
    }
  )

  it("stays payable where the provider does not answer, or has never heard of it", async () => {
    const { invoiceId } = Object((await pay((await link())["slug"])).body)
    shop.fault("createQr", { kind: "silence", done: false })
    await open(invoiceId)
    expect((await read(invoiceId))["status"]).toBe("new")
    shop.pass(120_000)
    await call(shop.service, "GET", `/api/v1/invoices/${invoiceId}?live=1`, { key: shop.key })
    await open(invoiceId)
    expect((await read(invoiceId))["status"]).toBe("pending")
    expect(shop.payments()).toHaveLength(1)
  })

  it("is made for no program that only reads: a preview, a mail scanner, a browser without its script", async () => {
    const { invoiceId } = Object((await pay((await link())["slug"])).body)
    const page = `${shop.service.url}/pay/${invoiceId}`
    const code = `${page}/code`
    for (const address of [page, code]) expect((await fetch(address, { method: "HEAD" })).status).toBe(200)
    expect((await fetch(code)).url).toBe(`${page}?lang=kk`)
    for (const headers of [
      { "user-agent": "WhatsApp/2.24.8 A" },
      { "user-agent": "TelegramBot (like TwitterBot)" },
      { "user-agent": "facebookexternalhit/1.1", range: "bytes=0-524287" },
      { "user-agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36" },
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" },
      { "x-purpose": "preview" },
      { "x-moz": "prefetch" }
    ]) {
      expect((await fetch(page, { headers })).status).toBe(200)
    }
    expect((await read(invoiceId))["status"]).toBe("new")
    expect(shop.payments()).toHaveLength(0)
    await open(invoiceId)
    expect(shop.payments()).toHaveLength(1)
  })

  it("waits on where the quota is used up when its code is asked for, and its visitor is told so", async () => {
    const { integrity, tariffs } = await shop.service.run(Engine)
    await shop.service.run(tariffs.grant({ organizationId: shop.organizationId, tariff: "trial", months: null }))
    const { slug } = await link()
    const made = await Promise.all(Array.from({ length: 9 }, () => pay(slug)))
    const ids = made.map(({ body }) => body["invoiceId"])
    // What strangers make takes no place of the merchant's.
    expect(await usage()).toEqual([0, 0])
    for (let count = 0; count < 48; count++) expect((await shop.create()).status).toBe(201)
    expect((await Promise.all(ids.slice(0, 5).map(open))).map(({ status }) => status).toSorted()).toEqual([
      200, 200, 429, 429, 429
    ])
    const told = await askForCode(shop.service, ids[5], "?lang=en")
    expect(told.status).toBe(429)
    expect(await told.text()).toContain("The seller cannot take this payment now")
    const path = `${shop.service.url}/pay/${ids[5]}/code`
    const scripted = await fetch(path, { method: "POST", headers: { accept: "application/json" } })
    expect([scripted.status, JSON.parse(await scripted.text()).error]).toEqual([429, "tariff_daily_burst"])
    expect((await read(ids[5]))["status"]).toBe("new")
    expect(await usage()).toEqual([50, 50])
    expect(await shop.service.run(integrity.findings)).toEqual([])
    shop.pass(20 * 3_600_000)
    expect((await open(ids[5])).status).toBe(200)
    expect((await read(ids[5]))["status"]).toBe("pending")
    expect(await shop.service.run(integrity.findings)).toEqual([])
  })

  it("that is not paid takes half of a day and of a month at most, whatever flood asks for codes", async () => {
    const { integrity, tariffs } = await shop.service.run(Engine)
    await shop.service.run(tariffs.grant({ organizationId: shop.organizationId, tariff: "trial", months: null }))
    const { slug } = await link()
    const waiting = (count: number) =>
      Promise.all(Array.from({ length: count }, async () => (await pay(slug)).body["invoiceId"]))
    const opened = async (ids: ReadonlyArray<unknown>) => {
      const statuses: Array<number> = []
      for (let at = 0; at < ids.length; at += 8)
        statuses.push(...(await Promise.all(ids.slice(at, at + 8).map(open))).map(({ status }) => status))
      return [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 429).length]
    }
    const ids = await waiting(30)
    expect(await opened(ids)).toEqual([25, 5])
    const refused = (await Promise.all(ids.map(read))).filter(({ status }) => status === "new")
    const path = `${shop.service.url}/pay/${refused[0]!["id"]}/code`
    const scripted = await fetch(path, { method: "POST", headers: { accept: "application/json" } })
    expect([scripted.status, scripted.headers.get("retry-after"), JSON.parse(await scripted.text()).error]).toEqual([
      429,
      null,
      "tariff_daily_burst"
    ])
    // Who pays makes room for another visitor; the rest of the day is the merchant's alone.
    const paid = (await Promise.all(ids.map(read))).filter(({ status }) => status === "pending").slice(0, 2)
    for (const one of paid)
      await call(shop.service, "POST", `/api/v1/invoices/${one["id"]}/simulate`, {
        key: shop.key,
        body: { status: "paid" }
      })
    expect(await usage()).toEqual([25, 25])
    for (let count = 0; count < 25; count++) expect((await shop.create()).status).toBe(201)
    expect(await usage()).toEqual([50, 50])
    expect((await shop.create()).body["error"]).toBe("tariff_daily_burst")
    // The next day has as much for them, and the month no more than half.
    shop.pass(20 * 3_600_000)
    expect(await opened(await waiting(30))).toEqual([25, 5])
    expect(await usage()).toEqual([75, 25])
    shop.pass(24 * 3_600_000)
    const [made] = await opened(await waiting(5))
    expect(made).toBe(0)
    expect((await shop.create()).status).toBe(201)
    expect(await shop.service.run(integrity.findings)).toEqual([])
  })

  it("of a subscription counts with its code where the customer has asked for it", async () => {
    const { integrity } = await shop.service.run(Engine)
    const sub = (path: string, body?: object) =>
      call(shop.service, "POST", `/api/v1/subscriptions${path}`, { key: shop.key, body })
    const startAt = new Date(shop.service.time.now + 86_400_000)
    const { body } = await sub("", { amount: 900, interval: "month", startAt })
    const first = (await sub(`/${body["id"]}/run`)).body["id"]
    await open(first)
    shop.pass(600_000)
    const looked = await call(shop.service, "GET", `/api/v1/invoices/${first}?live=1`, { key: shop.key })
    expect(looked.body["status"]).toBe("expired")
    const tapped = await fetch(`${shop.service.url}/pay/${first}/again`, { method: "POST", redirect: "manual" })
    const second = /inv_\w+/.exec(tapped.headers.get("location") ?? "")?.[0]
    expect([second === first, await usage()]).toEqual([false, [1, 1]])
    await open(second)
    expect([(await read(second))["status"], await usage()]).toEqual(["pending", [2, 2]])
    expect(await shop.service.run(integrity.findings)).toEqual([])
  })

  it("is not made for another site, and not without end for one invoice", async () => {
    const { invoiceId } = Object((await pay((await link())["slug"])).body)
    const code = `${shop.service.url}/pay/${invoiceId}/code`
    const ask = async (headers: Record<string, string>) =>
      (await fetch(code, { method: "POST", headers, redirect: "manual" })).status
    for (const foreign of [
      { "sec-fetch-site": "cross-site", origin: "null" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" }
    ]) {
      expect(await ask(foreign)).toBe(403)
    }
    expect(shop.payments()).toHaveLength(0)
    expect(await ask({ "sec-fetch-site": "same-origin", origin: "null" })).toBe(303)
    expect(shop.payments()).toHaveLength(1)
    const answers: Array<number> = []
    for (let i = 0; i < 8; i++) answers.push(await ask({}))
    expect(answers).toEqual([...Array(6).fill(303), 429, 429])
  })

  it("does not keep a customer waiting for a slow provider: the page comes first, whatever that does", async () => {
    await shop.service.stop()
    // Longer than any test may take.
    const patientMs = 3_600_000
    shop = await live(patientMs)
    const { invoiceId } = Object((await pay((await link())["slug"])).body)
    shop.fault("createQr", { kind: "silence", done: true })
    const page = await open(invoiceId)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("http-equiv")])
    expect(await read(invoiceId)).toMatchObject({ status: "new", qrUrl: null })
    expect(shop.payments()).toHaveLength(1)
  })

  it("gives its place back where the provider does not make it", async () => {
    const { integrity } = await shop.service.run(Engine)
    const { invoiceId } = Object((await pay((await link())["slug"])).body)
    shop.fault("createQr", { kind: "throttle", retryAfterMs: 1 })
    await open(invoiceId)
    expect(await usage()).toEqual([0, 0])
    await open(invoiceId)
    expect(await usage()).toEqual([1, 1])
    const other = Object((await pay((await link())["slug"])).body)
    shop.fault("createQr", { kind: "refuse", code: "invalid", retryable: false })
    await open(other.invoiceId)
    expect((await read(other.invoiceId))["status"]).toBe("failed")
    expect(await usage()).toEqual([1, 1])
    expect(await shop.service.run(integrity.findings)).toEqual([])
  })

  it("goes through the cashier of the key that has made the link", async () => {
    const other = await shop.service.run(shop.connections.create(shop.organizationId, { name: "Second" }))
    await shop.login(other.id)
    const { organizationId } = shop
    const bound = await shop.service.key({ organizationId, mode: "live", connectionId: other.id })
    const made = await link(bound)
    const { invoiceId } = Object((await pay(made["slug"])).body)
    const invoices = `/api/v1/invoices/${invoiceId}`
    expect((await call(shop.service, "GET", invoices, { key: bound })).status).toBe(200)
    const first = await ofFirst(shop)
    expect((await call(shop.service, "GET", invoices, { key: first })).body["error"]).toBe("invoice_not_found")
    const path = `/api/v1/payment-links/${made["id"]}`
    expect((await call(shop.service, "GET", path, { key: first })).body["error"]).toBe("link_not_found")
    expect((await call(shop.service, "GET", path, { key: shop.key })).status).toBe(200)
    const listed = await call(shop.service, "GET", "/api/v1/payment-links", { key: first })
    expect(listed.body).toEqual({ links: [] })
  })

  it("is not made where nobody can be paid through", async () => {
    const key = await shop.service.key({ mode: "live" })
    const refused = await pay((await link(key))["slug"])
    expect([refused.status, refused.body["error"]]).toEqual([400, "provider_session_not_configured"])
  })
})

/** A key that is bound to the first cashier. */
const ofFirst = ({ service, organizationId, cashier }: Live) =>
  service.key({ organizationId, mode: "live", connectionId: cashier.id })
