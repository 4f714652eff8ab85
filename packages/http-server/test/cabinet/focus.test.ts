/** Dialogs in a real browser: a person who opens one can type at once. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld } from "../support/cabinet.ts"

describe.skipIf(chromiumPath === null)(`the caret in dialogs${needsChromium}`, () => {
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
})
