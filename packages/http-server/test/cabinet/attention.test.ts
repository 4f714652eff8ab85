/** What needs attention, on the overview in a browser: each thing says what to do, and leads to where it is done. */
import { after } from "@tolem/core/connection/Connection"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { chromiumPath, needsChromium, type OpenBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "../live/cashier.ts"
import { fits, openScreen } from "../support/cabinet.ts"
import { as, join, logIn, type Person } from "../support/people.ts"
import { sandboxTroubles } from "../support/troubles.ts"

describe.skipIf(chromiumPath === null)(`what needs attention${needsChromium}`, () => {
  let world: Live
  let browser: OpenBrowser
  let owner: Person
  beforeAll(async () => {
    world = await live()
    browser = await openBrowser()
    owner = await logIn(world.service, "77000000001")
    // Here the cabinet is built if it is not, which takes its time.
    await fetch(`${world.service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  const panel = (method: string, path: string, body?: object) =>
    as(world.service, owner, method, `/panel/orgs/${world.organizationId}${path}?mode=sandbox`, body)

  const makeTroubles = () => world.service.run(sandboxTroubles(world.organizationId, world.service.time.now))

  it("says what is so and what to do, and leads to where it is done", async () => {
    const { service, organizationId } = world
    const overview = `${organizationId}?mode=sandbox`
    const visitor = await openScreen(browser, service.url, owner, overview, { width: 360, touch: true })
    const { page } = visitor
    const card = page.getByRole("region", { name: "Needs attention" })
    const kind = (text: string) => card.getByRole("listitem").filter({ has: page.getByText(text, { exact: true }) })
    const told = page.waitForResponse(/\/attention\?/)
    await page.reload()
    await told
    await page.getByRole("heading", { name: /^Tariff/ }).waitFor()
    expect(await card.count()).toBe(0)
    const id = await makeTroubles()
    await page.reload()
    await card.waitFor()
    await fits(page, "attention")

    const late = kind("Money came after its invoice had ended")
    await late.getByText("Deliver what was paid for, or give the money back.").waitFor()
    await late.getByText(/^700\s₸/).waitFor()
    await late.getByRole("link", { name: "order 7" }).click()
    await page.getByRole("heading", { name: /^Invoice of 700\s₸$/ }).waitFor()
    await page.goBack()

    await kind("A webhook rests after failures").getByRole("link", { name: "shop.example/hooks" }).click()
    await page.getByRole("heading", { name: "shop.example/hooks" }).waitFor()
    await page.goBack()

    // Three are named, and the others counted.
    const lost = kind("Messages did not arrive")
    await lost.getByText("and 2 more").waitFor()
    await expect.poll(() => lost.getByRole("link").count()).toBe(3)
    await lost.getByRole("link").first().click()
    await page.getByRole("heading", { name: "shop.example/hooks" }).waitFor()
    expect(new URL(page.url()).searchParams.get("status")).toBe("failed")
    await page.goBack()

    const stuck = kind("A subscription cannot charge")
    await stuck
      .getByText(/cashier/i)
      .first()
      .waitFor()
    await stuck.getByRole("link", { name: "Milk each week" }).click()
    await page.getByRole("heading", { name: /Milk each week/ }).waitFor()

    // What was given back needs no attention any more.
    await panel("POST", `/invoices/${id}/refund`, { amount: 700 })
    await page.goto(`${service.url}/cabinet/${overview}`)
    await card.waitFor()
    await late.waitFor({ state: "detached" })
    for (const [language, colorScheme, width] of [
      ["kk", "dark", 1280],
      ["ru", "light", 360]
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"${language}"}'`)
      await page.reload()
      await page.getByText("shop.example/hooks").first().waitFor()
      await fits(page, ["attention", language, colorScheme, width].join(" "))
    }
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("is of the mode that is looked at, and of what the person may see", async () => {
    const { service, organizationId } = world
    await world.service.run(
      Effect.gen(function* () {
        const store = yield* ConnectionStore
        const found = Option.getOrThrow(yield* store.find(organizationId, world.cashier.id))
        yield* store.replace(after(found, { _tag: "SessionLost" }, world.service.time.now))
      })
    )
    const visitor = await openScreen(browser, service.url, owner, `${organizationId}?mode=live`, { width: 1280 })
    const { page } = visitor
    const card = page.getByRole("region", { name: "Needs attention" })
    await card.getByRole("link", { name: "Till" }).click()
    await page.getByRole("listitem").filter({ hasText: "Session lost" }).waitFor()
    await world.login()
    await page.goBack()
    await page.getByRole("heading", { name: /^Tariff/ }).waitFor()
    await card.waitFor({ state: "detached" })
    expect(visitor.troubles).toEqual([])
    await visitor.close()
    // Who sees no webhooks is told of none, but of refunds.
    const cashier = await logIn(service, "77015550300")
    await join(service, organizationId, cashier, "cashier")
    const other = await openScreen(browser, service.url, cashier, "profile")
    const told = other.page.waitForResponse(/\/attention\?/)
    await other.page.goto(`${service.url}/cabinet/${organizationId}?mode=sandbox`)
    const { kinds } = await (await told).json()
    expect(kinds).toEqual([expect.objectContaining({ kind: "refund_unknown" })])
    await other.page.getByRole("heading", { name: /^Tariff/ }).waitFor()
    expect(await other.page.getByText("shop.example/hooks").count()).toBe(0)
    expect(other.troubles).toEqual([])
    await other.close()
  })
})
