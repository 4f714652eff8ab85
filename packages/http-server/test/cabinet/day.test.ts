/** A day at the till: two phones, each at a server of its own, over one PostgreSQL. */
import { chromiumPath, needsChromium, type Visitor } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, openScreen } from "../support/cabinet.ts"
import { as, join, logIn } from "../support/people.ts"
import { type Service, start } from "../support/service.ts"

type Page = Visitor["page"]

describe.skipIf(chromiumPath === null)(`a day at the till${needsChromium}`, () => {
  let world: CabinetWorld
  let there: Service
  beforeAll(async () => {
    world = await cabinetWorld({ on: "postgres" })
    there = await start({ beside: world.service })
  })
  afterAll(async () => {
    await there?.stop()
    await world?.stop()
  })

  const stage = (page: Page, status: string) => page.locator(`dialog[data-status="${status}"]`).waitFor()
  const charge = async (page: Page, tenge: string) => {
    await page.getByLabel("Amount").fill(tenge)
    await page.keyboard.press("Enter")
    await page.getByText("Scan to pay").waitFor()
    return new URL(page.url()).searchParams.get("invoice") ?? ""
  }
  const next = (page: Page) => page.getByRole("button", { name: "Next customer" }).click()

  it("with two phones and two servers", async () => {
    const { service: here, owner, organizationId, enter, browser } = world
    const cashier = await logIn(there, "77015550200")
    await join(here, organizationId, cashier, "cashier")
    const path = `${organizationId}/charge`
    const one = await enter(owner, path, { touch: true })
    const other = await openScreen(browser, there.url, cashier, path, { touch: true })
    const simulate = async (id: string, status: string) => {
      const call = `/panel/orgs/${organizationId}/invoices/${id}/simulate`
      expect((await as(there, cashier, "POST", call, { status })).status).toBe(200)
    }
    // One charges; the other finds it among the payments of today, and the money is heard of at both.
    const first = await charge(one.page, "1500")
    await other.page.reload()
    await other.page.getByRole("button", { name: /1\s500\s₸/ }).click()
    await other.page.getByText("Scan to pay").waitFor()
    expect(new URL(other.page.url()).searchParams.get("invoice")).toBe(first)
    await other.page.getByRole("button", { name: "Pretend that it is paid" }).click()
    await Promise.all([stage(one.page, "paid"), stage(other.page, "paid")])
    await Promise.all([next(one.page), next(other.page)])
    // Time runs out, and the customer has paid in the last second.
    const second = await charge(one.page, "900")
    await simulate(second, "expired")
    await stage(one.page, "expired")
    await simulate(second, "paid")
    await stage(one.page, "paid")
    await next(one.page)
    // A customer who thinks better of it.
    const third = await charge(other.page, "700")
    await other.page.getByRole("button", { name: "Cancel the payment" }).click()
    const question = other.page.getByRole("dialog", { name: "Cancel this invoice?" })
    await question.getByRole("button", { name: "Cancel", exact: true }).click()
    await stage(other.page, "cancelled")
    await next(other.page)
    await one.page.goto(`${here.url}/cabinet/${organizationId}/invoices/${third}`)
    await one.page.getByText("Cancelled").first().waitFor()
    // One of three came back cold.
    await one.page.goto(`${here.url}/cabinet/${organizationId}/invoices/${first}`)
    await one.page.getByRole("button", { name: "Give money back" }).click()
    const refund = one.page.getByRole("dialog", { name: "Give money back" })
    await refund.getByLabel("Amount, ₸").fill("500")
    await refund.getByRole("button", { name: /Give back 500/ }).click()
    await refund.waitFor({ state: "detached" })
    await other.page.goto(`${there.url}/cabinet/${organizationId}/invoices/${first}`)
    await other.page.getByText("Refunded in part").first().waitFor()
    // In the evening both tills say the same: 1 500 and 900 came in, and 500 went back.
    for (const [{ page }, { url }] of [[one, here] as const, [other, there] as const]) {
      await page.goto(`${url}/cabinet/${path}`)
      await page.getByText(/^1\s900\s₸ received, 2$/).waitFor()
    }
    expect([one.troubles, other.troubles]).toEqual([[], []])
  })
})
