/**
 * Every page that customers see, in every state: nothing that axe finds, nothing that is cut off, nothing that the
 * policy keeps out, no error. Languages, colours and widths take turns; `npm run test:slow` looks at all of each.
 */
import { Engine } from "@tolem/core/engine/Engine"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { chromiumPath, needsChromium, openBrowser, type Visitor, violationsOf } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import { call } from "../support/calls.ts"
import { type Key, type Service, start } from "../support/service.ts"

const widths = [320, 360, 768, 1280] as const
const themes = ["light", "dark"] as const

const code = { qrUrl: "https://pay.example.kz/q/1", deepLink: "bank-app://pay/1" }
const phone = { name: null, phone: "77011234567", email: null }

/** Words of names and values that are cut in two although a line has room for them. */
const cutWords = `[
  ...document.querySelectorAll(".facts *, .until *, .timer *, .button, .contact *, h1, label")
].flatMap((element) =>
  [...element.childNodes].filter(({ nodeType }) => nodeType === 3).flatMap((text) =>
    [...text.data.matchAll(/[^ \\n]+/g)].flatMap(({ 0: word, index }) => {
      const range = new Range()
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = [...range.getClientRects()]
      const width = lines.reduce((sum, line) => sum + line.width, 0)
      const room = element.closest(".facts, .until, .timer, .button, .contact, h1, form").clientWidth
      return new Set(lines.map(({ top }) => Math.round(top))).size > 1 && width <= room ? [word] : []
    })
  )
)`

/** Invoices that a pay page tells of, by what it tells. */
const invoicesAt = (now: number): Readonly<Record<string, Partial<Invoice>>> => {
  const open = { ...code, status: "pending", expiresAt: now + 170_000, updatedAt: now } as const
  const paid = { ...code, status: "paid", paidAt: now, receiptNumber: "00000017", expiresAt: now } as const
  const origin = { kind: "payment-link", id: `lnk_${"1".repeat(26)}` } as const
  return {
    preparing: { status: "new", stage: "asked" },
    scan: { ...open, description: "Екі кофе мен тәтті нан", externalOrderId: "A-1001" },
    "scan in the sandbox": { ...open, mode: "sandbox" },
    scanned: { ...open, scannedAt: now },
    app: { ...open, kind: "phone", qrUrl: null, deepLink: null, expiresAt: now + 80_000_000, customer: phone },
    "opened in the app": { ...open, kind: "phone", qrUrl: null, deepLink: null, scannedAt: now, customer: phone },
    overdue: { ...open, expiresAt: now - 1000 },
    paid,
    "paid, and led back": { ...paid, successUrl: "https://shop.example.kz/thanks" },
    "paid late": { ...paid, late: true },
    failed: { ...open, status: "failed", failUrl: "https://shop.example.kz/sorry" },
    expired: { ...open, status: "expired" },
    renewable: { ...open, status: "expired", stage: "made", origin, validUntil: now + 3_600_000 } as Partial<Invoice>,
    cancelled: { ...open, status: "cancelled" },
    refunded: { ...paid, status: "refunded", refunded: 150_000 } as Partial<Invoice>,
    "refunded in part": { ...paid, status: "partially_refunded", refunded: 50_000 } as Partial<Invoice>
  }
}

describe.skipIf(chromiumPath === null)(`pages of customers${needsChromium}`, () => {
  let service: Service
  let key: Key
  let browser: Awaited<ReturnType<typeof openBrowser>>
  let looks: number
  /** Opens each page in a language. */
  const ways = new Map<string, (page: Visitor["page"], language: string) => Promise<unknown>>()

  const at = (name: string, path: string) =>
    ways.set(name, (page, language) => page.goto(`${service.url}${path}?lang=${language}&stay=1`))

  const postLink = async (body: object) => {
    const made = await call(service, "POST", "/api/v1/payment-links", { key, body: { title: "Жоға сабағы", ...body } })
    return `/l/${made.body["slug"]}`
  }

  beforeAll(async () => {
    service = await start({ settings: { pagesPerMinute: 1e9 } })
    key = await service.key()
    browser = await openBrowser()
    const { profiles } = await service.run(Engine)
    const contact = { phone: "77001234567", whatsapp: "77007654321", email: "shop@example.kz", address: "Алматы" }
    const { organizationId } = key
    await service.run(profiles.change(organizationId, { name: "«Ақбота»", colour: "#d0021b", contact }))
    for (const [name, members] of Object.entries(invoicesAt(Date.now()))) {
      const creation = creationOf({ organizationId, ...members })
      await service.run(InvoiceStore.use((store) => store.insertMany([creation])))
      at(name, `/pay/${creation.invoice.id}`)
      if (creation.invoice.paidAt !== null) at(`receipt: ${name}`, `/receipts/${creation.invoice.id}`)
      if (creation.invoice.mode === "sandbox") at("bank", `/pay/${creation.invoice.id}/bank`)
    }
    const fields = { name: "optional", phone: "required", email: "optional", comment: "optional" }
    at("link", await postLink({ amount: 3000, description: "Балаларға арналған" }))
    const open = await postLink({ presets: [500, 1000, 5000], minAmount: 100, fields })
    at("link with fields", open)
    ways.set("link that came back", async (page, language) => {
      await page.goto(`${service.url}${open}?lang=${language}`)
      await page.locator("form .button").click()
      await page.getByRole("alert").waitFor()
    })
    at("paused link", await postLink({ status: "paused" }))
    at("no link", "/l/nothing-is-here")
    at("no invoice", `/pay/inv_${"0".repeat(26)}`)
    const hook = await call(service, "POST", "/api/v1/form-hooks", { key, body: { name: "Form" } })
    at("form hook", `/f/${hook.body["id"]}`)
    ways.set("form that came back", async (page, language) => {
      const action = `${service.url}/f/${hook.body["id"]}?redirect=1&lang=${language}`
      await page.goto("about:blank")
      await page.setContent(`<form method="post" action="${action}"><input name="amount" value="x"><button>`)
      await page.locator("button").click()
      await page.waitForURL(/\/f\//)
    })
    ways.set("documentation", (page, language) => page.goto(`${service.url}/docs/${language === "en" ? "en" : "ru"}`))
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** What is wrong with the page at all widths and in all colours, or, by axe, at one width in one colour. */
  const faultsOf = async (page: Visitor["page"], turn: number, isWhole: boolean) => {
    const faults: Array<string> = []
    for (const [index, width] of widths.entries()) {
      await page.setViewportSize({ width, height: 740 })
      if (!(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))) faults.push(`${width}: cut off`)
      const cut = await page.evaluate<ReadonlyArray<string>>(cutWords)
      if (cut.length > 0) faults.push(`${width}: cut in two: ${cut.join(", ")}`)
      for (const colorScheme of isWhole ? themes : [themes[(turn >> 2) % 2]!]) {
        if (!isWhole && (turn + index) % widths.length > 0) continue
        await page.emulateMedia({ colorScheme })
        faults.push(...(await violationsOf(page)).map((one) => `${width} ${colorScheme}: ${one}`))
        looks += 1
      }
    }
    return faults
  }

  it("are whole for everybody: at every width, by day and by night, in every language", async () => {
    const isWhole = inject("isWhole")
    const { page, troubles, close } = await browser.visitor()
    const faults: Array<string> = []
    looks = 0
    for (const [turn, [name, open]] of [...ways].entries()) {
      for (const language of isWhole ? languages : [languages[turn % languages.length]!]) {
        await open(page, language)
        expect([name, await page.evaluate("document.documentElement.lang")]).toEqual([
          name,
          name === "documentation" && language === "kk" ? "ru" : language
        ])
        faults.push(...(await faultsOf(page, turn, isWhole)).map((one) => `${name}, ${language}, ${one}`))
      }
    }
    expect(faults).toEqual([])
    // What answers 404 or 422 is no trouble of the page.
    expect(troubles.filter((line) => !/status of 4(04|10|22)/.test(line))).toEqual([])
    await close()
    expect(looks).toBe(ways.size * (isWhole ? 24 : 1))
  }, 900_000)
})
