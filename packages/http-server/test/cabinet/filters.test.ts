/** The list of invoices in a real browser: narrowed down by all that its address can hold, summed up, and as a file. */
import { readFile } from "node:fs/promises"
import { chromiumPath, needsChromium, type Visitor } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`a list of invoices${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld({ settings: { rowsPerLook: 10 } })
  })
  afterAll(() => world?.stop())

  // The router writes a text of digits with quotes, and reads it without them too.
  const stands = (page: Visitor["page"], name: string, value: string) =>
    page.waitForURL(({ searchParams }) => searchParams.get(name)?.replaceAll('"', "") === value)

  it("is narrowed down by amounts, way and origin, has their sums, and is a file", async () => {
    const { service, owner, organizationId, enter, make } = world
    await make(100, "paid")
    await make(2500, "paid")
    await make(40_000, "expired")
    const path = `/panel/orgs/${organizationId}/invoices`
    const sent = await as(service, owner, "POST", path, {
      amount: 3000,
      kind: "phone",
      customer: { phone: "77015550009" }
    })
    expect(sent.status).toBe(201)
    await as(service, owner, "POST", `${path}/${sent.body["id"]}/simulate`, { status: "paid" })
    const visitor = await enter(owner, `${organizationId}/invoices`, { width: 1280 })
    const { page } = visitor
    const rows = page.locator("tbody tr")
    const told = (text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor()
    await told("4 invoices")
    // The field is kept while the list changes under it.
    await page.getByLabel("Amount from, ₸").click()
    await page.keyboard.type("1")
    await stands(page, "minAmount", "1")
    await page.keyboard.type("000,50")
    await stands(page, "minAmount", "1000.5")
    await page.getByLabel("Amount to, ₸").fill("12.500")
    await page.getByText("Enter an amount.").waitFor()
    await page.getByLabel("Amount to, ₸").fill("5 000")
    await stands(page, "maxAmount", "5000")
    await told("2 invoices")
    await told(/5\s500\s₸ received/)
    await expect.poll(() => rows.count()).toBe(2)
    await fits(page, "filters")
    await page.getByLabel("Way").selectOption({ label: "To the phone" })
    await told(/^1 invoice/)
    await told(/3\s000\s₸ received/)
    const download = page.waitForEvent("download")
    await page.getByRole("link", { name: "Download as a table" }).click()
    const lines = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n")
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(String(sent.body["id"]))
    // The address is all that it takes.
    await page.reload()
    expect(await page.getByLabel("Amount from, ₸").inputValue()).toBe("1\u00a0000,5")
    expect(await page.getByLabel("Way").inputValue()).toBe("phone")
    await told(/^1 invoice/)
    await page.getByLabel("Origin").selectOption({ label: "Subscriptions" })
    await page.getByRole("heading", { name: "Nothing matches" }).waitFor()
    await page.getByRole("search").getByRole("button", { name: "Clear the filter" }).click()
    await told("4 invoices")
    expect(await page.getByLabel("Amount from, ₸").inputValue()).toBe("")
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("tells how far back it has looked for what is rare, and looks further", async () => {
    const { owner, organizationId, enter, make } = world
    await make(50_000, "expired")
    for (let serial = 0; serial < 30; serial++) await make(10)
    const visitor = await enter(owner, `${organizationId}/invoices?source=request&minAmount=49999&mode=sandbox`, {
      width: 360,
      touch: true
    })
    const { page } = visitor
    const rows = page.locator("tbody tr")
    await page.getByText("Nothing was found so far").waitFor()
    await fits(page, "looked back")
    expect(await page.getByRole("heading", { name: "Nothing matches" }).count()).toBe(0)
    const further = page.getByRole("main").getByRole("button", { name: "Look further back" }).last()
    for (let look = 0; look < 3 && (await rows.count()) === 0; look++) {
      const answer = page.waitForResponse(/\/invoices\?.*after=/)
      await further.click()
      await answer
    }
    await rows.first().waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })
})
