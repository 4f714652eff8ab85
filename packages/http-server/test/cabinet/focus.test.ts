/** Dialogs and notices in a real browser: a person who opens one can type at once, and reach what closes it. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`the keyboard in dialogs and notices${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  // What everyone may open comes first, and what only some may a moment later.
  it.each([
    ["team", 1],
    ["keys", 0],
    ["webhooks", 0],
    ["cashiers", 0]
  ] as const)("stands in the first field of what opens from %s", async (section, place) => {
    const { organizationId, owner, enter } = world
    const { page, close } = await enter(owner, `${organizationId}/${section}`, { width: 1280 })
    await page.locator("main header button").nth(place).click()
    const first = page.locator("dialog input").first()
    await first.waitFor()
    expect(await page.evaluate('document.activeElement === document.querySelector("dialog input")')).toBe(true)
    await close()
  })

  it("closes a notice by its button, of which screen readers are told as of any other", async () => {
    const { service, organizationId, owner, enter } = world
    const endpoints = `/panel/orgs/${organizationId}/webhook-endpoints`
    const { body } = await as(service, owner, "POST", endpoints, { url: "http://localhost:9/hooks" })
    const { page, troubles, close } = await enter(owner, `${organizationId}/webhooks/${body["id"]}`)
    await page.getByRole("button", { name: "Pause" }).press("Enter")
    const notice = page.getByRole("dialog").filter({ hasText: "Undo" })
    await notice.getByRole("button", { name: "Close" }).waitFor()
    await page.mouse.move(1, 1)
    await fits(page, "notice")
    await notice.getByRole("button", { name: "Close" }).press("Enter")
    await notice.waitFor({ state: "detached" })
    expect(troubles).toEqual([])
    await close()
  })
})
