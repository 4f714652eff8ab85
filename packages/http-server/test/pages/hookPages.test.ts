/** What a person sees who sends a form: it comes back as a page, in their language, to be mended and sent again. */
import { defaults } from "@tolem/core/engine/Settings"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import { hookTextsOf } from "../../src/pages/texts/HookTexts.ts"
import { call } from "../support/calls.ts"
import { type Key, type Service, start } from "../support/service.ts"
import { attributeOf, contentOf, expectPage, linksOf, readable } from "./support/markup.ts"

let service: Service
let key: Key
beforeAll(async () => {
  const visitors = {
    ...defaults.visitors,
    invoicesPerMinute: 1e9,
    invoicesOfOnePerMinute: 1e9,
    invoicesOfOrganizationPerMinute: 1e9
  }
  service = await start({ now: Date.UTC(2026, 0, 10, 7), settings: { pagesPerMinute: 1e9, visitors } })
  key = await service.key()
})
afterAll(() => service.stop())

const hookWith = async (body: object = {}): Promise<string> => {
  const made = await call(service, "POST", "/api/v1/form-hooks", { key, body: { name: "Order form", ...body } })
  expect(made.status).toBe(201)
  return String(made.body["id"])
}
const person = { accept: "text/html,application/xhtml+xml,*/*;q=0.8", "accept-language": "en" }

/** Sends a form as a browser does that goes where it is sent. */
const send = async (hook: string, fields: object, more: { query?: string; headers?: Record<string, string> } = {}) => {
  const { query = "?redirect=1", headers = {} } = more
  const body = new URLSearchParams(Object.entries(fields))
  const sent = { method: "POST", body, redirect: "manual", headers: { ...person, ...headers } } as const
  const answer = await fetch(`${service.url}/f/${hook}${query}`, sent)
  const { status, headers: got } = answer
  return { status, headers: got, text: await answer.text(), location: got.get("location") ?? "" }
}
const open = async (hook: string, headers: Record<string, string> = person) => {
  const answer = await fetch(`${service.url}/f/${hook}?lang=en`, { headers })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const invoices = async () => Number((await call(service, "GET", "/api/v1/invoices", { key })).body["total"])
const countOf = async (hook: string) =>
  Number((await call(service, "GET", `/api/v1/form-hooks/${hook}`, { key })).body["caught"])

describe("a form that a person sends", () => {
  const wrong = { sum: "три тысячи", phone: "123", email: "nobody", name: 'Әлия "&<b>', comment: "x".repeat(101) }

  it("comes back in their language, filled in, with all that is wrong beside its fields", async () => {
    const hook = await hookWith()
    const before = await invoices()
    for (const language of languages) {
      const texts = hookTextsOf(language)
      const page = await send(hook, { ...wrong, lang: language }, { headers: { "accept-language": "de" } })
      expect(page.status).toBe(422)
      expectPage(page, language)
      expect(contentOf(page.text, "h1")).toBe(texts.mend.title)
      const read = readable(page.text)
      for (const fault of Object.entries(texts.faults)) {
        expect(read.includes(String(fault[1])), fault[0]).toBe(fault[0] !== "invalid_customer")
      }
      expect(page.text.match(/aria-invalid="true"/g)).toHaveLength(4)
      expect(page.text.match(/ autofocus/g)).toHaveLength(1)
      expect(page.text).toContain('value="три тысячи"')
      expect(page.text).toContain('value="Әлия &quot;&amp;&lt;b&gt;"')
      expect(attributeOf(page.text, "action")).toBe(`?redirect=1&lang=${language}`)
    }
    const ownLanguage = await send(hook, { amount: "0" }, { headers: { "accept-language": "ru" } })
    expect(readable(ownLanguage.text)).toContain("Наименьшая сумма – 1")
    expect(ownLanguage.text).not.toContain('id="email"')
    const other = await send(hook, { amount: "5" }, { query: "?redirect=1&draft=1&lang=kk" })
    expect([other.status, contentOf(other.text, "h1")]).toEqual([200, hookTextsOf("kk").mend.title])
    expect(await invoices()).toBe(before)
    const mended = await send(hook, { amount: "3 500 ₸", lang: "ru" })
    expect([mended.status, mended.location]).toEqual([302, expect.stringMatching(/\/pay\/inv_\w{26}\?lang=ru$/)])
    expect(await invoices()).toBe(before + 1)
  })

  it("goes back to the seller's own page with the code, if there is one", async () => {
    const hook = await hookWith({ failUrl: "https://shop.kz/form?a=1&i={INVOICE_ID}&s={STATUS}#top" })
    const sent = await send(hook, { amount: "x" })
    expect([sent.status, sent.location]).toEqual([303, "https://shop.kz/form?a=1&i=&s=failed&error=invalid_amount#top"])
    expect((await send(hook, { amount: "7" })).status).toBe(302)
  })

  it("is answered with a page while its hook is paused, at no hook, and where it cannot be read", async () => {
    const paused = await hookWith({ status: "paused", failUrl: "https://shop.kz/form" })
    const texts = hookTextsOf("en")
    const refused = await send(paused, { amount: "x" })
    expect([refused.status, contentOf(refused.text, "h1")]).toEqual([410, texts.refusals.hook_paused?.title])
    const program = await fetch(`${service.url}/f/${paused}`, {
      method: "POST",
      body: new URLSearchParams({ amount: "5" })
    })
    expect([program.status, Object(await program.json()).error]).toEqual([410, "hook_paused"])
    expect((await send("hok_nobody", { amount: "5" })).status).toBe(404)
    const strange = { method: "POST", body: "{}", headers: { ...person, "content-type": "text/plain" } }
    const unread = await fetch(`${service.url}/f/${paused}`, strange)
    expect(contentOf(await unread.text(), "h1")).toBe(texts.refusals.form_required?.title)
  })

  it("makes one invoice however often it is sent within half a minute, and another one afterwards", async () => {
    const hook = await hookWith()
    const twice = { amount: "10", name: "Dana" }
    const [first, ...others] = await Promise.all(Array.from({ length: 6 }, () => send(hook, twice)))
    expect(new Set(others.map(({ location }) => location))).toEqual(new Set([first?.location]))
    service.time.now += 14_000
    expect((await send(hook, twice)).location).toBe(first?.location)
    expect((await send(hook, { ...twice, name: "Aliya" })).location).not.toBe(first?.location)
    expect((await send(hook, twice, { headers: { "user-agent": "another" } })).location).not.toBe(first?.location)
    expect((await send(await hookWith(), twice)).location).not.toBe(first?.location)
    const id = first?.location.slice(-30)
    const program = { accept: "application/json" }
    expect((await send(hook, twice, { headers: program })).location).not.toBe(first?.location)
    await call(service, "POST", `/api/v1/invoices/${id}/cancel`, { key })
    const after = await send(hook, twice)
    expect(after.location).not.toBe(first?.location)
    service.time.now += 31_000
    expect((await send(hook, twice)).location).not.toBe(after.location)
  })

  it("makes an invoice for each of two people behind one address who do not say who they are", async () => {
    const hook = await hookWith()
    const sent = await Promise.all([1, 2].map(() => send(hook, { amount: "500", comment: "tea" })))
    expect(new Set(sent.map(({ location }) => location)).size).toBe(2)
    for (const said of [{ phone: "+7 701 123 45 67" }, { email: "a@b.kz" }]) {
      const same = await Promise.all([1, 2].map(() => send(hook, { amount: "500", ...said })))
      expect(new Set(same.map(({ location }) => location)).size).toBe(1)
    }
  })
})

describe("a form hook's guards", () => {
  it("take forms of the sites that it names, of its own pages, and of what is no browser", async () => {
    const hook = await hookWith({ allowedOrigins: ["https://shop.kz", "http://localhost:9"] })
    const from = async (headers: Record<string, string>) => (await send(hook, { amount: "5" }, { headers })).status
    expect(await from({ origin: "https://shop.kz" })).toBe(302)
    expect(await from({ referer: "https://shop.kz/form?a=1" })).toBe(302)
    expect(await from({})).toBe(302)
    expect(await from({ origin: service.settings.baseUrl })).toBe(302)
    expect(await from({ origin: "null", "sec-fetch-site": "same-origin" })).toBe(302)
    for (const strange of ["https://evil.example", "http://shop.kz", "https://shop.kz.evil.example", "null"]) {
      expect(await from({ origin: strange, referer: "https://shop.kz/" })).toBe(403)
      expect(await from({ origin: strange, "sec-fetch-site": "cross-site" })).toBe(403)
    }
    expect(await from({ referer: "https://evil.example/" })).toBe(403)
    expect(await from({ origin: "null" })).toBe(403)
    const page = await send(hook, { amount: "x" }, { headers: { origin: "https://evil.example" } })
    expect(contentOf(page.text, "h1")).toBe(hookTextsOf("en").refusals.form_refused?.title)
    const script = { origin: "https://evil.example", accept: "*/*" }
    const told = await send(hook, { amount: "5" }, { headers: script })
    expect([told.status, JSON.parse(told.text).error]).toEqual([403, "form_refused"])
  })

  it("catch what fills in the field that people do not see: it is told that all went well", async () => {
    const hook = await hookWith({ honeypot: "website" })
    const before = await invoices()
    const caught = await send(hook, { amount: "5", website: "https://spam.example" })
    expect([caught.status, caught.location]).toEqual([302, expect.stringMatching(/\/pay\/inv_[0-9a-z]{26}$/)])
    const script = { accept: "*/*" }
    const told = await send(hook, { amount: "x", website: "y" }, { headers: script, query: "" })
    expect([told.status, JSON.parse(told.text)]).toMatchObject([200, { ok: true }])
    expect((await fetch(`${service.url}/pay/${JSON.parse(told.text).invoiceId}`)).status).toBe(404)
    expect(await countOf(hook)).toBe(2)
    expect(await invoices()).toBe(before)
    expect((await send(hook, { amount: "5", website: " " })).status).toBe(302)
    expect(await invoices()).toBe(before + 1)
  })
})

describe("the server itself", () => {
  it("is a page for people who open it, and nothing for programs", async () => {
    for (const path of ["/", "/panel"]) {
      for (const language of languages) {
        const answer = await fetch(`${service.url}${path}?lang=${language}`, { headers: person })
        const page = { status: answer.status, headers: answer.headers, text: await answer.text() }
        expect(page.status).toBe(200)
        expectPage(page, language)
        const [docs] = linksOf(page.text)
        expect((await fetch(`${service.url}${docs}`)).status).toBe(200)
      }
      expect((await fetch(`${service.url}${path}`)).status).toBe(404)
    }
  })
})

describe("the address of a hook", () => {
  it("tells people who open it what it is for, and programs that it is to be posted to", async () => {
    const hook = await hookWith()
    const page = await open(hook)
    expect([page.status, contentOf(page.text, "h1")]).toEqual([200, hookTextsOf("en").explained.title])
    expectPage(page, "en")
    expect((await open(hook, { accept: "*/*" })).status).toBe(405)
    expect((await open("hok_nobody")).status).toBe(404)
    expect((await open(await hookWith({ status: "paused" }))).status).toBe(410)
    expect((await fetch(`${service.url}/f/${hook}`, { method: "HEAD", headers: person })).status).toBe(200)
  })
})
