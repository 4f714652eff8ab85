/** Every screen of an organization in a real browser: at both widths, in both themes and all languages. */
import { HandOver } from "@tolem/core/mail/Mailer"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits, goOn } from "../support/cabinet.ts"
import { as } from "../support/people.ts"
import { liveTroubles, pausedUrl, sandboxTroubles } from "../support/troubles.ts"

describe.skipIf(chromiumPath === null)(`screens of the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld({ mailer: { send: () => Effect.succeed(HandOver.Taken()) } })
  })
  afterAll(() => world?.stop())

  it("has its screens in every theme and language, on a phone and on a desk", async () => {
    const { service, owner, organizationId, enter, make } = world
    const id = await make(15_000)
    const address = { url: "http://localhost:9/hooks" }
    const made = await as(service, owner, "POST", `/panel/orgs/${organizationId}/webhook-endpoints`, address)
    const hook = String(made.body["id"])
    const orgs = `/panel/orgs/${organizationId}`
    const asked = { title: "Yoga", presets: [1000, 3000], fields: { name: "required" }, maxPayments: 20 }
    const link = await as(service, owner, "POST", `${orgs}/payment-links`, asked)
    const monthly = { amount: 4990, description: "Yoga", dayOfMonth: 5 }
    const subscription = await as(service, owner, "POST", `${orgs}/subscriptions`, monthly)
    const form = await as(service, owner, "POST", `${orgs}/form-hooks`, { name: "Order form" })
    const paths = [
      "",
      "/charge",
      "/invoices",
      `/invoices/${id}`,
      "/bulk",
      "/reports",
      "/cashiers",
      "/keys",
      "/team",
      "/settings",
      "/developers",
      "/reconciliation?mode=live",
      "/refunds?mode=live",
      "/notifications?mode=live",
      "/clients",
      "/tariff",
      "/journal",
      "/links",
      `/links/${link.body["id"]}`,
      "/subscriptions",
      `/subscriptions/${subscription.body["id"]}`,
      "/forms",
      `/forms/${form.body["id"]}`,
      "/developers?mode=live",
      "/more",
      "/webhooks",
      `/webhooks/${hook}`
    ]
    const places = [...paths.map((path) => `${organizationId}${path}`), "welcome", "profile"]
    for (const [turn, width] of [360, 1280].entries()) {
      const visitor = await enter(owner, organizationId, { width, touch: width === 360 })
      const { page } = visitor
      for (const [shift, language] of ["kk", "ru", "en"].entries()) {
        await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"${language}"}'`)
        await page.goto(`${service.url}/cabinet/profile`)
        await page.locator("h1").first().waitFor()
        for (const [index, place] of places.entries()) {
          if ((index + turn) % 3 !== shift) continue
          // Each place on a phone, and some on a desk; `npm run test:slow` looks at all of them there.
          if (width > 360 && index % 6 !== 0 && !inject("isWhole")) continue
          const colorScheme = (index + turn) % 2 === 0 ? "light" : "dark"
          await page.emulateMedia({ colorScheme })
          await goOn(page, place)
          const waiting = page.locator('[aria-busy="true"], [aria-hidden="true"][class*="skeleton"]')
          await expect.poll(() => waiting.count()).toBe(0)
          const view = [place, width, colorScheme, language].join(" ")
          expect([view, await page.evaluate("document.documentElement.lang")]).toEqual([view, language])
          await fits(page, view)
        }
      }
      expect(visitor.troubles).toEqual([])
      await visitor.close()
    }
  })

  it("draws what came in by day, tells of the day that is pointed at, and has the same as a table", async () => {
    const { service, owner, organizationId, enter, make } = world
    const id = await make(12_300)
    const invoice = `/panel/orgs/${organizationId}/invoices/${id}`
    expect((await as(service, owner, "POST", `${invoice}/simulate`, { status: "paid" })).status).toBe(200)
    const { page, troubles, close } = await enter(owner, organizationId, { width: 360, touch: true })
    await page.goto(`${service.url}/cabinet/${organizationId}`)
    const chart = page.locator("main figure")
    await chart.locator("canvas").waitFor()
    const { width = 0, height = 0 } = (await chart.locator(".u-over").boundingBox()) ?? {}
    // The last of seven days.
    await chart.locator(".u-over").hover({ position: { x: width - 5, y: height / 2 } })
    await chart
      .locator("figcaption")
      .getByText(/12.300.₸$/)
      .waitFor()
    await chart.locator("summary").click()
    await chart
      .locator("tbody tr")
      .first()
      .getByText(/12.300.₸/)
      .waitFor()
    await expect.poll(() => chart.locator("tbody tr").count()).toBe(7)
    // Drawn anew in the other colours, and as wide as there is room.
    await page.emulateMedia({ colorScheme: "dark" })
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(async () => (await chart.locator("canvas").boundingBox())?.width).toBeGreaterThan(width + 100)
    expect(troubles).toEqual([])
    await close()
  })

  it("loads ahead while it is asked who is logged in, and asks at once what needs attention", async () => {
    const { service, owner, organizationId, enter } = world
    const { page, troubles, close } = await enter(owner, "profile")
    const hold = async (pathname: string) => {
      const gate = Promise.withResolvers<void>()
      await page.route(
        (url) => url.pathname === pathname,
        async (route) => {
          await gate.promise
          await route.continue()
        }
      )
      return gate.resolve
    }
    const goOnAsPerson = await hold("/panel/session")
    const goOnInside = await hold(`/panel/orgs/${organizationId}`)
    const application = page.waitForRequest(/\/assets\/App-[^/]*\.js$/)
    const attention = page.waitForResponse(/\/attention\?/)
    await page.goto(`${service.url}/cabinet/${organizationId}`, { waitUntil: "commit" })
    await application
    goOnAsPerson()
    await attention
    expect(await page.getByRole("heading", { name: /^Tariff/ }).count()).toBe(0)
    goOnInside()
    await page.getByRole("heading", { name: /^Tariff/ }).waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it("shows a screen with words of its own in one piece", async () => {
    const { service, owner, organizationId, enter } = world
    const { page, troubles, runFirst, close } = await enter(owner, "profile")
    await runFirst(`
      const look = () => {
        if (document.querySelector("main") && !document.querySelector("h1")) globalThis.wasEmpty = true
      }
      new MutationObserver(look).observe(document, { childList: true, subtree: true })
    `)
    for (const path of ["reports", "tariff", "journal", "links", "forms", "webhooks", "developers", "clients"]) {
      await page.goto(`${service.url}/cabinet/${organizationId}/${path}`)
      await page.getByRole("heading", { level: 1 }).waitFor()
      expect([path, await page.evaluate("globalThis.wasEmpty")]).toEqual([path, undefined])
    }
    expect(troubles).toEqual([])
    await close()
  })

  it("has what needs attention and letters in every theme and language, on a phone and on a desk", async () => {
    const { service, owner, enter } = world
    const { body } = await as(service, owner, "POST", "/panel/orgs", { name: "Dukan" })
    const organizationId = String(body["id"])
    const invoices = `/panel/orgs/${organizationId}/invoices`
    const email = "customer@mail.example.kz"
    const { body: invoice } = await as(service, owner, "POST", invoices, { amount: 1500, customer: { email } })
    await as(service, owner, "POST", `${invoices}/${invoice["id"]}/simulate`, { status: "paid" })
    await service.run(sandboxTroubles(organizationId, Date.now()))
    await service.run(liveTroubles(organizationId, Date.now()))
    const places = [
      { path: `${organizationId}?mode=sandbox`, text: new URL(pausedUrl).host, kinds: 5 },
      { path: `${organizationId}/invoices/${invoice["id"]}`, text: email, kinds: 0 },
      { path: `${organizationId}?mode=live`, text: "Till by the door", kinds: 2 }
    ]
    for (const width of [360, 1280]) {
      const visitor = await enter(owner, organizationId, { width, touch: width === 360 })
      const { page } = visitor
      for (const [shift, language] of ["kk", "ru", "en"].entries()) {
        await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"${language}"}'`)
        await page.goto(`${service.url}/cabinet/profile`)
        await page.locator("h1").first().waitFor()
        for (const [index, { path, text, kinds }] of places.entries()) {
          // Each place in one of the languages; `npm run test:slow` looks at all.
          if (index !== shift && !inject("isWhole")) continue
          await goOn(page, path)
          await page.getByText(text).first().waitFor()
          await expect.poll(() => page.locator("main li[data-severity]").count()).toBe(kinds)
          // A letter is read.
          if (kinds === 0) await page.locator("summary").filter({ hasText: email }).click()
          for (const [turn, colorScheme] of (["light", "dark"] as const).entries()) {
            // On a phone in one theme, on a desk in the other; `npm run test:slow` has both there.
            if ((index + Number(width > 360)) % 2 !== turn && !inject("isWhole")) continue
            await page.emulateMedia({ colorScheme })
            await fits(page, [path, width, language, colorScheme].join(" "))
          }
        }
      }
      expect(visitor.troubles).toEqual([])
      await visitor.close()
    }
  })
})
