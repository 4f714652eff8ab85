/** The console of the platform in a real browser: what an operator does there, and that no one else sees it. */
import { Engine } from "@tolem/core/engine/Engine"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { call } from "../support/calls.ts"
import { earn } from "../support/earnings.ts"
import { as, logIn, organizationOf, outcomeOf, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`the console in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let operator: Person
  beforeAll(async () => {
    world = await cabinetWorld()
    operator = await logIn(world.service, "77015550401")
    const { operators } = await world.service.run(Engine)
    await world.service.run(operators.grant(operator.phone))
  })
  afterAll(() => world?.stop())

  it("blocks a person by the keyboard alone, which ends their session and keys, and lets them act again", async () => {
    const { service, enter } = world
    const person = await logIn(service, "77015550402")
    const shop = await organizationOf(service, person)
    const key = await service.key({ organizationId: shop })
    const visitor = await enter(operator, `operator/people/${person.accountId}`, { width: 1280 })
    const { page } = visitor
    const press = async (name: string) => {
      await page.getByRole("main").getByRole("button", { name, exact: true }).focus()
      await page.keyboard.press("Enter")
      await page.getByRole("dialog").getByRole("button", { name, exact: true }).focus()
      await page.keyboard.press("Enter")
    }
    await press("Block")
    await page.getByRole("main").getByRole("button", { name: "Unblock", exact: true }).waitFor()
    expect(outcomeOf(await as(service, person, "GET", "/panel/session"))).toBe("403 account_blocked")
    expect(outcomeOf(await call(service, "GET", "/api/v1/account", { key }))).toBe("403 account_blocked")
    await press("Unblock")
    await page.getByRole("main").getByRole("button", { name: "Block", exact: true }).waitFor()
    expect((await call(service, "GET", "/api/v1/account", { key })).status).toBe(200)
    // The session that was ended stays ended: they log in again.
    expect(outcomeOf(await as(service, person, "GET", "/panel/session"))).toBe("401 unauthorized")
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("grants a tariff of the catalogue, which the organization has at once", async () => {
    const { service, owner, enter } = world
    const shop = await organizationOf(service, owner)
    const visitor = await enter(operator, `operator/merchants/${shop}`, { width: 360, touch: true })
    const main = visitor.page.getByRole("main")
    await main.getByRole("button", { name: "Grant a tariff" }).click()
    const dialog = visitor.page.getByRole("dialog")
    await dialog.getByLabel("Tariff").selectOption("business")
    await dialog.getByLabel("Months").fill("3")
    await dialog.getByRole("button", { name: "Grant a tariff" }).click()
    await main
      .locator("dd")
      .filter({ hasText: /^business/ })
      .waitFor()
    const key = await service.key({ organizationId: shop })
    const { body } = await call(service, "GET", "/api/v1/account", { key })
    expect(body["tariff"]).toMatchObject({ code: "business", active: true })
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("notes that a referrer was paid, after which nothing is left to be paid", async () => {
    const { service, organizationId, enter } = world
    const referrer = await logIn(service, "77015550403")
    await earn(service, referrer, organizationId, [100_000, 25_050])
    const visitor = await enter(operator, "operator/earnings", { width: 360, touch: true })
    const { page } = visitor
    const main = page.getByRole("main")
    await main
      .getByRole("listitem")
      .filter({ hasText: referrer.phone })
      .getByText(/1\s250,50/)
      .waitFor()
    await fits(page, "earnings")
    await main.getByRole("listitem").filter({ hasText: referrer.phone }).getByRole("link").click()
    await main.getByRole("button", { name: "Note a payout" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByText(/Pay 1\s250,50/).waitFor()
    const send = dialog.getByRole("button", { name: "Note a payout" })
    await send.click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByLabel("How it was paid").fill("Kaspi, transfer 17")
    await fits(page, "a payout")
    await send.click()
    await main.getByRole("listitem").filter({ hasText: "Kaspi, transfer 17" }).waitFor()
    await main.getByRole("heading", { name: "Nothing is to be paid" }).waitFor()
    expect(await main.getByRole("button", { name: "Note a payout" }).count()).toBe(0)
    await fits(page, "a person who was paid")
    await visitor.close()
    const { body } = await as(service, operator, "GET", `/panel/operator/earnings/${referrer.accountId}`)
    expect(body).toMatchObject({ accrued: 0, paidOut: 1250.5, payouts: [{ amount: 1250.5, count: 2 }] })
  })

  it("shows an invoice for a reason, which its owner reads in their journal", async () => {
    const { service, owner, organizationId, enter, make } = world
    const id = await make(4000)
    const reason = "The customer says that they paid twice"
    const visitor = await enter(operator, "operator/looks", { width: 360, touch: true })
    const { page } = visitor
    const main = page.getByRole("main")
    await main.locator("input").fill(id)
    await main.locator("textarea").fill(reason)
    await main.locator("form button[type=submit]").click()
    await main.getByRole("heading", { name: id }).waitFor()
    await fits(page, "a look")
    expect(visitor.troubles).toEqual([])
    await visitor.close()
    const { body } = await as(service, owner, "GET", `/panel/orgs/${organizationId}/journal?kind=looks`)
    expect(body["records"]).toMatchObject([{ subject: { id }, detail: JSON.stringify({ reason }) }])
    const reader = await enter(owner, `${organizationId}/journal?kind=looks`, { width: 1280 })
    await reader.page.getByRole("main").getByRole("listitem").filter({ hasText: reason }).waitFor()
    await reader.close()
  })

  it.each([360, 1280])("fits a window of %i px", async (width) => {
    const paths = [
      "tariffs",
      "earnings",
      "people",
      `people/${operator.accountId}`,
      "merchants",
      `merchants/${world.organizationId}`
    ]
    for (const path of paths) {
      const visitor = await world.enter(operator, `operator/${path}`, { width })
      await visitor.page.getByRole("main").getByRole("heading").nth(1).waitFor()
      await fits(visitor.page, path)
      expect(visitor.troubles).toEqual([])
      await visitor.close()
    }
  })

  it("shows nothing to a person who is no operator", async () => {
    const { page, close } = await world.enter(world.owner, "operator/people", { width: 1280 })
    await page.getByRole("heading", { name: "Page not found", exact: true }).waitFor()
    expect(await page.getByText(operator.phone).count()).toBe(0)
    expect(await page.getByRole("complementary", { name: "Console of the platform" }).count()).toBe(0)
    await close()
  })
})
