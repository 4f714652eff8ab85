/** The documentation in a real browser: wide and narrow, light and dark, with and without scripts. */
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type Service, start } from "../support/service.ts"

/** One of each kind of page. */
const kinds = ["", "/forms", "/webhooks", "/api-invoices", "/errors", "/states"]

const views = [
  { view: { width: 320 }, language: "en", of: "even" },
  { view: { width: 360, dark: true, touch: true }, language: "ru", of: "odd" },
  { view: { width: 768 }, language: "ru", of: "odd" },
  { view: { width: 1280, height: 900, dark: true }, language: "en", of: "even" }
]

describe.skipIf(chromiumPath === null)(`the documentation in a browser${needsChromium}`, () => {
  let service: Service
  let browser: OpenBrowser
  beforeAll(async () => {
    service = await start()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  it.each(views)("keeps to $view.width pixels, to its policy, and to what axe asks, in $language", async (given) => {
    const { page, troubles, close } = await browser.visitor(given.view)
    for (const [number, kind] of kinds.entries()) {
      // Each page by day and by night, narrow and wide; `npm run test:slow` has each in each view.
      const isHere = given.of === "even" ? number % 2 === 0 : number % 2 === 1
      if (!isHere && !inject("isWhole")) continue
      await page.goto(`${service.url}/docs/${given.language}${kind}`)
      const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
      expect([kind, wide]).toEqual([kind, 0])
      expect([kind, await violationsOf(page)]).toEqual([kind, []])
    }
    expect(troubles).toEqual([])
    await close()
  })

  it("is one request, and loads its index at the first search only", async () => {
    const { page, troubles, close } = await browser.visitor({ width: 1280 })
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${service.url}/docs`)
    expect(asked.filter((path) => path !== "/favicon.ico")).toEqual(["/docs"])
    await page.keyboard.press("/")
    await page.keyboard.type("refund_unknown")
    await page.getByRole("search").getByRole("link", { name: "What can go wrong" }).waitFor()
    expect(asked).toContain("/docs/en/search.json")
    await page.getByRole("search").getByRole("link", { name: "What can go wrong" }).click()
    await page.waitForURL(/\/docs\/en\/refunds#what-can-go-wrong$/)
    await page.getByRole("searchbox").fill("no such words anywhere")
    await page.getByText("Nothing found").waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it("copies an example with one click", async () => {
    const { page, troubles, close } = await browser.visitor()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    await page.goto(`${service.url}/docs/en/quickstart`)
    await page.getByRole("button", { name: "Copy" }).nth(1).click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^curl -sS "[^"]*\/api\/v1\/invoices" \\\n/)
    expect(troubles).toEqual([])
    await close()
  })

  it("is read without scripts: text, menu and variants of examples, and no search", async () => {
    const { page, close } = await browser.visitor({ scripts: false, locale: "ru" })
    await page.goto(`${service.url}/docs`)
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Tölem для разработчиков")
    expect(await page.getByRole("searchbox").isVisible()).toBe(false)
    await page.getByText("Все страницы").click()
    await page.getByRole("navigation", { name: "Все страницы" }).getByRole("link", { name: "Вебхуки" }).first().click()
    await page.getByText("Python", { exact: true }).click()
    expect(await page.getByText("hmac.compare_digest").isVisible()).toBe(true)
    await page.getByRole("link", { name: "English" }).click()
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Webhooks")
    await close()
  })

  it("has a console to try calls, one click away", async () => {
    const { page, troubles, close } = await browser.visitor({ width: 1280 })
    await page.goto(`${service.url}/docs/en/api`)
    await page.getByRole("link", { name: "Console to try calls" }).click()
    await page.getByText("Create an invoice").first().waitFor()
    expect(troubles).toEqual([])
    await close()
  })
})
