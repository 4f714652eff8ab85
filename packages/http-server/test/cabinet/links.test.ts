/** Payment links and form hooks in a real browser: from the form of a merchant to the money of a customer. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, join, logIn } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`links and forms in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld({ agents: true })
  })
  afterAll(() => world?.stop())

  it("an owner makes a link before their eyes, a customer pays, and it shows in its statistics", async () => {
    const { organizationId, owner, enter, service } = world
    const visitor = await enter(owner, `${organizationId}/links`, { width: 1280 })
    const { page } = visitor
    await page.getByText("No links yet").waitFor()
    await page.getByRole("button", { name: "New link" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "New link" })
    const preview = dialog.getByRole("figure")
    await dialog.getByRole("button", { name: "New link" }).click()
    await dialog.getByText("Write what is paid for.").waitFor()
    await dialog.getByLabel("Title").fill("Yoga in the park")
    await preview.getByText("Yoga in the park").waitFor()
    await preview.getByText("Dastarkhan").waitFor()
    await dialog.getByLabel("Amount, ₸").fill("3000")
    await preview.getByText(/^3.000.₸$/).waitFor()
    await dialog.getByText("The customer types it").click()
    await dialog.getByLabel("Amounts to choose from").fill("1000; 3000")
    await preview.getByText("Another amount").waitFor()
    await dialog.getByText("One amount").click()
    await dialog.getByLabel("Name").selectOption("Required")
    await preview.getByText("Name", { exact: true }).waitFor()
    await dialog.getByLabel("End of the address").fill("NO")
    await fits(page, "editor")
    await page.keyboard.press("Enter")
    await dialog.getByText("slug must be 3 to 64", { exact: false }).waitFor()
    await dialog.getByLabel("End of the address").fill("yoga")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Yoga in the park" }).waitFor()
    await page.getByText("No invoice was made here in the last 30 days.").waitFor()

    const customer = await world.browser.visitor({ width: 360, touch: true })
    await customer.page.goto(`${service.url}/l/yoga?lang=en`)
    await customer.page.getByRole("heading", { name: "Yoga in the park" }).waitFor()
    await customer.page.getByLabel("Name").fill("Aliya")
    await customer.page.getByRole("button", { name: "Go to the payment" }).click()
    await customer.page.waitForURL(/\/pay\/inv_/)
    const [, id = ""] = /\/pay\/(inv_\w+)/.exec(customer.page.url()) ?? []
    await customer.page
      .getByText(/3.000.₸/)
      .first()
      .waitFor()
    await customer.close()
    const simulate = `/panel/orgs/${organizationId}/invoices/${id}/simulate?mode=sandbox`
    expect((await as(service, owner, "POST", simulate, { status: "paid" })).status).toBe(200)

    await page.reload()
    const told = page.getByRole("region", { name: "Last 30 days" })
    await told.locator("canvas").waitFor()
    await told
      .locator("dl")
      .getByText(/^3.000.₸$/)
      .waitFor()
    await told.locator("summary").press("Enter")
    await expect.poll(() => told.locator("tbody tr").count()).toBe(30)
    expect(await told.locator("tbody tr").first().textContent()).toMatch(/1113.000.₸0.₸$/)
    await fits(page, "link")

    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText("Paused", { exact: true }).waitFor()
    expect((await fetch(`${service.url}/l/yoga`, { headers: { accept: "application/json" } })).status).toBe(410)
    await page.getByRole("button", { name: "Resume" }).click()
    await page.getByText("Open", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Change" }).click()
    const change = page.getByRole("dialog", { name: "Change" })
    await change.getByLabel("Title").fill("Yoga by the river")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: "Yoga by the river" }).waitFor()
    expect(visitor.troubles.filter((text) => !/status of 422/.test(text))).toEqual([])
    await visitor.close()
  })

  it("its poster is one sheet of paper with the code and the address, in either size", async () => {
    const { organizationId, owner, enter, service } = world
    const made = { title: "Tea", amount: 500, slug: "tea-time" }
    const answer = await as(service, owner, "POST", `/panel/orgs/${organizationId}/payment-links`, made)
    const visitor = await enter(owner, `${organizationId}/links/${answer.body["id"]}`, { width: 360, touch: true })
    const { page } = visitor
    await page.getByRole("heading", { level: 1, name: "Tea" }).waitFor()
    const card = page.getByRole("region", { name: "Poster" })
    for (const [size, points] of [
      ["A4", [595, 842]],
      ["A6", [298, 420]]
    ] as const) {
      const path = (await card.getByRole("link", { name: `Poster ${size}` }).getAttribute("href")) ?? ""
      const poster = await world.browser.visitor({ width: 1280 })
      await poster.page.goto(`${service.url}${path}`)
      await poster.page.emulateMedia({ media: "print" })
      await poster.page.getByText("tea-time", { exact: false }).waitFor()
      await poster.page.getByRole("img").first().waitFor()
      await expect.poll(() => poster.page.getByRole("navigation").count()).toBe(0)
      const file = (await poster.page.pdf({ preferCSSPageSize: true })).toString("latin1")
      expect(file.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
      const [, width, height] = /\/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)/.exec(file) ?? []
      expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual(points)
      expect(poster.troubles).toEqual([])
      await poster.close()
    }
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "link on a phone")
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/links$/)
    await expect.poll(() => page.getByText("tea-time", { exact: false }).count()).toBe(0)
    expect(visitor.troubles.filter((text) => !/status of 422/.test(text))).toEqual([])
    await visitor.close()
  })

  it("a developer makes a form hook, sees why a bad form was refused, and has a good one make an invoice", async () => {
    const { organizationId, enter, service } = world
    const developer = await logIn(service, "77015550015")
    await join(service, organizationId, developer, "developer")
    const visitor = await enter(developer, `${organizationId}/forms`, { width: 1280 })
    const { page } = visitor
    await page.getByText("No form hooks yet").waitFor()
    await page.getByRole("button", { name: "New form hook" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "New form hook" })
    await dialog.getByLabel("Name", { exact: true }).fill("Order form")
    await dialog.getByLabel("Sites that the form may be on").fill("https://shop.kz/order")
    await page.keyboard.press("Tab")
    await dialog.getByRole("button", { name: "New form hook" }).click()
    await page.getByRole("heading", { level: 1, name: "Order form" }).waitFor()
    await page.getByText("No form was refused in the last 7 days.").waitFor()
    const snippet = await page.getByRole("textbox", { name: "Form for your site" }).inputValue()
    const [, address = ""] = /action="([^"]+)\?redirect=1"/.exec(snippet) ?? []
    expect(snippet).toContain('<input name="website" tabindex="-1" autocomplete="off" hidden>')

    const post = (fields: Record<string, string>, site: string) =>
      fetch(`${service.url}${new URL(address).pathname}`, {
        method: "POST",
        body: new URLSearchParams(fields),
        headers: { origin: site }
      })
    expect((await post({ summa: "1500", name: "Secret Person" }, "https://shop.kz")).status).toBe(422)
    expect((await post({ amount: "1500" }, "https://other.kz")).status).toBe(403)
    const log = page.getByRole("region", { name: "Refused forms" })
    const rows = log.getByRole("listitem")
    await rows.nth(1).waitFor()
    await rows.first().getByText("The form is on a site that you have not named.").waitFor()
    await rows.first().getByText("from https://other.kz", { exact: false }).waitFor()
    await rows.nth(1).getByText("amount: invalid_amount").waitFor()
    await rows.nth(1).getByText("fields: summa, name", { exact: false }).waitFor()
    expect(await page.content()).not.toContain("Secret Person")
    await log.getByLabel("Newest first").selectOption({ index: 1 })
    await expect.poll(() => rows.count()).toBe(1)
    await fits(page, "form hook")

    const trial = page.getByRole("region", { name: "Try it" })
    await trial.getByLabel("Phone").fill("12")
    await trial.getByRole("button", { name: "Send the form" }).click()
    await trial.getByText("Refused:", { exact: false }).waitFor()
    await trial.getByLabel("Phone").fill("8 701 123 45 67")
    await trial.getByRole("button", { name: "Send the form" }).click()
    await trial.getByRole("link", { name: /^inv_/ }).click()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/invoices\/inv_\w+$/)
    await page
      .getByText(/1.500.₸/)
      .first()
      .waitFor()
    expect(visitor.troubles.filter((text) => !/status of 422/.test(text))).toEqual([])
    await visitor.close()
  })

  it("accountants see them, and change none; cashiers see neither", async () => {
    const { organizationId, enter, service } = world
    const accountant = await logIn(service, "77015550016")
    await join(service, organizationId, accountant, "accountant")
    const visitor = await enter(accountant, `${organizationId}/links`, { width: 1280 })
    const { page } = visitor
    await page.getByRole("link", { name: "Yoga by the river" }).click()
    await page.getByRole("region", { name: "Last 30 days" }).locator("canvas").waitFor()
    expect(await page.getByRole("button", { name: "Change" }).count()).toBe(0)
    await visitor.close()
    const cashier = await logIn(service, "77015550017")
    await join(service, organizationId, cashier, "cashier")
    const other = await enter(cashier, `${organizationId}/forms`, { width: 360 })
    await other.page.getByText("Your role lacks the right to this action.").waitFor()
    await other.close()
  })
})
