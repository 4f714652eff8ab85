/** Customers of a shop's own site, which is not the server's: they send its form, mend it, pay and return. */
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
import { type FormShop, openShop } from "./support/formShop.ts"

describe.skipIf(chromiumPath === null)(`the customers of a shop with a form${needsChromium}`, () => {
  let service: Service
  let shop: FormShop
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
