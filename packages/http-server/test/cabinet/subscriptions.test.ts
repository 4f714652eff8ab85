/** Subscriptions in a real browser: found, run at once, paused, resumed and cancelled; one that is stuck says why. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, join, logIn, type Person } from "../support/people.ts"
import { sandboxTroubles } from "../support/troubles.ts"

describe.skipIf(chromiumPath === null)(`subscriptions in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let manager: Person
  beforeAll(async () => {
    world = await cabinetWorld()
    manager = await logIn(world.service, "77015550002")
    await join(world.service, world.organizationId, manager, "manager")
  })
  afterAll(() => world?.stop())

  it("a manager finds one, runs it at once, sees the invoice, pauses, resumes and cancels it", async () => {
    const { enter, organizationId, service } = world
    const body = { amount: 4990, description: "Yoga by the month", dayOfMonth: 5, customer: { name: "Aliya" } }
    const made = await as(service, manager, "POST", `/panel/orgs/${organizationId}/subscriptions`, body)
    expect(made.status).toBe(201)
    const { page, troubles, close } = await enter(manager, `${organizationId}/subscriptions`, { width: 1280 })
    await page.getByText("every month on the 5th at 10:00").waitFor()
    await fits(page, "list")
    await page.getByLabel("Status", { exact: true }).selectOption("paused")
    await page.getByText("Nothing found").waitFor()
    expect(page.url()).toContain("status=paused")
    await page.getByRole("button", { name: "Clear" }).click()
    await page.getByLabel("Search").fill("ALIYA")
    await expect.poll(() => page.url()).toContain("search=ALIYA")
    await page.getByRole("link", { name: "Yoga by the month" }).press("Enter")
    await page.getByRole("heading", { level: 1, name: "Yoga by the month" }).waitFor()
    await page.getByText("No invoice was made yet.").waitFor()
    expect(await page.getByRole("region", { name: "Next dates" }).getByRole("listitem").count()).toBe(5)

    await page.getByRole("button", { name: "Make an invoice now" }).press("Enter")
    const runs = page.getByRole("region", { name: "Runs" })
    await runs.getByText("out of schedule").waitFor()
    await fits(page, "page")
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText("Paused", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByText("Active", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Cancel subscription" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "Cancel subscription" })
    await fits(page, "cancelling")
    await dialog.getByRole("button", { name: "Cancel subscription" }).click()
    await page.getByText("Cancelled", { exact: true }).waitFor()
    await expect.poll(() => page.getByRole("button", { name: "Make an invoice now" }).count()).toBe(0)
    await runs.getByRole("link", { name: /4.990.₸/ }).click()
    await page.waitForURL(/\/invoices\/inv_/)
    expect(troubles).toEqual([])
    await close()
  })

  it("a manager makes one, sees its dates before, is told what is wrong, and changes it", async () => {
    const { enter, organizationId, service } = world
    const { page, troubles, close } = await enter(manager, `${organizationId}/subscriptions`, { width: 1280 })
    await page.getByRole("button", { name: "New subscription" }).press("Enter")
    const making = page.getByRole("dialog", { name: "New subscription" })
    await making.getByRole("button", { name: "New subscription" }).click()
    await making.getByText("Write an amount.").waitFor()
    expect(await page.evaluate("document.activeElement.name")).toBe("amount")
    await making.getByLabel("Amount, ₸").fill("12500")
    await making.getByLabel("What for").fill("Gym")
    await making.getByLabel("Payment").selectOption("phone")
    await making.getByLabel("Day of the month").fill("15")
    const dates = making.getByRole("region", { name: "Next dates" }).getByText(/^15 .+ at 10:00$/)
    await expect.poll(() => dates.count()).toBe(5)
    await making.getByText("More", { exact: true }).click()
    await making.getByLabel("How many invoices").fill("3")
    await expect.poll(() => dates.count()).toBe(3)
    await making.getByRole("button", { name: "New subscription" }).click()
    expect(await page.evaluate("document.activeElement.name")).toBe("phone")
    await fits(page, "making")
    await making.getByLabel("Phone").fill("8 701 111 22 33")
    await making.getByLabel("Every").fill("77")
    await making.getByRole("button", { name: "New subscription" }).click()
    await expect.poll(() => making.getByLabel("Every").getAttribute("aria-invalid")).toBe("true")
    await making.getByLabel("Every").fill("2")
    await making.getByRole("button", { name: "New subscription" }).click()
    await page.getByRole("heading", { level: 1, name: "Gym" }).waitFor()
    await page.getByText("+7 701 111 22 33").waitFor()
    const [, id = ""] = /subscriptions\/(sub_\w+)/.exec(page.url()) ?? []
    const one = `/panel/orgs/${organizationId}/subscriptions/${id}`
    const made = await as(service, manager, "GET", one)
    expect(made.body).toMatchObject({ amount: 12_500, kind: "phone", every: 2, dayOfMonth: 15, maxRuns: 3 })

    await as(service, manager, "PATCH", one, { customer: { name: "Aliya" } })
    await page.getByRole("button", { name: "Change" }).click()
    const changing = page.getByRole("dialog", { name: "Change" })
    await changing.getByLabel("Amount, ₸").fill("13 000,50")
    await changing.getByLabel("Payment").selectOption("qr")
    await changing.getByLabel("Period").selectOption("week")
    await changing.getByLabel("Next date", { exact: true }).fill("2027-06-01T18:30")
    await changing.getByText("1 June 2027 at 18:30").waitFor()
    await changing.getByRole("button", { name: "Save" }).click()
    await page.getByText("every 2 weeks on Tuesdays at 18:30").first().waitFor()
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Change")
    const { body } = await as(service, manager, "GET", one)
    expect(body).toMatchObject({ amount: 13_000.5, interval: "week", dayOfMonth: null, maxRuns: 3 })
    // What another person has written meanwhile is left as it is.
    expect(body["customer"]).toMatchObject({ name: "Aliya", phone: "77011112233" })
    expect(troubles.filter((each) => !each.includes("422"))).toEqual([])
    await close()
  })

  it("one that is stuck says why on a phone, and what needs attention leads there", async () => {
    const { enter, organizationId, owner, service } = world
    await service.run(sandboxTroubles(organizationId, Date.now()))
    const view = { width: 360, touch: true, dark: true }
    const { page, troubles, close } = await enter(owner, organizationId, view)
    await page.getByRole("link", { name: "Milk each week" }).click()
    const stuck = page.getByRole("region", { name: "The next invoice cannot be made" })
    await stuck.getByText("There is no cashier that works.", { exact: false }).waitFor()
    await stuck.getByRole("link", { name: "Cashiers" }).click()
    await page.waitForURL(/\/cashiers/)
    await page.goBack()
    await stuck.waitFor()
    await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"kk"}'`)
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Milk each week" }).waitFor()
    await fits(page, "stuck in Kazakh")
    await page.goto(`${service.url}/cabinet/${organizationId}/subscriptions?stuck=1`)
    await page.getByRole("link", { name: "Milk each week" }).waitFor()
    await fits(page, "list in Kazakh")
    await page.getByRole("button", { name: "Жаңа жазылым" }).click()
    await page
      .getByRole("dialog")
      .getByText(/ сағат | 1[0-9]:| 2[0-9]:| 0[0-9]:/)
      .first()
      .waitFor()
    await fits(page, "making in Kazakh")
    expect(troubles).toEqual([])
    await close()
  })

  it("an accountant sees in the calendar which invoices a day brings, and opens one of them", async () => {
    const { enter, service } = world
    const { body } = await as(service, manager, "POST", "/panel/orgs", { name: "Courses" })
    const organizationId = String(body["id"])
    const accountant = await logIn(service, "77015550003")
    await join(service, organizationId, accountant, "accountant")
    for (const description of ["English", "Chess"]) {
      const monthly = { amount: 5000, description, dayOfMonth: 5 }
      await as(service, manager, "POST", `/panel/orgs/${organizationId}/subscriptions`, monthly)
    }
    const view = { width: 1280 }
    const { page, troubles, close } = await enter(accountant, `${organizationId}/subscriptions`, view)
    await page.getByRole("button", { name: "Calendar" }).press("Enter")
    await expect
      .poll(() => page.getByRole("button", { name: "Month before" }).getAttribute("aria-disabled"))
      .toBe("true")
    await page.getByRole("button", { name: "Next month" }).press("Enter")
    const calendar = page.getByRole("region", { name: "Calendar" })
    await calendar.getByText(/^invoices: 2 · 10.000.₸$/).waitFor()
    await fits(page, "calendar")
    const due = calendar.getByRole("button", { name: /^5 .+10.000.₸\s*invoices: 2$/ })
    await due.press("Enter")
    const dialog = page.getByRole("dialog", { name: /^5 / })
    await dialog.getByText("every month on the 5th at 10:00").first().waitFor()
    await fits(page, "day")
    await page.setViewportSize({ width: 360, height: 740 })
    await fits(page, "day on a phone")
    await page.keyboard.press("Escape")
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toMatch(/invoices: 2$/)
    await fits(page, "calendar on a phone")
    await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"kk"}'`)
    await page.reload()
    await page.getByRole("button", { name: /шоттар: 2$/ }).click()
    await page.getByRole("link", { name: "Chess" }).click()
    await page.getByRole("heading", { level: 1, name: "Chess" }).waitFor()
    await page.goBack()
    await page.getByRole("link", { name: "English" }).waitFor()
    expect(troubles).toEqual([])
    await close()
  })
})
