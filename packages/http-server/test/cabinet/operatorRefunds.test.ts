/** An operator asks the provider again about a refund of which it has not told, in a real browser. */
import { Engine } from "@tolem/core/engine/Engine"
import { chromiumPath, needsChromium, type OpenBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "../live/cashier.ts"
import { fits, openScreen } from "../support/cabinet.ts"
import { logIn, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`refunds in the console${needsChromium}`, () => {
  let world: Live
  let browser: OpenBrowser
  let operator: Person
  beforeAll(async () => {
    world = await live(2000)
    browser = await openBrowser()
    operator = await logIn(world.service, "77000000093")
    const { operators } = await world.service.run(Engine)
    await world.service.run(operators.grant(operator.phone))
    await fetch(`${world.service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it("are asked about for a reason, and are gone from the list once the provider has told", async () => {
    const made = await world.create({ amount: 5000, customer: { phone: "77770001122" } })
    world.pay(made)
    await world.look(made)
    world.fault("refund", { kind: "drop", done: true })
    await world.refund(made, { amount: 1200 })

    const screen = await openScreen(browser, world.service.url, operator, "operator/work/refund_unknown", {
      width: 360
    })
    const { page, close } = screen
    await page.clock.setFixedTime(world.service.time.now)
    await page.reload()
    const main = page.getByRole("main")
    const rows = main.getByRole("listitem")
    await rows.filter({ hasText: /1\s200\s₸/ }).waitFor()
    expect(await main.textContent()).not.toContain("77770001122")
    await fits(page, "unknown refunds")
    await rows.getByRole("button", { name: "Ask the provider again" }).press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Reason").fill("too short")
    await dialog.getByRole("button", { name: "Ask the provider again" }).press("Enter")
    await dialog.getByText("The reason must have 10 to 300 characters").waitFor()
    await fits(page, "a question")
    await dialog.getByLabel("Reason").fill("The merchant calls: their customer waits")
    await dialog.getByRole("button", { name: "Ask the provider again" }).press("Enter")
    await page.getByText("The provider says: it was made").waitFor()
    await page.getByRole("heading", { name: "Nothing of this kind" }).waitFor()
    expect((await world.read(made)).body["refunds"]).toMatchObject([{ amount: 1200, status: "succeeded" }])
    expect(screen.troubles.filter((text) => !/status of 422/.test(text))).toEqual([])
    await close()
  })
})
