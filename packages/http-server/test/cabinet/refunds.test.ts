/** Refunds over all invoices in a real browser: unclear ones are found, asked about, and resolved by hand. */
import { readFileSync } from "node:fs"
import { chromiumPath, needsChromium, type OpenBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "../live/cashier.ts"
import { fits, openScreen } from "../support/cabinet.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`refunds in the cabinet${needsChromium}`, () => {
  let world: Live
  let browser: OpenBrowser
  let manager: Person
  let accountant: Person
  beforeAll(async () => {
    world = await live(2000)
    browser = await openBrowser()
    manager = await logIn(world.service, "77000000091")
    accountant = await logIn(world.service, "77000000092")
    await join(world.service, world.organizationId, manager, "manager")
    await join(world.service, world.organizationId, accountant, "accountant")
    await fetch(`${world.service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  /** A paid invoice that is given back: the bank does it, or not, and says so, or not. */
  const refunded = async (amount: number, fault: { readonly done: boolean } | null) => {
    const made = await world.create({ amount: 5000, externalOrderId: `A-${amount}` })
    world.pay(made)
    await world.look(made)
    if (fault !== null) world.fault("refund", { kind: "drop", ...fault })
    const { body } = await world.refund(made, { amount })
    expect(body["error"]).toBe(fault === null ? undefined : "refund_unknown")
    return made
  }

  const open = async (person: Person, view: object = {}) => {
    const screen = await openScreen(browser, world.service.url, person, `${world.organizationId}/refunds`, view)
    await screen.page.clock.setFixedTime(world.service.time.now)
    await screen.page.reload()
    return screen
  }

  it("are seen over all invoices; an unclear one is asked about, another is said to be made, a third not", async () => {
    await refunded(100, null)
    await refunded(200, { done: true })
    await refunded(300, { done: false })
    await refunded(400, { done: false })
    const { page, troubles, close } = await open(manager, { width: 1280 })
    const unclear = page.getByRole("region", { name: "Unclear" })
    const rows = unclear.getByRole("listitem")
    await expect.poll(() => rows.count()).toBe(3)
    await rows
      .filter({ hasText: "Order A-200" })
      .getByText(/it is asked again/)
      .waitFor()
    const all = page.getByRole("region", { name: "All refunds" }).getByRole("listitem")
    await expect.poll(() => all.count()).toBe(4)
    await page.getByRole("region", { name: "Sums by status" }).getByText("Unclear: 3").waitFor()
    await fits(page, "refunds")

    // The bank had made it, and only its answer was lost.
    await rows.filter({ hasText: "Order A-200" }).getByRole("button", { name: "Ask the bank now" }).click()
    await page.getByText("The bank has answered").waitFor()
    await expect.poll(() => rows.count()).toBe(2)

    const dialog = page.getByRole("dialog", { name: /^What became of/ })
    await rows.filter({ hasText: "Order A-300" }).getByRole("button", { name: "Say what happened" }).press("Enter")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("Choose one of the two").waitFor()
    await dialog.getByLabel("The money was given back").check()
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("Copy the number from the bank's application").waitFor()
    await dialog.getByLabel("The bank's number of the refund").fill("8841-22")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("Write at least 3 characters").waitFor()
    await fits(page, "said to be made")
    await dialog.getByLabel("How you found out").fill("Seen in the bank's application")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    await expect.poll(() => rows.count()).toBe(1)
    await all.filter({ hasText: "Order A-300" }).getByText("No. 8841-22").waitFor()

    // Another manager has said it meanwhile, and something else.
    await rows.first().getByRole("button", { name: "Say what happened" }).click()
    await dialog.getByLabel("The money was not given back").check()
    await dialog.getByLabel("How you found out").fill("Not in the list of the bank")
    const { body } = await as(
      world.service,
      manager,
      "GET",
      `/panel/orgs/${world.organizationId}/refunds?status=unknown`
    )
    const path = `/panel/orgs/${world.organizationId}/refunds/${body["refunds"]?.[0]?.["id"]}/resolve`
    const said = { made: true, reference: "77-1", note: "Found it" }
    expect(outcomeOf(await as(world.service, manager, "POST", path, said))).toBe("200")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByText("Something else is known of this refund by now").waitFor()
    await page.keyboard.press("Escape")
    await unclear.waitFor({ state: "detached" })
    expect(troubles.filter((each) => !each.includes("409"))).toEqual([])
    await close()
  })

  it("are narrowed down by status and time, on a phone, by those who may only look", async () => {
    await refunded(450, { done: false })
    const { page, troubles, close } = await open(accountant, { width: 360, touch: true, dark: true })
    const unclear = page.getByRole("region", { name: "Unclear" })
    await unclear.getByRole("button", { name: "Ask the bank now" }).waitFor()
    expect(await unclear.getByRole("button", { name: "Say what happened" }).count()).toBe(0)
    await page.getByLabel("Status", { exact: true }).selectOption("succeeded")
    const all = page.getByRole("region", { name: "All refunds" }).getByRole("listitem")
    await expect.poll(() => all.count()).toBe(4)
    expect(page.url()).toContain("status=succeeded")
    // What the filter lets through is taken along.
    const file = page.waitForEvent("download")
    await page.getByRole("link", { name: "Download as a table" }).click()
    const download = await file
    expect(download.suggestedFilename()).toBe(`tolem-${world.organizationId}-refunds-live.csv`)
    expect(
      readFileSync(await download.path(), "utf8")
        .trim()
        .split("\r\n")
    ).toHaveLength(5)
    await fits(page, "on a phone")
    await page.getByLabel("To", { exact: true }).fill("2020-01-01")
    await page.getByText("No refunds").waitFor()
    await page.getByRole("button", { name: "Reset" }).click()
    await expect.poll(() => all.count()).toBe(5)
    await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"kk"}'`)
    await page.reload()
    await page.getByRole("heading", { name: "Қайтарымдар" }).waitFor()
    await fits(page, "in Kazakh")
    expect(troubles).toEqual([])
    await close()
  })
})
