/** The journal in a real browser, narrowed down by what the address says; and what a person has brought others by. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, join, logIn, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`the journal in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let manager: Person
  beforeAll(async () => {
    world = await cabinetWorld()
    manager = await logIn(world.service, "77015550301")
    await join(world.service, world.organizationId, manager, "manager")
    await as(world.service, manager, "PATCH", "/panel/account", { name: "Aliya" })
  })
  afterAll(() => world?.stop())

  it("is found by person, kind and day, in words, and taken along", async () => {
    const { service, organizationId, owner, enter, make } = world
    const panel = `/panel/orgs/${organizationId}`
    await as(service, manager, "PATCH", `${panel}/profile`, { name: "Tea" })
    const id = await make(4000, "paid")
    await as(service, owner, "POST", `${panel}/invoices/${id}/refund`, { amount: 1500 })
    const visitor = await enter(owner, `${organizationId}/journal`, { width: 1280 })
    const { page } = visitor
    const rows = page.getByRole("main").getByRole("listitem")
    await rows.filter({ hasText: "A refund was asked for" }).filter({ hasText: "amount: 1 500 ₸" }).waitFor()
    await rows.filter({ hasText: "Settings were changed" }).getByRole("link", { name: "Aliya" }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(page.url()).toContain(`actor=${manager.accountId}`)
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole("button", { name: "Show all" }).click()
    await page.getByLabel("About").selectOption({ label: "Refunds" })
    await expect.poll(() => rows.count()).toBe(1)
    const file = page.waitForEvent("download")
    await page.getByRole("link", { name: "Take along as a table (CSV)" }).click()
    expect((await file).suggestedFilename()).toBe(`tolem-${organizationId}-journal.csv`)
    await page.getByLabel("From").fill("2020-01-01")
    await page.getByLabel("To").fill("2020-01-02")
    await page.getByText("Nothing found").waitFor()
    await page.getByRole("button", { name: "Show all" }).click()
    await rows.getByRole("link", { name: id }).click()
    await page.getByRole("heading", { name: /^Invoice of/ }).waitFor()
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("shows whom a person has brought, and what it has earned, with a link to hand on", async () => {
    const { service, owner, enter } = world
    const { body } = await as(service, owner, "GET", "/panel/referral")
    const friend = await logIn(service, "77015550302")
    await as(service, friend, "POST", "/panel/orgs", { name: "Gulder", referralCode: body["link"] })
    const visitor = await enter(owner, "profile", { width: 360, touch: true })
    const { page } = visitor
    await visitor.runFirst("navigator.share = async ({ url }) => { globalThis.shared = url }")
    await page.reload()
    const card = page.getByRole("region", { name: "Bring a friend" })
    await card.getByRole("listitem").filter({ hasText: "Gulder" }).getByText("0 ₸ earned, 0 ₸ paid out").waitFor()
    await card.getByText("Still to be paid out").waitFor()
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "referral")
    await card.getByRole("button", { name: "Share" }).click()
    expect(await page.evaluate("globalThis.shared")).toBe(body["link"])
    expect(await card.getByLabel("Your link").textContent()).toBe(body["link"])
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })
})
