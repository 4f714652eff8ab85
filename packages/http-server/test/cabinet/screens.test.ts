/** Every screen of an organization in a real browser: at both widths, in both themes and all languages. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`screens of the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  it("has its screens in every theme and language, on a phone and on a desk", async () => {
    const { service, owner, organizationId, enter, make } = world
    const id = await make(15_000)
    const address = { url: "http://localhost:9/hooks" }
    const made = await as(service, owner, "POST", `/panel/orgs/${organizationId}/webhook-endpoints`, address)
    const hook = String(made.body["id"])
    const paths = [
      "",
      "/charge",
      "/invoices",
      `/invoices/${id}`,
      "/cashiers",
      "/keys",
      "/team",
      "/settings",
      "/more",
      "/webhooks",
      `/webhooks/${hook}`
    ]
    const languages = ["kk", "ru", "en"]
    for (const [turn, width] of [360, 1280].entries()) {
      const visitor = await enter(owner, organizationId, { width, touch: width === 360 })
      const { page } = visitor
      for (const [index, path] of [...paths, "welcome", "profile"].entries()) {
        const colorScheme = (index + turn) % 2 === 0 ? "light" : "dark"
        const language = languages[(index + turn) % 3]
        await page.emulateMedia({ colorScheme })
        await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"${language}"}'`)
        const place = path.startsWith("/") || path === "" ? `${organizationId}${path}` : path
        await page.goto(`${service.url}/cabinet/${place}`)
        await page.locator("h1").first().waitFor()
        const waiting = page.locator('[aria-busy="true"], [aria-hidden="true"][class*="skeleton"]')
        await expect.poll(() => waiting.count(), { timeout: 30_000 }).toBe(0)
        await fits(page, [place, width, colorScheme, language].join(" "))
      }
      expect(visitor.troubles).toEqual([])
      await visitor.close()
    }
  })
})
