/** An owner connects a cashier in a real browser, over a simulated bank. */
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "../live/cashier.ts"
import { openScreen } from "../support/cabinet.ts"
import { logIn } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`an owner connects a cashier${needsChromium}`, () => {
  let world: Live
  let browser: OpenBrowser
  beforeAll(async () => {
    world = await live(2000)
    browser = await openBrowser()
    // Here the cabinet is built if it is not, which takes its time.
    await fetch(`${world.service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it("by name, phone and code, and switches one off and on again", async () => {
    const { service, organizationId } = world
    const person = await logIn(service, "77000000001")
    const visitor = await openScreen(browser, service.url, person, `${organizationId}/cashiers`)
    const { page, troubles, close } = visitor
    await page.getByText("Works", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Connect a cashier" }).click()
    await page.getByLabel("Name").press("Enter")
    await page.getByText("Fill this in.").waitFor()
    await page.getByLabel("Name").fill("Till 2")
    await page.keyboard.press("Enter")
    await page.getByLabel("Phone").fill("701000")
    await page.keyboard.press("Enter")
    await page.getByText("Enter all ten digits after +7.").waitFor()
    await page.getByLabel("Phone").fill("7010000002")
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.getByLabel("Code").fill("000000")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("The code is wrong.").waitFor()
    await page.getByLabel("Code").fill("111111")
    await page.keyboard.press("Enter")
    await page.getByText("The cashier is connected").waitFor()
    const row = page.getByRole("listitem").filter({ hasText: "Till 2" })
    await row.getByText("Works", { exact: true }).waitFor()
    await row.getByRole("button", { name: "Change: Till 2" }).click()
    await page.getByRole("menuitem", { name: "Switch off" }).click()
    await row.getByText("Off", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await row.getByText("Off", { exact: true }).waitFor({ state: "detached" })
    expect(await violationsOf(page)).toEqual([])
    expect(troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await close()
  })
})
