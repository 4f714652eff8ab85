/** An owner connects a cashier in a real browser, over a simulated bank. */
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "../live/cashier.ts"
import { fits, openScreen } from "../support/cabinet.ts"
import { as, join, logIn, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`an owner connects a cashier${needsChromium}`, () => {
  let world: Live
  let browser: OpenBrowser
  let owner: Person
  beforeAll(async () => {
    world = await live(2000)
    browser = await openBrowser()
    owner = await logIn(world.service, "77000000001")
    // Here the cabinet is built if it is not, which takes its time.
    await fetch(`${world.service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it("by name, phone and code, and switches one off and on again", async () => {
    const { service, organizationId } = world
    const visitor = await openScreen(browser, service.url, owner, `${organizationId}/cashiers`)
    const { page, troubles, close } = visitor
    await page.getByText("Works", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Connect a cashier" }).click()
    await page.getByLabel("Name").press("Enter")
    await page.getByText("Fill this in.").waitFor()
    await page.getByLabel("Name").fill("Till 2")
    await page.keyboard.press("Enter")
    await page.getByLabel("Phone").fill("701000")
    await page.keyboard.press("Enter")
    await page.getByText("Enter all ten digits after +7.").waitFor()
    await page.getByLabel("Phone").fill("7010000002")
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.getByLabel("Code").fill("000000")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").getByText("The code is wrong.").waitFor()
    await page.getByLabel("Code").fill("111111")
    await page.keyboard.press("Enter")
    await page.getByText("The cashier is connected").waitFor()
    const row = page.getByRole("listitem").filter({ hasText: "Till 2" })
    await row.getByText("Works", { exact: true }).waitFor()
    await row.getByRole("button", { name: "Change: Till 2" }).click()
    await page.getByRole("menuitem", { name: "Switch off" }).click()
    await row.getByText("Off", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Undo" }).click()
    await row.getByText("Off", { exact: true }).waitFor({ state: "detached" })
    expect(await violationsOf(page)).toEqual([])
    expect(troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await close()
  })

  it("gives a member one of two, binds a key to the other, and charges with the one that is chosen", async () => {
    const { service, organizationId, key } = world
    const connections = `/panel/orgs/${organizationId}/connections`
    const all = (await as(service, owner, "GET", connections)).body["connections"] ?? []
    // Both were made at the same instant of a clock that stands still: which is older is not told.
    const [first, second] = ["Till", "Till 2"].map((name) => all.find((each) => each["name"] === name)?.["id"])
    const member = await logIn(service, "77000000077")
    await join(service, organizationId, member, "cashier")
    const visitor = await openScreen(browser, service.url, owner, `${organizationId}/team`)
    const { page } = visitor
    await page.getByRole("listitem").filter({ hasText: "Cashier" }).getByRole("button").click()
    await page.getByLabel("Till 2").check()
    await page.getByLabel("May give money back").check()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Enter up to which sum.").waitFor()
    await page.getByLabel("Refunds up to").fill("5000")
    await fits(page, "member")
    await page.keyboard.press("Enter")
    await page.getByText(/Cashier · Till 2 · refunds up to 5\s000/).waitFor()
    const team = await as(service, owner, "GET", `/panel/orgs/${organizationId}/members`)
    expect(team.body["members"]?.at(-1)).toMatchObject({ connectionIds: [second], refundLimit: 5000 })
    await page.getByRole("button", { name: "Who may do what" }).click()
    await page.getByRole("row", { name: /^Archive the organization Yes/ }).waitFor()
    await page.getByRole("button", { name: "Cashier", exact: true }).click()
    await page.getByRole("row", { name: /^Give money back Own, up to their limit live, if the sum/ }).waitFor()
    await fits(page, "rights")
    await page.goto(`${service.url}/cabinet/${organizationId}/keys`)
    await page.getByRole("button", { name: "Cashier: test" }).click()
    await page.getByRole("radio", { name: /^Till 2/ }).check()
    await fits(page, "bind")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Cashier: Till 2").waitFor()
    const keyOf = async () => (await as(service, owner, "GET", `/panel/orgs/${organizationId}/api-keys`)).body["keys"]
    expect(await keyOf()).toMatchObject([{ id: key.keyId, connectionId: second }])
    await page.getByRole("button", { name: "Undo" }).click()
    await expect.poll(keyOf).toMatchObject([{ connectionId: null }])
    await page.goto(`${service.url}/cabinet/${organizationId}/charge`)
    const choice = page.getByLabel("Cashier")
    expect(await choice.inputValue()).toBe(first)
    await choice.selectOption({ label: "Till 2" })
    await page.reload()
    expect(await choice.inputValue()).toBe(second)
    await fits(page, "till with two")
    await page.setViewportSize({ width: 360, height: 600 })
    await fits(page, "till with two on a short phone")
    await page.getByLabel("Amount").fill("990")
    await page.keyboard.press("Enter")
    await page.getByText("Scan to pay").waitFor()
    const id = new URL(page.url()).searchParams.get("invoice") ?? ""
    expect((await world.stored(id)).invoice.connectionId).toBe(second)
    expect(visitor.troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await visitor.close()
  })

  it("is told of a session that the bank has ended, logs the cashier in again, and charges on", async () => {
    const { service, organizationId, bank } = world
    expect(bank.control.loseSessions("77010000000")).toBe(1)
    const visitor = await openScreen(browser, service.url, owner, `${organizationId}/charge`)
    const { page } = visitor
    const charge = async () => {
      await page.getByLabel("Amount").fill("450")
      await page.keyboard.press("Enter")
    }
    await page.getByLabel("Cashier").selectOption({ label: "Till" })
    await charge()
    await page.getByRole("alert").getByText("Log the cashier in again; then repeat.").waitFor()
    // What was typed is still there.
    expect(await page.getByLabel("Amount").inputValue()).toBe("450")
    await page.goto(`${service.url}/cabinet/${organizationId}/cashiers`)
    const row = page.getByRole("listitem").filter({ hasText: "Session lost" })
    await row.getByText("The bank has ended the session: log them in again.").waitFor()
    await fits(page, "session lost")
    await row.getByRole("button", { name: "Log in: Till" }).click()
    await page.getByLabel("Phone").fill("7010000000")
    await page.keyboard.press("Enter")
    await page.getByLabel("Code").fill("111111")
    await page.keyboard.press("Enter")
    await page.getByText("The cashier is connected").waitFor()
    await row.waitFor({ state: "detached" })
    await page.goto(`${service.url}/cabinet/${organizationId}/charge`)
    await charge()
    await page.getByText("Scan to pay").waitFor()
    expect(visitor.troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await visitor.close()
  })
})
