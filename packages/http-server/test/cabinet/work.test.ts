/** A merchant's work in the cabinet, in a real browser: the first three minutes, the till, refunds, keys, the team. */
import { defaults } from "@tolem/core/engine/Settings"
import { chromiumPath, needsChromium, type OpenBrowser, type Visitor } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits, giveCode } from "../support/cabinet.ts"
import { as, type Person } from "../support/people.ts"
import type { Service } from "../support/service.ts"

const { codes } = defaults.login
// A code is no longer fresh soon, so that what takes one asks for it.
const freshMs = 5000

describe.skipIf(chromiumPath === null)(`a merchant works in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let service: Service
  let browser: OpenBrowser
  let owner: Person
  let organizationId: string
  let enter: CabinetWorld["enter"]
  let make: CabinetWorld["make"]
  beforeAll(async () => {
    world = await cabinetWorld({
      settings: { login: { ...defaults.login, freshMs, codes: { ...codes, waitMs: 1, perAddress: 1e9 } } }
    })
    ;({ service, browser, owner, organizationId, enter, make } = world)
  })
  afterAll(() => world?.stop())

  // The browser itself logs each answer that refuses.
  const unexpected = ({ troubles }: Visitor) => troubles.filter((text) => !/status of 4\d\d/.test(text))

  it("from registration to the first payment, with the keyboard alone", async () => {
    const visitor = await browser.visitor()
    const { page } = visitor
    const { keyboard } = page
    await page.goto(`${service.url}/cabinet/join`)
    await page.getByLabel("Phone").waitFor()
    await keyboard.type("7015550100")
    await keyboard.press("Tab")
    await keyboard.type("Aliya")
    await keyboard.press("Enter")
    await page.getByRole("heading", { name: "Enter the code" }).waitFor()
    await keyboard.type(service.codes.get("77015550100") ?? "")
    await page.getByRole("heading", { name: "Open your organization" }).waitFor()
    await fits(page, "welcome")
    await keyboard.press("Enter")
    await page.getByText("Enter a name.").waitFor()
    await keyboard.type("Aliya's bakery")
    await keyboard.press("Tab")
    await keyboard.type("123")
    await keyboard.press("Enter")
    await page.getByText("It has 12 digits.").first().waitFor()
    await keyboard.type("456789012")
    await keyboard.press("Tab")
    await keyboard.type("NOSUCHCODE")
    await keyboard.press("Enter")
    await page.getByText("The referral code is unknown.").waitFor()
    await keyboard.press("Control+A")
    await keyboard.press("Delete")
    await keyboard.press("Enter")
    await page.getByRole("heading", { name: "Your first payment, in three steps" }).waitFor()
    await fits(page, "home")
    await page.getByRole("link", { name: "Enter an amount" }).focus()
    await keyboard.press("Enter")
    await page.getByLabel("Amount").waitFor()
    await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Amount")
    await keyboard.type("12500,50")
    await keyboard.press("Enter")
    await page.getByRole("dialog", { name: /Till: 12\s500,50\s₸/ }).waitFor()
    await page.getByRole("img", { name: "QR code of the payment" }).waitFor()
    await fits(page, "offer")
    await page.getByRole("button", { name: "Pretend that it is paid" }).focus()
    await keyboard.press("Enter")
    await page.getByRole("button", { name: "Next customer" }).waitFor()
    await fits(page, "paid")
    await keyboard.press("Enter")
    await page.getByText(/12\s500,50\s₸ received, 1/).waitFor()
    expect(unexpected(visitor)).toEqual([])
    await visitor.close()
  })

  it("hears at the till of a payment that comes elsewhere, by the stream, also after a reload", async () => {
    const visitor = await enter(owner, `${organizationId}/charge`, { touch: true })
    const { page } = visitor
    await page.getByRole("button", { name: "4", exact: true }).click()
    await page.getByRole("button", { name: "00", exact: true }).click()
    await page.getByRole("button", { name: "Erase the last digit" }).click()
    await page.getByLabel("Comment").fill("Samsa")
    await page.getByRole("button", { name: /^Charge 40\s₸$/ }).click()
    await page.getByText("Scan to pay").waitFor()
    const id = new URL(page.url()).searchParams.get("invoice")
    const listening = page.waitForResponse(/\/changes$/)
    await page.reload()
    await listening
    await page.getByText("Scan to pay").waitFor()
    const path = `/panel/orgs/${organizationId}/invoices/${id}/simulate`
    await as(service, owner, "POST", path, { status: "paid" })
    await page.locator('dialog[data-status="paid"]').waitFor()
    await page.getByRole("button", { name: "Next customer" }).click()
    await page.getByRole("link", { name: /Samsa/ }).click()
    await page.getByRole("heading", { name: /^Invoice of 40\s₸$/ }).waitFor()
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("finds invoices by words and status, which stand in the address, and gives a part back", async () => {
    for (let serial = 1; serial <= 27; serial++) await make(serial * 10, serial === 7 ? "paid" : "expired")
    const visitor = await enter(owner, `${organizationId}/invoices`, { width: 1280 })
    const { page } = visitor
    const rows = page.locator("tbody tr")
    await rows.first().waitFor()
    await expect.poll(() => rows.count()).toBe(25)
    await page.getByRole("button", { name: "Show more" }).click()
    await expect.poll(() => rows.count()).toBeGreaterThan(27)
    await page.getByLabel("Status").selectOption({ label: "Paid" })
    await expect.poll(() => new URL(page.url()).search).toBe("?status=paid")
    // What was there before is paler until they come.
    await expect.poll(() => rows.count()).toBeLessThan(25)
    await fits(page, "invoices")
    await page.getByLabel("Search").fill("no such thing")
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor()
    expect(new URL(page.url()).searchParams.get("search")).toBe("no such thing")
    await page.goto(`${service.url}/cabinet/${organizationId}/invoices?status=paid`)
    await page
      .getByRole("row")
      .filter({ hasText: /\s70\s₸|^70|70\s₸/ })
      .getByRole("link")
      .click()
    await page.getByRole("button", { name: "Give money back" }).click()
    const dialog = page.getByRole("dialog", { name: "Give money back" })
    await dialog.getByLabel("Amount, ₸").fill("71")
    await page.keyboard.press("Enter")
    await dialog.getByText(/Enter an amount up to 70/).waitFor()
    await dialog.getByLabel("Amount, ₸").fill("20,5")
    await dialog.getByLabel(/^Reason/).fill("One was cold")
    await fits(page, "refund")
    await dialog.getByRole("button", { name: /Give back 20,50/ }).click()
    await page.getByText("Refunded in part").first().waitFor()
    await page.getByText(/One was cold/).waitFor()
    await fits(page, "invoice")
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("makes a key that is shown once, after a fresh code, and deletes it once its name is typed", async () => {
    const { phone } = owner
    const isFresh = async () => {
      const { body } = await as(service, owner, "GET", "/panel/session")
      return Date.parse(String(body["session"]?.["freshUntil"])) > Date.now()
    }
    await expect.poll(isFresh, { timeout: 2 * freshMs }).toBe(false)
    const visitor = await enter(owner, `${organizationId}/keys`)
    const { page } = visitor
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name").press("Enter")
    await page.getByText("Give the key a name.").waitFor()
    await page.getByLabel("Name").fill("Shop")
    await fits(page, "new key")
    await page.keyboard.press("Enter")
    const stepUp = page.getByRole("dialog", { name: "Is it you?" })
    // What was begun is not done if the person turns away, and what they typed stays.
    await stepUp.getByLabel("Code").waitFor()
    await page.keyboard.press("Escape")
    await stepUp.waitFor({ state: "detached" })
    expect(await page.getByLabel("Name").inputValue()).toBe("Shop")
    const before = service.codes.get(phone)
    await page.getByRole("button", { name: "New key" }).last().click()
    await stepUp.getByLabel("Code").waitFor()
    await fits(page, "step-up")
    await giveCode(service, stepUp, phone, before)
    const ready = page.getByRole("dialog", { name: "The key is ready" })
    const text = (await ready.getByRole("status", { name: "Shop" }).textContent()) ?? ""
    const used = await fetch(`${service.url}/api/v1/invoices`, { headers: { "x-api-key": text } })
    expect(used.status).toBe(200)
    await ready.getByRole("button", { name: "I have kept it" }).click()
    await page.getByText(`…${text.slice(-4)}`).waitFor()
    expect(await page.content()).not.toContain(text)
    await page.getByRole("button", { name: "Delete: Shop" }).click()
    const removal = page.getByRole("dialog", { name: "Delete: Shop" })
    await removal.getByLabel("Type “Shop” to confirm").fill("Shop ")
    const earlier = service.codes.get(phone)
    await page.keyboard.press("Enter")
    const deleted = page.getByText("Key deleted")
    await deleted.or(stepUp).first().waitFor()
    if (await stepUp.isVisible()) await giveCode(service, stepUp, phone, earlier)
    await page.getByRole("heading", { name: "No keys yet" }).waitFor()
    expect(unexpected(visitor)).toEqual([])
    await visitor.close()
  })
})
