/** The journal of the platform in the console, in a real browser. */
import type { AuditRecord } from "@tolem/core/audit/Audit"
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { deedKinds, platformKinds } from "@tolem/core/audit/DeedKinds"
import { Engine } from "@tolem/core/engine/Engine"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, logIn, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`the journal of the platform in the console${needsChromium}`, () => {
  let world: CabinetWorld
  let operator: Person
  beforeAll(async () => {
    world = await cabinetWorld()
    operator = await logIn(world.service, "77015550421")
    const { operators } = await world.service.run(Engine)
    await world.service.run(operators.grant(operator.phone))
    await as(world.service, operator, "PATCH", "/panel/account", { name: "Dana" })
    await as(world.service, world.owner, "PATCH", "/panel/account", { name: "Aliya" })
  })
  afterAll(() => world?.stop())

  const note = async (records: ReadonlyArray<AuditRecord>) => {
    const audits = await world.service.run(AuditStore)
    await world.service.run(Effect.forEach(records, audits.note, { discard: true }))
  }

  it("is found by organization, person, kind and day, and links to people and organizations", async () => {
    const { service, organizationId, owner, enter, make } = world
    const id = await make(4000, "paid")
    await as(service, owner, "POST", `/panel/orgs/${organizationId}/invoices/${id}/refund`, { amount: 1500 })
    const look = { invoiceId: id, reason: "The customer +77770001122 paid twice" }
    await as(service, operator, "POST", "/panel/operator/looks", look)
    const visitor = await enter(operator, "operator/journal", { width: 1280 })
    const { page } = visitor
    const main = page.getByRole("main")
    const rows = main.getByRole("listitem")
    const looked = rows.filter({ hasText: "The platform looked at an invoice" })
    await looked.filter({ hasText: "reason: The customer +… paid twice" }).waitFor()
    await looked.getByRole("link", { name: "Operator Dana" }).waitFor()
    await rows.filter({ hasText: "A refund was asked for" }).filter({ hasText: "amount: 1 500 ₸" }).waitFor()
    await rows.filter({ hasText: "A person was made an operator: Dana" }).waitFor()
    const kinds = main.getByLabel("About").getByRole("option")
    const values = await kinds.evaluateAll((options) => options.map((option) => Object(option).value as string))
    expect(values).toEqual(["", ...deedKinds, ...platformKinds])
    await main.getByLabel("Organization").fill(organizationId)
    await page.keyboard.press("Enter")
    await expect.poll(() => page.url()).toContain(`organization=${organizationId}`)
    await rows.filter({ hasText: "A person was made an operator" }).waitFor({ state: "detached" })
    await main.getByLabel("About").selectOption({ label: "Refunds" })
    await expect.poll(() => rows.count()).toBe(1)
    await page.reload()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await main.getByLabel("Organization").inputValue()).toBe(organizationId)
    await main.getByRole("button", { name: "Show all" }).click()
    await main.getByLabel("About").selectOption({ label: "Operators" })
    await expect.poll(() => rows.count()).toBe(1)
    await main.getByLabel("To", { exact: true }).fill("2020-01-02")
    await main.getByText("Nothing found").waitFor()
    await main.getByRole("button", { name: "Show all" }).click()
    await looked.getByRole("link", { name: "Dastarkhan" }).click()
    await main.getByRole("link", { name: "Journal" }).click()
    await expect.poll(() => page.url()).toContain(`organization=${organizationId}`)
    await rows.getByRole("link", { name: "Aliya" }).first().click()
    await main.getByRole("link", { name: "What they did" }).click()
    await expect.poll(() => main.getByLabel("Who").inputValue()).toBe(owner.accountId)
    await rows.filter({ hasText: "A person changed their name" }).waitFor()
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("is read page by page, back to the first", async () => {
    const { organizationId, enter } = world
    const createdAt = 1_600_000_000_000
    await note(Array.from({ length: 70 }, () => auditOf({ organizationId, action: "tariff.granted", createdAt })))
    const visitor = await enter(operator, "operator/journal?to=2020-12-31", { width: 1280 })
    const main = visitor.page.getByRole("main")
    const rows = main.getByRole("listitem")
    await expect.poll(() => rows.count()).toBe(50)
    await main.getByRole("heading", { name: "13 September 2020" }).waitFor()
    await main.getByRole("button", { name: "Show older" }).click()
    await expect.poll(() => rows.count()).toBe(70)
    expect(await main.getByRole("button", { name: "Show older" }).count()).toBe(0)
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it.each([360, 1280])("fits a window of %i px, whose bar shows the section that one is in", async (width) => {
    for (const path of ["journal", "looks", "people"]) {
      const visitor = await world.enter(operator, `operator/${path}`, { width })
      await visitor.page.getByRole("main").getByRole("heading").nth(1).waitFor()
      await fits(visitor.page, path)
      const active = visitor.page.getByRole("navigation").locator('[aria-current="page"]')
      const box = await active.boundingBox()
      expect([path, (box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? width) <= width]).toEqual([path, true, true])
      expect(visitor.troubles).toEqual([])
      await visitor.close()
    }
  })

  it("moves its bar to the section that is chosen there", async () => {
    const visitor = await world.enter(operator, "operator/journal", { width: 360, touch: true })
    const bar = visitor.page.getByRole("navigation")
    const offset = () => bar.evaluate((element) => Object(element).scrollLeft as number)
    await expect.poll(offset).toBeGreaterThan(0)
    await bar.getByRole("link", { name: "People" }).click()
    await expect.poll(offset).toBe(0)
    await visitor.close()
  })
})
