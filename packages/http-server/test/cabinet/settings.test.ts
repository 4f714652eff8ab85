/** An owner sets in a real browser what customers see of their organization, and ends it. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, join, logIn } from "../support/people.ts"
import { PNG } from "../support/png.ts"

describe.skipIf(chromiumPath === null)(`an organization's settings${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  it("are looked at before they are saved, kept when another was faster, and undone", async () => {
    const { service, owner, organizationId, enter } = world
    const path = `/panel/orgs/${organizationId}/profile`
    const profile = async () => (await as(service, owner, "GET", path)).body
    const visitor = await enter(owner, `${organizationId}/settings`, { width: 1280 })
    const { page } = visitor
    const save = page.getByRole("button", { name: "Save" })
    await page.getByLabel("Legal name").fill("Dastarkhan LLP")
    await page.getByLabel("BIN or IIN").fill("99014")
    await page.getByLabel("Phone").fill("8 (701) 555-12-34")
    await page.getByLabel("Website").fill("shop.kz")
    await page.getByLabel("Sites that may").fill("https://shop.kz/path")
    await page.getByLabel("Website").press("Enter")
    // The first that is wrong is where the person goes on.
    await page.getByText("It has 12 digits.").waitFor()
    await page.getByText("Write each site as https://shop.kz, without a path").waitFor()
    expect(await page.evaluate("document.activeElement.name")).toBe("idn")
    await fits(page, "settings that are wrong")
    await page.keyboard.type("0000385")
    await page.getByLabel("Sites that may").fill("shop.kz\nhttps://pay.shop.kz")
    const files = page.locator('input[type="file"]')
    await files.setInputFiles({ name: "a.gif", mimeType: "image/gif", buffer: Buffer.from("GIF89a") })
    await page.getByText("This file is no picture").waitFor()
    await files.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.alloc(257 * 1024) })
    await page.getByText("larger than 256 KB").waitFor()
    await files.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no picture") })
    await save.click()
    await page.getByText("The picture must be PNG, JPEG or WebP").waitFor()
    await files.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from(PNG) })
    await page.locator('#content input[name="colour"]').fill("#c2185b")
    // Another was faster; what they changed and what is typed here both stay.
    expect((await as(service, owner, "PATCH", path, { contact: { address: "Abay 1" } })).status).toBe(200)
    await save.click()
    await page.getByText("Your changes are still here.").waitFor()
    await expect.poll(() => page.getByLabel("Address").inputValue()).toBe("Abay 1")
    await save.click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await profile()).toMatchObject({
      legalName: "Dastarkhan LLP",
      idn: "990140000385",
      colour: "#c2185b",
      contact: { phone: "77015551234", web: "https://shop.kz", address: "Abay 1" },
      allowedOrigins: ["https://shop.kz", "https://pay.shop.kz"],
      logoUrl: expect.stringMatching(/\/pictures\//)
    })
    // The picture is the server's own now, and is shown.
    await expect.poll(() => page.locator("figure img").first().getAttribute("src")).toMatch(/\/pictures\//)
    await page.getByLabel("Name", { exact: true }).fill("Samal")
    await save.click()
    await page.getByRole("button", { name: "Organization: Samal" }).waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByRole("button", { name: "Organization: Dastarkhan" }).waitFor()
    await page.getByRole("button", { name: "Remove the logo" }).click()
    await save.click()
    await expect.poll(async () => (await profile())["logoUrl"]).toBeNull()
    expect(visitor.troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await visitor.close()
  })

  it("are closed to others, and the organization ends once its name is typed", async () => {
    const { service, owner, organizationId, enter } = world
    const accountant = await logIn(service, "77015550077")
    await join(service, organizationId, accountant, "accountant")
    const reader = await enter(accountant, `${organizationId}/settings`)
    await reader.page.getByText("Your role lacks the right to this action.").waitFor()
    await reader.close()
    const visitor = await enter(owner, `${organizationId}/settings`)
    const { page } = visitor
    await page.getByRole("button", { name: "Archive the organization" }).click()
    const dialog = page.getByRole("dialog", { name: "Archive the organization" })
    await dialog.getByLabel(/^Type/).fill("Dastar")
    await page.keyboard.press("Enter")
    expect(await dialog.getByRole("button", { name: "Archive the organization" }).isDisabled()).toBe(true)
    await dialog.getByLabel(/^Type/).fill("Dastarkhan")
    await fits(page, "archive")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "The organization is archived" }).waitFor()
    expect((await as(service, owner, "GET", `/panel/orgs/${organizationId}`)).status).toBe(410)
    await fits(page, "archived")
    await visitor.close()
  })
})
