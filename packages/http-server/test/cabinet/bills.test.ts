/** The tariff and its bills in a real browser: an owner buys a month on the spot, and others see what they may. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import { accountOf, organizationOf as merchantOf } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { call } from "../support/calls.ts"
import { as, join, logIn } from "../support/people.ts"
import type { Key } from "../support/service.ts"

const seller = "org_seller_of_bills"

describe.skipIf(chromiumPath === null)(`the tariff in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let key: Key
  beforeAll(async () => {
    world = await cabinetWorld({
      settings: { tariffs: { ...defaults.tariffs, seller: { organizationId: seller, mode: "sandbox" } } }
    })
    const account = accountOf()
    const organization = merchantOf(account, { id: seller })
    await world.service.run(MerchantStore.use((store) => store.addOrganization(organization, account)))
    key = await world.service.key({ organizationId: seller })
  })
  afterAll(() => world?.stop())

  const pathOf = (path: string) => `/panel/orgs/${world.organizationId}/${path}`
  /** The newest bill's invoice comes to this. */
  const simulate = async (status: string) => {
    const { body } = await as(world.service, world.owner, "GET", pathOf("bills"))
    const invoiceId = body["bills"]?.[0]?.["invoice"]?.["id"]
    const simulated = await call(world.service, "POST", `/api/v1/invoices/${invoiceId}/simulate`, {
      key,
      body: { status }
    })
    expect(simulated.status).toBe(200)
  }
  /** What the server's own keeper of tariffs does. */
  const keep = async () => {
    const { tariffSales } = await world.service.run(Engine)
    const due = await world.service.run(TariffStore.use((store) => store.paidOrders(0, 100)))
    for (const one of due) await world.service.run(tariffSales.fulfil(one))
    expect(due).toHaveLength(1)
  }

  it("is bought by its owner with a code, is followed until it is paid, and is new without a reload", async () => {
    const { page, troubles, close } = await world.enter(world.owner, `${world.organizationId}/tariff`, { width: 1280 })
    await page.getByRole("heading", { name: "Tariff: Trial" }).waitFor()
    await page.getByText("No bills yet").waitFor()
    await fits(page, "the tariff")
    await page.evaluate("window.wasNotReloaded = true")
    await page.getByRole("button", { name: "Buy a month: Business" }).click()
    const dialog = page.getByRole("dialog", { name: /^Business: 15\s000/ })
    const code = dialog.getByRole("img", { name: "QR code of the payment" })
    await code.waitFor()
    await expect.poll(() => code.evaluate((element) => Number(Reflect.get(element, "naturalWidth")))).toBeGreaterThan(0)
    expect(await dialog.getByRole("link", { name: "Open the pay page" }).getAttribute("href")).toContain("/pay/inv_")
    await fits(page, "the code")

    // A code that has ended is made anew, in place.
    await simulate("expired")
    await dialog.getByText("This code can no longer be paid.").waitFor()
    await dialog.getByRole("button", { name: "Make another code" }).click()
    await code.waitFor()

    await simulate("paid")
    await dialog.getByText("Paid. The tariff starts in a moment.").waitFor()
    await keep()
    await dialog.getByText("The tariff Business is in force.").waitFor()
    await page.getByRole("heading", { name: "Tariff: Business", includeHidden: true }).waitFor()
    await dialog.getByRole("button", { name: "Done" }).click()
    const bills = page.getByRole("region", { name: "Bills" }).getByRole("listitem")
    await expect.poll(() => bills.allTextContents()).toHaveLength(2)
    await bills
      .first()
      .getByText(/In force since/)
      .waitFor()
    await bills.first().getByRole("link", { name: "Receipt" }).waitFor()
    await bills.last().getByText("Expired").waitFor()
    await page.getByRole("button", { name: "Prolong by a month: Business" }).waitFor()
    await fits(page, "with bills")
    expect(await page.evaluate("window.wasNotReloaded")).toBe(true)
    expect(troubles).toEqual([])
    await close()
  })

  it("shows the books on a phone to an accountant, who buys nothing, and keeps it from a cashier", async () => {
    const { service, organizationId } = world
    const accountant = await logIn(service, "77015550011")
    await join(service, organizationId, accountant, "accountant")
    const screen = await world.enter(accountant, `${organizationId}/tariff`, { width: 360, touch: true, dark: true })
    const { page } = screen
    await page.getByText("The owner of the organization buys tariffs.").waitFor()
    await expect.poll(() => page.getByRole("region", { name: "Bills" }).getByRole("listitem").count()).toBe(2)
    expect(await page.getByRole("button", { name: /Buy a month|Prolong/ }).count()).toBe(0)
    await fits(page, "on a phone")
    for (const [language, title] of [
      ["kk", "Тариф және шоттар"],
      ["ru", "Тариф и счета"]
    ]) {
      await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"${language}"}'`)
      await page.reload()
      await page.getByRole("heading", { name: title! }).waitFor()
      await fits(page, `in ${language}`)
    }
    expect(screen.troubles).toEqual([])
    await screen.close()

    const cashier = await logIn(service, "77015550012")
    await join(service, organizationId, cashier, "cashier")
    const other = await world.enter(cashier, organizationId, { width: 1280 })
    const links = other.page.getByRole("navigation", { name: "Sections" }).getByRole("link")
    await links.first().waitFor()
    expect(await links.allTextContents()).not.toContain("Tariff")
    await other.page.goto(`${service.url}/cabinet/${organizationId}/tariff`)
    await other.page.getByText("Your role lacks the right to this action.").waitFor()
    expect(await other.page.getByRole("region", { name: "Bills" }).count()).toBe(0)
    await other.close()
  })

  it("is where the overview leads an owner whose tariff has ended", async () => {
    const { service, organizationId } = world
    const ended = Effect.gen(function* () {
      const store = yield* TariffStore
      const { organization } = Option.getOrThrow(yield* store.standing(organizationId, Date.now()))
      const after = { tariff: organization.tariff, tariffUntil: Date.now() - 1 }
      return yield* store.setTerm(organizationId, organization, after, auditOf())
    })
    expect(await service.run(ended)).toBe(true)
    const { page, close } = await world.enter(world.owner, `${organizationId}?mode=live`, { width: 1280 })
    const card = page.getByRole("region", { name: "Needs attention" })
    const kind = card.getByRole("listitem").filter({ has: page.getByText("The tariff has ended", { exact: true }) })
    await kind.getByRole("link", { name: "Tariff" }).click()
    await page.getByRole("heading", { name: "Tariff and bills" }).waitFor()
    await page.getByText("It has ended: live invoices cannot be made.").waitFor()
    expect(new URL(page.url()).searchParams.get("mode")).toBe("live")
    await close()

    // Who may not see bills sees how much of the tariff is used, on the overview itself.
    const developer = await logIn(service, "77015550013")
    await join(service, organizationId, developer, "developer")
    const other = await world.enter(developer, `${organizationId}?mode=live`, { width: 1280 })
    await other.page.getByRole("region", { name: "Needs attention" }).getByRole("link", { name: "Tariff" }).click()
    await expect.poll(() => new URL(other.page.url()).hash).toBe("#tariff")
    await other.close()
  })
})
