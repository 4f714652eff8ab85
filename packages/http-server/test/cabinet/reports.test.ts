/** What an accountant closes a month with, in a real browser: the statement, its files, and the report of a till. */
import { readFile } from "node:fs/promises"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { readXlsx } from "hucre/xlsx"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, join, logIn, type Person } from "../support/people.ts"

/** The twelfth of March, at noon in Almaty. */
const now = Date.parse("2026-03-12T12:00:00+05:00")
const dayMs = 86_400_000

describe.skipIf(chromiumPath === null)(`reports in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let accountant: Person
  beforeAll(async () => {
    world = await cabinetWorld({ now: now - 20 * dayMs })
    const { service, organizationId } = world
    const invoices = `/panel/orgs/${organizationId}/invoices`
    // Sessions do not live as long as the history.
    const paid = async (at: number, amount: number) => {
      service.time.now = at
      const owner = await logIn(service, "77015550001")
      const { body } = await as(service, owner, "POST", invoices, { amount })
      await as(service, owner, "POST", `${invoices}/${body["id"]}/simulate`, { status: "paid" })
      return { owner, refund: `${invoices}/${body["id"]}/refund` }
    }
    await paid(now - 20 * dayMs + 3_600_000, 1500)
    const { refund } = await paid(now - 2 * dayMs, 2000.5)
    const { owner } = await paid(now, 300)
    expect((await as(service, owner, "POST", refund, { amount: 500.5 })).status).toBe(201)
    await as(service, owner, "POST", invoices, { amount: 700 })
    const till = await as(service, owner, "POST", `/panel/orgs/${organizationId}/connections`, { name: "Till 1" })
    expect(till.status).toBe(201)
    accountant = await logIn(service, "77015550007")
    await join(service, organizationId, accountant, "accountant")
  })
  afterAll(() => world?.stop())

  const wish = async () => {
    const path = `/panel/orgs/${world.organizationId}/statement-letters`
    return JSON.parse((await as(world.service, accountant, "GET", path)).text)
  }

  const open = async (path: string, view: { readonly width: number; readonly touch?: boolean }) => {
    const visitor = await world.enter(accountant, `${world.organizationId}/${path}`, view)
    await visitor.page.clock.setFixedTime(now)
    await visitor.page.reload()
    return visitor
  }

  it("have a statement whose rows add up, of the days on which money moved", async () => {
    const visitor = await open("reports", { width: 1280 })
    const { page } = visitor
    const statement = page.getByRole("region", { name: "Statement" })
    const cells = (row: number) => statement.getByRole("row").nth(row).getByRole("cell").allTextContents()
    const spaced = (texts: ReadonlyArray<string>) => texts.map((text) => text.replaceAll("\u00a0", " "))
    await statement.getByRole("rowheader", { name: "10 March 2026" }).waitFor()
    expect(spaced(await cells(1))).toEqual(["1", "2 000,50 ₸", "0 ₸", "0", "0 ₸", "2 000,50 ₸"])
    expect(spaced(await cells(2))).toEqual(["1", "300 ₸", "0 ₸", "1", "500,50 ₸", "−200,50 ₸"])
    expect(spaced(await cells(3))).toEqual(["2", "2 300,50 ₸", "0 ₸", "1", "500,50 ₸", "1 800 ₸"])
    await statement.getByRole("button", { name: "Last month" }).click()
    await statement.getByRole("rowheader", { name: "20 February 2026" }).waitFor()
    expect(spaced(await cells(2))).toEqual(["1", "1 500 ₸", "0 ₸", "0", "0 ₸", "1 500 ₸"])
    await statement.getByLabel("To", { exact: true }).fill("2026-03-12")
    await statement.getByRole("button", { name: "By month" }).click()
    await statement.getByRole("rowheader", { name: "March 2026" }).waitFor()
    await expect.poll(() => statement.getByRole("row").count()).toBe(4)
    expect(spaced(await cells(3))).toEqual(["3", "3 800,50 ₸", "0 ₸", "1", "500,50 ₸", "3 300 ₸"])
    await statement.getByRole("button", { name: "By origin" }).click()
    await statement.getByRole("rowheader").first().waitFor()
    expect(new URL(page.url()).search).toBe("?from=2026-02-01&to=2026-03-12&by=source")
    await fits(page, "statement")
    const download = async (name: string, line: number) => {
      const begun = page.waitForEvent("download")
      await statement.getByRole("link", { name }).nth(line).click()
      return readFile(await (await begun).path())
    }
    const { sheets } = await readXlsx(await download("XLSX", 0))
    expect(sheets[0]?.rows.slice(1)).toEqual([
      ["request", 3, 3800.5, 0, 0, 1, 500.5, 3300],
      ["In all", 3, 3800.5, 0, 0, 1, 500.5, 3300]
    ])
    expect((await download("CSV", 0)).toString()).toContain("In all;3;3800,50;0;0,00;1;500,50;3300,00")
    expect((await download("CSV", 1)).toString().split("\r\n")).toHaveLength(6)
    expect((await readXlsx(await download("XLSX", 1))).sheets[0]?.rows).toHaveLength(5)
    await statement.getByLabel("Account in 1C").fill("KZ861")
    const books = new TextDecoder("windows-1251").decode(await download("File for 1C", 0))
    expect(books).toMatch(/^1CClientBankExchange\r\n[\s\S]*РасчСчет=KZ861\r\n[\s\S]*КонецФайла\r\n$/)
    await statement.getByRole("button", { name: "By cashier" }).click()
    await statement.getByRole("rowheader", { name: "No cashier" }).waitFor()
    await statement.getByLabel("Cashier").selectOption("Till 1")
    await statement.getByText("No money has moved in this time.").waitFor()
    await fits(page, "of a cashier")
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("have the report of a till, and fit on a phone and on paper", async () => {
    const visitor = await open("reports?by=month", { width: 360, touch: true })
    const { page } = visitor
    const shift = page.getByRole("region", { name: "Report of a till" })
    await shift.getByText("receipt", { exact: false }).first().waitFor()
    expect(await shift.getByRole("definition").nth(1).textContent()).toBe("300\u00a0₸")
    await shift.getByLabel("Day").fill("2026-03-10")
    await shift.getByLabel("From (time)").fill("22:00")
    await shift.getByLabel("To (time)").fill("06:00")
    await shift.getByText("11 March 2026 at 06:00", { exact: false }).waitFor()
    await expect.poll(() => shift.getByRole("definition").first().textContent()).toBe("0")
    const letter = page.getByRole("region", { name: "Each month by letter" })
    await letter.getByRole("link", { name: "To the profile" }).waitFor()
    const { service } = world
    const audit = auditOf({ action: "account.email_noted", subject: accountant.accountId })
    await service.run(DirectoryStore.use((store) => store.setEmail(accountant.accountId, "books@shop.kz", audit)))
    await page.reload()
    await letter.getByLabel("Send me the statement of the last month to books@shop.kz").check()
    await expect.poll(wish).toMatchObject({ wanted: true, email: "books@shop.kz", month: "2026-03" })
    await page.reload()
    await expect.poll(() => letter.getByRole("checkbox").isChecked()).toBe(true)
    await letter.getByRole("checkbox").uncheck()
    await expect.poll(wish).toMatchObject({ wanted: false })
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "report of a till")
    await page.emulateMedia({ media: "print" })
    await page.evaluate(
      "window.print = () => { window.onPaper = document.body.innerText; dispatchEvent(new Event('afterprint')) }"
    )
    await page.evaluate("document.querySelectorAll('main button:has(svg.lucide-printer)')[1].click()")
    const paper = String(await page.evaluate("window.onPaper"))
    expect([paper.includes("Report of a till"), paper.includes("Given back"), paper.includes("Statement")]).toEqual([
      true,
      true,
      false
    ])
    expect(await page.getByRole("navigation").count()).toBe(0)
    await page.getByRole("columnheader", { name: "Given back" }).waitFor()
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })
})
