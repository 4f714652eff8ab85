/** Customers of a shop's own site, which is not the server's: they send its form, mend it, pay and return. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  type Visitor,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import { hookTextsOf } from "../../src/pages/texts/HookTexts.ts"
import { textsOf } from "../../src/pages/texts/Translations.ts"
import { call } from "../support/calls.ts"
import { type Key, type Service, start } from "../support/service.ts"

/** A site with a form on each page, which is sent to the address behind its path. */
const openShop = async () => {
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? "", "http://shop").searchParams.get("to")
    response.setHeader("content-type", "text/html; charset=utf-8")
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><h1>Shop</h1>
      <form method="post" action="${to}"><input name="amount"><input name="phone"><input name="website">
      <button>Buy</button></form>`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

describe.skipIf(chromiumPath === null)(`the customers of a shop with a form${needsChromium}`, () => {
  let service: Service
  let shop: Awaited<ReturnType<typeof openShop>>
  let key: Key
  let browser: OpenBrowser
  beforeAll(async () => {
    service = await start({ settings: { pagesPerMinute: 1e9 } })
    key = await service.key()
    shop = await openShop()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
    await service?.stop()
  })

  const hookWith = async (body: object = {}) => {
    const { body: made } = await call(service, "POST", "/api/v1/form-hooks", { key, body: { name: "Form", ...body } })
    return String(made["id"])
  }
  /** Fills in the shop's form, and sends it. */
  const buy = async (page: Visitor["page"], hook: string, fields: Readonly<Record<string, string>>) => {
    const to = encodeURIComponent(`${service.url}/f/${hook}?redirect=1&lang=en`)
    await page.goto(`${shop.url}/?to=${to}`)
    for (const [name, text] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(text)
    await page.getByRole("button", { name: "Buy" }).click()
  }
  it("mend a form that came back, pay, and return to the shop, with scripts or without", async () => {
    const successUrl = `${shop.url}/thanks?invoice={INVOICE_ID}&status={STATUS}`
    const hook = await hookWith({ successUrl, allowedOrigins: [shop.url], honeypot: "website" })
    for (const scripts of [true, false]) {
      const { page, close } = await browser.visitor({ scripts })
      await buy(page, hook, { amount: "three thousand", phone: "123" })
      await page.getByRole("heading", { name: hookTextsOf("en").mend.title }).waitFor()
      expect(await page.getByLabel("Amount, ₸").inputValue()).toBe("three thousand")
      await page.getByLabel("Amount, ₸").fill("₸3\u00a0500,50")
      await page.getByLabel("Phone").fill("8 701 123-45-67")
      await page.getByRole("button", { name: "Go to the payment" }).click()
      await page.waitForURL(/\/pay\/inv_/)
      const id = new URL(page.url()).pathname.slice(-30)
      const { body } = await call(service, "GET", `/api/v1/invoices/${id}`, { key })
      expect(body).toMatchObject({ amount: 3500.5, customer: { phone: "77011234567" } })
      if (!scripts) await page.getByRole("button", { name: textsOf("en").showCode }).click()
      await page.getByRole("img", { name: textsOf("en").qrLabel }).waitFor()
      await call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key, body: { status: "paid" } })
      await page.waitForURL(`${shop.url}/thanks?invoice=${id}&status=paid`)
      await close()
    }
  })

  it("are told in words where no form is taken: of another site, while paused, by opening the address", async () => {
    const { page, close } = await browser.visitor()
    const { refusals, explained } = hookTextsOf("en")
    await buy(page, await hookWith({ allowedOrigins: ["https://shop.kz"] }), { amount: "5" })
    await page.getByRole("heading", { name: String(refusals.form_refused?.title) }).waitFor()
    await buy(page, await hookWith({ status: "paused" }), { amount: "5" })
    await page.getByRole("heading", { name: String(refusals.hook_paused?.title) }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.goto(`${service.url}/f/${await hookWith()}?lang=en`)
    await page.getByRole("heading", { name: explained.title }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await buy(page, await hookWith({ failUrl: `${shop.url}/sorry` }), { amount: "x" })
    await page.waitForURL(`${shop.url}/sorry?error=invalid_amount`)
    await close()
  })

  it("read the form in each language, on every width, by day and by night", async () => {
    const { page, troubles, close } = await browser.visitor()
    await buy(page, await hookWith(), { amount: "0", phone: "123" })
    const views = {
      kk: [320, "dark", 1280, "light"],
      ru: [360, "light", 768, "dark"],
      en: [320, "light", 1280, "dark"]
    } as const
    for (const language of languages) {
      await page.getByRole("button", { name: textsOf(language).name }).click()
      await page.getByRole("heading", { name: hookTextsOf(language).mend.title }).waitFor()
      const [narrow, first, wide, second] = views[language]
      for (const [width, colorScheme] of [
        [narrow, first],
        [wide, second]
      ] as const) {
        await page.setViewportSize({ width, height: 740 })
        await page.emulateMedia({ colorScheme })
        expect(await violationsOf(page), `${language} ${width} ${colorScheme}`).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      }
    }
    // A refusal is no trouble of the page.
    expect(troubles.filter((line) => !line.includes("status of 422"))).toEqual([])
    await close()
  })
})
