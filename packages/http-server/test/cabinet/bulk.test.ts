/** A thousand rows of a file in a real browser: 37 are wrong, 963 invoices are made once, and their links are taken. */
import { readFile } from "node:fs/promises"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as } from "../support/people.ts"

const isBad = (row: number) => row % 27 === 0 && row <= 999
const amounts = ["many", "0", "1.234"]

/** The heads, and rows 2 to 1001; every 27th is wrong. */
const rows = Array.from({ length: 1000 }, (_, at) => at + 2).map((row) =>
  isBad(row) ? `${amounts[(row / 27) % 3]};Row ${row};${row}` : `${row};Row ${row};${row}`
)
const file = {
  name: "november.csv",
  mimeType: "text/csv",
  buffer: Buffer.from(`\uFEFFСумма;Описание;Номер заказа\r\n${rows.join("\r\n")}\r\n`)
}

describe.skipIf(chromiumPath === null)(`invoices of a file${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  const open = async (view: object) => {
    const visitor = await world.enter(world.owner, `${world.organizationId}/bulk`, view)
    await visitor.page.getByRole("button", { name: "Choose a file" }).waitFor()
    await visitor.page.locator('input[type="file"]').setInputFiles(file)
    await visitor.page.getByText(/^Rows: 1.000. Good: 963. With errors: 37.$/).waitFor()
    return visitor
  }
  const total = async () => {
    const { service, owner, organizationId } = world
    return (await as(service, owner, "GET", `/panel/orgs/${organizationId}/invoices`)).body["total"]
  }

  it("names 37 bad rows, makes 963 invoices once although an answer is lost, and gives their links", async () => {
    const { page, close } = await open({ width: 1280 })
    const bad = page.getByRole("region", { name: "Rows with errors" }).locator("tbody tr")
    const named = await bad.allTextContents()
    expect(named).toHaveLength(37)
    const expected = Array.from({ length: 37 }, (_, at) => (at + 1) * 27)
    expect(named.map((text) => Number.parseInt(text, 10))).toEqual(expected)
    for (const text of named) expect(text).toMatch(/^\d+Amount.+(many|0|1\.234)$/)
    expect(await total()).toBe(0)
    await fits(page, "errors")

    // The fourth call is done by the server, and its answer is lost.
    let [calls, answered] = [0, 0]
    await page.route(/\/bulk\?/, async (route) => {
      calls++
      if (calls !== 4) return route.continue()
      const { pathname, search } = new URL(route.request().url())
      answered = (await as(world.service, world.owner, "POST", pathname + search, route.request().postDataJSON()))
        .status
      return route.abort()
    })
    await page.getByRole("button", { name: /^Make invoices: 963/ }).click()
    await page.getByText("Invoices with links: 963.").waitFor()
    expect([calls, answered, await total()]).toEqual([11, 207, 963])
    await page.getByText(/^Made of this same file before: 100/).waitFor()
    const waiting = page.waitForEvent("download")
    await page.getByRole("button", { name: "CSV" }).click()
    const text = await readFile(await (await waiting).path(), "utf8")
    const links = text.match(/https?:\/\/\S+\/\S*inv_\w+/g) ?? []
    expect([links.length, new Set(links).size]).toEqual([963, 963])
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "made")
    await close()
  })

  it("finds on a phone, after all was loaded anew, what was made of the file", async () => {
    const { page, troubles, close } = await open({ width: 360, touch: true })
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "errors on a phone")
    await page.getByRole("button", { name: /^Make invoices: 963/ }).click()
    await page.getByText(/^Made of this same file before: 963/).waitFor()
    expect(await total()).toBe(963)
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "made on a phone")
    await page.locator('input[type="file"]').setInputFiles({ ...file, buffer: Buffer.from("nothing\n5\n") })
    await page.getByRole("alert").getByText("Row 1. No column is called “Amount”.").waitFor()
    expect(troubles).toEqual([])
    await close()
  })
})
