/** A partner opens a client in a real browser, connects its cashier, and the client takes its first payment. */
import { chromiumPath, needsChromium, type OpenBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "../live/cashier.ts"
import { fits, openScreen } from "../support/cabinet.ts"
import { call } from "../support/calls.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`a partner in the cabinet${needsChromium}`, () => {
  let world: Live
  let browser: OpenBrowser
  let owner: Person
  let partnerId: string
  beforeAll(async () => {
    world = await live(2000)
    browser = await openBrowser()
    partnerId = (await world.service.organization({ tariff: "partner" })).id
    owner = await logIn(world.service, "77000000091")
    await join(world.service, partnerId, owner, "manager")
    await fetch(`${world.service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  const open = async (path: string, view: object = {}) => {
    const screen = await openScreen(browser, world.service.url, owner, `${partnerId}/${path}`, view)
    await screen.page.clock.setFixedTime(world.service.time.now)
    await screen.page.reload()
    return screen
  }

  it("opens a client that takes its first payment", async () => {
    const { service, payments, bank } = world
    const { page, troubles, close } = await open("clients", { width: 1280 })
    await page.getByText("No clients yet").waitFor()
    await page.getByRole("button", { name: "Open a client" }).click()
    const dialog = page.getByRole("dialog", { name: "Open a client" })
    await dialog.getByRole("button", { name: "Open a client" }).click()
    await dialog.getByText("Fill this in.").waitFor()
    await dialog.getByLabel("Name of the organization").fill("Nan bakery")
    await page.keyboard.press("Enter")
    await dialog.getByText("Enter all ten digits after +7.").waitFor()
    await dialog.getByLabel("Owner's phone").fill("7015559999")
    await fits(page, "a client to open")
    await page.keyboard.press("Enter")
    const ready = page.getByRole("dialog", { name: "The client is open" })
    const sandboxKey = (await ready.getByLabel("API key").textContent()) ?? ""
    await fits(page, "its first key")
    await ready.getByRole("button", { name: "I have kept it" }).click()
    const tried = await call(service, "POST", "/api/v1/invoices", { key: sandboxKey, body: { amount: 100 } })
    expect(tried.body).toMatchObject({ mode: "sandbox" })

    await page.getByRole("link", { name: "Nan bakery" }).click()
    await page.getByRole("button", { name: "Connect a cashier" }).click()
    await page.getByLabel("Name").fill("Till of Nan")
    await page.keyboard.press("Enter")
    await page.getByLabel("Phone").fill("7010000005")
    await page.keyboard.press("Enter")
    await page.getByLabel("Code").fill("111111")
    await page.keyboard.press("Enter")
    await page.getByText("The cashier is connected").waitFor()
    await page.getByRole("listitem").filter({ hasText: "Till of Nan" }).getByText("Works", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Switch to live" }).click()
    await page.getByRole("heading", { name: "Mode: Live" }).waitFor()
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name of the key").fill("Their shop")
    await page.keyboard.press("Enter")
    const shown = page.getByRole("dialog", { name: "The key is ready" })
    const key = (await shown.getByLabel("API key").textContent()) ?? ""
    await page.getByRole("button", { name: "I have kept it" }).click()

    const made = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 2500 } })
    expect(made.body).toMatchObject({ mode: "live", status: "pending" })
    const payment = payments().find(({ ours }) => ours === made.body["id"])
    bank.control.act(payment!.reference, { does: "pay" }, service.time.now)
    const paid = await call(service, "GET", `/api/v1/invoices/${made.body["id"]}?live=1`, { key })
    expect(paid.body).toMatchObject({ status: "paid", amount: 2500 })
    await page.reload()
    const statistics = page.getByRole("table", { name: "Statistics" })
    await statistics.getByRole("row", { name: /^This month 1 1 2.500/ }).waitFor()
    await fits(page, "client")
    await page.getByRole("link", { name: "Clients" }).click()
    await page.getByText(/1 paid, 2.500.*1 cashier/).waitFor()
    await fits(page, "clients")
    expect(troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await close()
  })

  it("shows the same on a phone, and to a developer without what changes anything", async () => {
    const { service } = world
    const phone = await open("clients", { width: 360, touch: true })
    await phone.page.getByRole("link", { name: "Nan bakery" }).click()
    await phone.page.getByRole("button", { name: "Connect a cashier" }).waitFor()
    await phone.page.evaluate("scrollTo(0, 0)")
    await fits(phone.page, "client on a phone")
    await phone.close()
    const developer = await logIn(service, "77000000092")
    await join(service, partnerId, developer, "developer")
    const screen = await openScreen(browser, service.url, developer, `${partnerId}/clients`)
    await screen.page.getByRole("link", { name: "Nan bakery" }).waitFor()
    expect(await screen.page.getByRole("button", { name: "Open a client" }).count()).toBe(0)
    await screen.close()
  })

  it("is for those with the tariff, a fresh code, and for their own clients only", async () => {
    const { service, organizationId } = world
    const body = { name: "Another", ownerPhone: "77015559998" }
    const clients = `/panel/orgs/${partnerId}/clients`
    const list = await as(service, owner, "GET", clients)
    const [own] = list.body["organizations"] ?? []
    const path = `${clients}/${own?.["id"]}`
    expect(outcomeOf(await as(service, owner, "GET", `${clients}/${organizationId}`))).toBe("403 forbidden")
    expect(outcomeOf(await as(service, owner, "GET", `${clients}/none`))).toBe("403 forbidden")
    world.pass(11 * 60_000)
    for (const [address, sent] of [
      [clients, body],
      [`${path}/mode`, { mode: "sandbox" }],
      [`${path}/api-keys`, { name: "k" }],
      [`${path}/connections`, { name: "c" }],
      [`${path}/connections/con_1/login`, {}]
    ] as const) {
      expect(outcomeOf(await as(service, owner, "POST", address, sent))).toBe("403 fresh_code_required")
    }
    const other = await logIn(service, "77000000093")
    await join(service, organizationId, other, "manager")
    const without = `/panel/orgs/${organizationId}/clients`
    expect(outcomeOf(await as(service, other, "GET", without))).toBe("403 partner_required")
    expect(outcomeOf(await as(service, other, "POST", without, body))).toBe("403 partner_required")
    const screen = await openScreen(browser, service.url, other, `${organizationId}/clients`)
    await screen.page.getByText("Clients need a partner tariff").waitFor()
    expect(await screen.page.getByRole("link", { name: "Clients" }).count()).toBe(0)
    await screen.close()
  })
})
