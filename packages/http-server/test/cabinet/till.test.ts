/** Money at the till and at refunds, in a real browser: what is lost, late or unclear moves nothing twice. */
import { chromiumPath, needsChromium, type Visitor } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, type Person } from "../support/people.ts"
import type { Service } from "../support/service.ts"

type Route = Parameters<Parameters<Visitor["page"]["route"]>[1]>[0]

describe.skipIf(chromiumPath === null)(`money in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let service: Service
  let owner: Person
  let organizationId: string
  let enter: CabinetWorld["enter"]
  let make: CabinetWorld["make"]
  beforeAll(async () => {
    world = await cabinetWorld()
    ;({ service, owner, organizationId, enter, make } = world)
  })
  afterAll(() => world?.stop())

  // The server does what it is asked; only the answer is lost. The test's own request lacks what says where it is from.
  const lose = async (route: Route) => {
    const answer = await route.fetch({ headers: { ...route.request().headers(), "sec-fetch-site": "same-origin" } })
    expect(answer.status()).toBe(201)
    await route.abort("connectionreset")
  }

  it("makes one payment of a charge whose answer was lost", async () => {
    const visitor = await enter(owner, `${organizationId}/charge`)
    const { page } = visitor
    const keys: Array<string | undefined> = []
    let isLost = true
    await page.route("**/invoices?*", async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      keys.push(route.request().headers()["idempotency-key"])
      if (!isLost) return route.continue()
      isLost = false
      return lose(route)
    })
    await page.getByLabel("Amount").fill("777")
    await page.keyboard.press("Enter")
    await page.getByText("No connection").waitFor()
    await page.getByRole("button", { name: /^Charge 777/ }).click()
    await page.getByText("Scan to pay").waitFor()
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(keys[1]).toBe(keys[0])
    const { body } = await as(service, owner, "GET", `/panel/orgs/${organizationId}/invoices?status=pending`)
    expect(body["invoices"]?.filter(({ amount }) => Number(amount) === 777)).toHaveLength(1)
    await visitor.close()
  })

  it("shows a pasted amount that may mean two as wrong, whole, and charges nothing", async () => {
    const visitor = await enter(owner, `${organizationId}/charge`)
    const { page } = visitor
    const amount = page.getByLabel("Amount")
    const charge = page.getByRole("button", { name: /^Charge/ })
    let sent = 0
    page.on("request", (request) => {
      if (request.method() === "POST") sent += 1
    })
    const wrong = [
      ["12.500", "12.500", /more than one amount/],
      ["12,500", "12,500", /more than one amount/],
      ["35 00", "35 00", /more than one amount/],
      ["-5", "-5", /more than one amount/],
      ["1 234 567 890", "1\u00a0234\u00a0567\u00a0890", /too large/],
      ["1234567890,5", "1\u00a0234\u00a0567\u00a0890,5", /too large/]
    ] as const
    for (const [pasted, shown, says] of wrong) {
      await amount.fill(pasted)
      await page.getByText(says).waitFor()
      expect([pasted, await amount.inputValue(), await charge.textContent()]).toEqual([pasted, shown, "Charge"])
      await page.keyboard.press("Enter")
    }
    await fits(page, "wrong amount")
    for (const [pasted, shown, charged] of [
      ["12\u00a0500,5", "12\u00a0500,5", /^Charge 12\s500,50\s₸$/],
      ["3.500,05 ₸", "3\u00a0500,05", /^Charge 3\s500,05\s₸$/],
      ["1,234,567", "1\u00a0234\u00a0567", /^Charge 1\s234\s567\s₸$/]
    ] as const) {
      await amount.fill(pasted)
      await expect.poll(() => amount.inputValue()).toBe(shown)
      expect(await charge.textContent()).toMatch(charged)
    }
    await amount.fill("")
    await page.keyboard.type("12 500.5")
    expect(await amount.inputValue()).toBe("12\u00a0500,5")
    await page.keyboard.type("00")
    await page.getByText(/more than one amount/).waitFor()
    expect(await amount.inputValue()).toBe("12\u00a0500,500")
    expect(sent).toBe(0)
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("watches on after a payment has ended, and asks before the same is charged again", async () => {
    const visitor = await enter(owner, `${organizationId}/charge`)
    const { page } = visitor
    await page.evaluate(`{
      const { createOscillator } = AudioContext.prototype
      window.sounds = 0
      AudioContext.prototype.createOscillator = function () { sounds += 1; return createOscillator.call(this) }
    }`)
    const simulate = async (status: string) => {
      const id = new URL(page.url()).searchParams.get("invoice")
      const path = `/panel/orgs/${organizationId}/invoices/${id}/simulate`
      expect((await as(service, owner, "POST", path, { status })).status).toBe(200)
    }
    const of = async (tenge: number) => {
      const { body } = await as(service, owner, "GET", `/panel/orgs/${organizationId}/invoices?limit=100`)
      return body["invoices"]?.filter(({ amount }) => Number(amount) === tenge).length
    }
    const charge = async (tenge: string) => {
      await page.getByLabel("Amount").fill(tenge)
      await page.keyboard.press("Enter")
      await page.getByText("Scan to pay").waitFor()
    }
    const stage = (status: string) => page.locator(`dialog[data-status="${status}"]`).waitFor()
    // One tap cancels nothing.
    await charge("811")
    await page.getByRole("button", { name: "Cancel the payment" }).click()
    const question = page.getByRole("dialog", { name: "Cancel this invoice?" })
    await question.waitFor()
    await page.keyboard.press("Escape")
    await question.waitFor({ state: "detached" })
    await stage("pending")
    await page.getByRole("button", { name: "Cancel the payment" }).click()
    await question.getByRole("button", { name: "Cancel", exact: true }).click()
    await stage("cancelled")
    await page.getByText(/^May still be paid until \d\d:\d\d\.$/).waitFor()
    await fits(page, "cancelled")
    await simulate("paid")
    await stage("paid")
    await expect.poll(() => page.evaluate("sounds")).toBeGreaterThan(0)
    await page.getByRole("button", { name: "Next customer" }).click()
    // Late money that came a moment ago is found before another invoice is made.
    await charge("812")
    await simulate("expired")
    await stage("expired")
    await page.getByText(/^A payment .* may still arrive/).waitFor()
    await page.context().setOffline(true)
    await page.getByRole("button", { name: "The same amount again" }).click()
    await page.getByRole("alert").getByText("No connection").waitFor()
    await page.context().setOffline(false)
    // The next look comes too late.
    const isLook = ({ pathname, searchParams }: URL) => pathname.includes("/invoices/") && !searchParams.has("live")
    await page.route(isLook, (route) => route.abort())
    await simulate("paid")
    await page.getByRole("button", { name: "The same amount again" }).click()
    await stage("paid")
    await page.unroute(isLook)
    expect(await of(812)).toBe(1)
    await page.getByRole("button", { name: "Next customer" }).click()
    await charge("813")
    await simulate("expired")
    await stage("expired")
    const earlier = new URL(page.url()).searchParams.get("invoice")
    await page.getByRole("button", { name: "The same amount again" }).click()
    await stage("pending")
    expect(await of(813)).toBe(2)
    // The earlier one is watched on, also at a page that is loaded anew.
    await page.reload()
    await page.getByText("Scan to pay").waitFor()
    const late = `/panel/orgs/${organizationId}/invoices/${earlier}/simulate`
    expect((await as(service, owner, "POST", late, { status: "paid" })).status).toBe(200)
    await page.getByText(/^The earlier payment of 813\s₸ was paid after all\.$/).waitFor()
    await stage("pending")
    await fits(page, "paid after all")
    await page.getByRole("link", { name: "Show it" }).click()
    await page.getByRole("heading", { name: /^Invoice of 813/ }).waitFor()
    await visitor.close()
  })

  it("gives back once what is sent again after an answer was lost, also from a dialog that was closed", async () => {
    const id = await make(5000, "paid")
    const visitor = await enter(owner, `${organizationId}/invoices/${id}`)
    const { page } = visitor
    const keys: Array<string | undefined> = []
    let isLost = true
    await page.route(`**/invoices/${id}**`, async (route) => {
      const isRefund = route.request().method() === "POST"
      if (isRefund) keys.push(route.request().headers()["idempotency-key"])
      if (!isLost) return route.continue()
      return isRefund ? lose(route) : route.abort("connectionreset")
    })
    isLost = false
    const open = page.getByRole("button", { name: "Give money back" })
    const dialog = page.getByRole("dialog", { name: "Give money back" })
    const amount = dialog.getByLabel("Amount, ₸")
    await open.click()
    await amount.fill("1.000")
    await dialog.getByText(/more than one amount/).waitFor()
    await page.keyboard.press("Enter")
    expect(keys).toEqual([])
    await amount.fill("1000")
    isLost = true
    await dialog.getByRole("button", { name: /Give back/ }).click()
    await dialog.getByText("No connection").waitFor()
    // What was asked for stands still until it is answered.
    await dialog.getByText(/Press again/).waitFor()
    await expect(amount.isEditable()).resolves.toBe(false)
    await fits(page, "unanswered")
    await dialog.getByRole("button", { name: "Close" }).click()
    const isUnread = page.waitForEvent("requestfailed", (request) => request.method() === "GET")
    await open.click()
    await isUnread
    // The same words may stand there from before: what counts is that this look has ended, with all its tries.
    await page.locator("button[aria-busy]").waitFor({ state: "detached" })
    await page.getByText("Check the connection; then try again.").first().waitFor()
    expect(await dialog.count()).toBe(0)
    isLost = false
    await open.click()
    await dialog.getByText(/Up to 4\s000/).waitFor()
    expect(await amount.inputValue()).toBe("4\u00a0000")
    await amount.fill("1000")
    await dialog.getByRole("button", { name: /Give back/ }).click()
    await dialog.waitFor({ state: "detached" })
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]])
    // An answer has come: the same once more is another.
    await open.click()
    await amount.fill("1000")
    await dialog.getByRole("button", { name: /Give back/ }).click()
    await dialog.waitFor({ state: "detached" })
    const { body } = await as(service, owner, "GET", `/panel/orgs/${organizationId}/invoices/${id}`)
    expect(body["refundedAmount"]).toBe(2000)
    await visitor.close()
  })
})
