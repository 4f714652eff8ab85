/** An owner invites a phone in a real browser, and the person with it becomes a member in another. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, logIn, outcomeOf } from "../support/people.ts"

const phone = "77015553311"
const shown = "+7 701 555 33 11"

describe.skipIf(chromiumPath === null)(`invitations in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  const invite = (to: string, terms: object) =>
    as(world.service, world.owner, "POST", `/panel/orgs/${world.organizationId}/invitations`, { phone: to, ...terms })

  it("asks a phone, whose owner logs in, accepts, and sees what their role may", async () => {
    const { service, browser, owner, organizationId, enter } = world
    const owners = await enter(owner, `${organizationId}/team`, { width: 1280 })
    const { page } = owners
    await page.getByRole("button", { name: "Invite" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("button", { name: "Invite" }).click()
    await dialog.getByText("Enter all ten digits after +7.").waitFor()
    await dialog.getByLabel("Their phone").fill(owner.phone)
    await page.keyboard.press("Enter")
    await dialog.getByText("This person is a member of the organization already.").waitFor()
    await fits(page, "invite, refused")
    await dialog.getByLabel("Their phone").fill("8 (701) 555-33-11")
    await dialog.getByLabel("May give money back").check()
    await dialog.getByLabel("Refunds up to").fill("5000")
    await page.keyboard.press("Enter")
    await dialog.getByText(`Tell them to log in here with ${shown}.`).waitFor()
    expect(await dialog.getByRole("status").textContent()).toBe(`${service.url}/cabinet/`)
    await fits(page, "invited")
    await dialog.getByRole("button", { name: "Done" }).click()
    const card = page.getByRole("region", { name: "Invitations" })
    await card.getByText(/^Cashier · open until \d+ \w+ \d{4}$/).waitFor()
    await fits(page, "team with an invitation")

    const visitor = await browser.visitor({ width: 360, touch: true })
    const theirs = visitor.page
    await theirs.goto(`${service.url}/cabinet/`)
    await theirs.getByLabel("Phone").fill("7015553311")
    await theirs.keyboard.press("Enter")
    const code = theirs.locator('input[autocomplete="one-time-code"]')
    await code.waitFor()
    await code.fill(service.codes.get(phone) ?? "")
    const invited = theirs.getByRole("region", { name: "You are invited" })
    await invited.getByText("Dastarkhan").waitFor()
    await fits(theirs, "welcome with an invitation")
    expect((await invited.getByText("Dastarkhan").boundingBox())?.width).toBeGreaterThan(100)
    await invited.getByRole("button", { name: "Accept: Dastarkhan" }).click()
    await theirs.getByRole("heading", { name: "Dastarkhan", level: 1 }).waitFor()
    await invited.waitFor({ state: "detached" })
    const sections = theirs.getByRole("navigation", { name: "Sections" }).first()
    await sections.getByRole("link", { name: "Charge" }).waitFor()
    await theirs.goto(`${service.url}/cabinet/${organizationId}/team`)
    await theirs.getByText("Your role lacks the right to this action.").waitFor()
    await visitor.close()

    // The owner sees it without asking.
    await card.getByText("Cashier · accepted").waitFor()
    const member = page.getByRole("region", { name: /^Who may work here/ }).getByRole("listitem")
    await member
      .filter({ hasText: shown })
      .getByText(/refunds up to 5\s000/)
      .waitFor()
    expect(visitor.troubles.concat(owners.troubles).filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await owners.close()
  })

  it("is declined, or taken back, and shows beside other organizations", async () => {
    const { service, organizationId, owner, enter } = world
    const person = await logIn(service, "77015553322")
    const { body } = await as(service, person, "POST", "/panel/orgs", { name: "Tea" })
    const own = String(body["id"])
    await invite(person.phone, { role: "accountant" })
    const theirs = await enter(person, own, { width: 1280 })
    const card = theirs.page.getByRole("region", { name: "You are invited" })
    await card.getByText(/^Accountant · open until/).waitFor()
    await theirs.page.getByRole("button", { name: "Organization: Tea" }).click()
    await theirs.page.getByRole("menuitem", { name: /^Dastarkhan You are invited · Accountant/ }).waitFor()
    await theirs.page.keyboard.press("Escape")
    await theirs.page.getByRole("menu").waitFor({ state: "detached" })
    await fits(theirs.page, "home with an invitation")
    await card.getByRole("button", { name: "Decline: Dastarkhan" }).click()
    await card.waitFor({ state: "detached" })
    expect(outcomeOf(await as(service, person, "GET", `/panel/orgs/${organizationId}`))).toBe("403 forbidden")

    await invite(person.phone, { role: "manager" })
    const owners = await enter(owner, `${organizationId}/team`, { width: 360, touch: true })
    const row = owners.page.getByRole("listitem").filter({ hasText: "+7 701 555 33 22" })
    await row.getByText("Accountant · declined").waitFor()
    await theirs.page.reload()
    await card.getByText(/^Manager/).waitFor()
    await row.getByRole("button", { name: "Withdraw: +7 701 555 33 22" }).click()
    await row.getByText("Manager · withdrawn").waitFor()
    await fits(owners.page, "team with ended invitations")
    await card.getByRole("button", { name: "Accept: Dastarkhan" }).click()
    await theirs.page
      .getByRole("alert")
      .getByText(/^The invitation is no longer open/)
      .waitFor()
    await card.waitFor({ state: "detached" })
    await owners.page.emulateMedia({ colorScheme: "dark" })
    for (const [language, title] of [
      ["kk", "Шақырулар"],
      ["ru", "Приглашения"]
    ] as const) {
      await owners.page.evaluate(`localStorage.tolem = '{"returns":true,"language":"${language}"}'`)
      await owners.page.reload()
      await owners.page.getByRole("region", { name: title }).waitFor()
      await fits(owners.page, `team with ended invitations, ${language}`)
    }
    expect(theirs.troubles.concat(owners.troubles).filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await theirs.close()
    await owners.close()
  })
})
