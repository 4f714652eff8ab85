/** A developer's work in the cabinet, in a real browser: a key, a webhook, and what their program is told. */
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { type Receiver, receive, refuses, takes } from "@tolem/testing-harness/Receiver"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, join, logIn, type Person } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`a developer works in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let receiver: Receiver
  let developer: Person
  beforeAll(async () => {
    receiver = await receive()
    world = await cabinetWorld({ agents: true })
    developer = await logIn(world.service, "77015550003")
    await join(world.service, world.organizationId, developer, "developer")
  })
  afterAll(async () => {
    await world?.stop()
    await receiver?.close()
  })

  it("makes a key and a webhook until a signed message arrives, and sends again what did not", async () => {
    const { service, organizationId, enter } = world
    const visitor = await enter(developer, `${organizationId}/keys`, { width: 1280 })
    const { page } = visitor
    const sections = page.getByRole("navigation", { name: "Sections" })
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name").fill("Shop")
    await page.keyboard.press("Enter")
    const key = (await page.getByRole("dialog", { name: "The key is ready" }).getByRole("status").textContent()) ?? ""
    await page.getByRole("button", { name: "I have kept it" }).click()

    await sections.getByRole("link", { name: "Webhooks" }).click()
    await page.getByRole("heading", { name: "No address yet" }).waitFor()
    await page.getByRole("button", { name: "New address" }).click()
    const adding = page.getByRole("dialog", { name: "New address" })
    await adding.getByLabel("Address").press("Enter")
    await adding.getByText("Enter an address.").waitFor()
    await adding.getByLabel("Address").fill("ftp://shop.kz")
    await page.keyboard.press("Enter")
    await adding.locator("input[aria-invalid]").waitFor()
    await fits(page, "new address")
    await adding.getByLabel("Address").fill(`${receiver.url}hooks`)
    await adding.getByLabel("Only these").check()
    await adding.getByRole("checkbox", { name: /^Paid/ }).uncheck()
    await adding.getByRole("button", { name: "New address" }).click()
    await adding.getByText("Choose one event at least.").waitFor()
    await adding.getByRole("checkbox", { name: /^Paid/ }).check()
    await adding.getByRole("button", { name: "New address" }).click()
    const ready = page.getByRole("dialog", { name: "The address is added" })
    receiver.secret = (await ready.getByRole("status").textContent()) ?? ""
    expect(receiver.secret).toMatch(/^whsec_/)
    await ready.locator("summary").click()
    await ready.getByRole("button", { name: "Python" }).click()
    await expect.poll(() => ready.locator("textarea").inputValue()).toMatch(/^import hashlib/)
    await fits(page, "secret")
    await ready.getByRole("button", { name: "I have kept it" }).click()
    expect(await page.content()).not.toContain(receiver.secret)

    const { host } = new URL(receiver.url)
    await page.getByRole("link", { name: `${host}/hooks` }).click()
    await page.getByRole("button", { name: "Send a test" }).click()
    await page.getByText(/answered 200 in \d+ ms/).waitFor()

    const pay = async (amount: number): Promise<string> => {
      const headers = { "x-api-key": key, "content-type": "application/json" }
      const invoices = `${service.url}/api/v1/invoices`
      const made = await fetch(invoices, { method: "POST", headers, body: JSON.stringify({ amount }) })
      const { id } = (await made.json()) as { id: string }
      const body = JSON.stringify({ status: "paid" })
      expect((await fetch(`${invoices}/${id}/simulate`, { method: "POST", headers, body })).status).toBe(200)
      return id
    }
    // A message that was refused comes again by itself after some seconds: what counts is how many there are.
    const told = (id: string) => receiver.arrivals.filter(({ invoice }) => invoice === id)
    const messages = (id: string) => new Set(told(id).map(({ delivery }) => delivery)).size
    const first = await pay(1500)
    await expect.poll(() => told(first)).toMatchObject([{ event: "invoice.paid", isSigned: true, path: "/hooks" }])
    const log = page.getByRole("region", { name: "What was sent" })
    await log.getByRole("button", { name: /^Paid .*1 try Delivered$/ }).waitFor()

    receiver.behaviour = refuses
    const second = await pay(2500)
    await expect.poll(() => messages(second)).toBe(1)
    await log.getByRole("button", { name: "Waits", exact: true }).click()
    await expect.poll(() => new URL(page.url()).search).toBe("?status=pending")
    await page.getByText(/^The last .*failed\.$/).waitFor()
    await log.getByRole("button", { name: /^Paid .*Waits$/ }).click()
    const dialog = page.getByRole("dialog", { name: "Message: Paid" })
    await dialog
      .getByText(/answered 500 in \d+ ms/)
      .first()
      .waitFor()
    expect(await dialog.getByLabel("Message", { exact: true }).first().inputValue()).toContain(`"id": "${second}"`)
    await dialog.getByText("Answers of private addresses are not kept.").first().waitFor()
    await fits(page, "message")
    receiver.behaviour = takes
    await dialog.getByRole("button", { name: "Send again" }).click()
    await expect.poll(() => messages(second)).toBe(2)
    expect(told(second).every(({ isSigned }) => isSigned)).toBe(true)
    await log.getByRole("button", { name: "Delivered", exact: true }).click()
    await expect.poll(() => log.getByRole("button", { name: /^Paid .*Delivered$/ }).count()).toBeGreaterThan(1)
    await fits(page, "endpoint")

    // As after the days for which bodies are kept.
    await page.route("**/deliveries/dlv_*", async (route) => {
      const response = await route.fetch()
      const detail = (await response.json()) as { attempts: ReadonlyArray<object> }
      const attempts = detail.attempts.map((attempt) => ({ ...attempt, requestBody: null, responseBody: null }))
      await route.fulfill({ response, json: { ...detail, attempts } })
    })
    await log
      .getByRole("button", { name: /^Paid .*Delivered$/ })
      .last()
      .click()
    await page.getByText("What was sent and answered is no longer kept.").first().waitFor()
    expect(await page.getByText("Answers of private addresses are not kept.").count()).toBe(0)
    await fits(page, "message without bodies")
    await page.unroute("**/deliveries/dlv_*")
    await page.getByRole("link", { name: "To the invoice" }).click()
    const ofInvoice = page.getByRole("region", { name: "Webhooks" })
    await ofInvoice.getByRole("button", { name: /^Paid 127\.0\.0\.1:\d+\/hooks · .*Delivered$/ }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Send again" }).click()
    await ofInvoice
      .getByRole("button", { name: /^Paid .*Delivered$/ })
      .nth(1)
      .waitFor()
    await expect.poll(() => messages(first)).toBe(2)
    await fits(page, "invoice")
    await page.goBack()
    await log.waitFor()

    const replay = page.getByRole("region", { name: "Send a period again" })
    await replay.getByRole("button", { name: "Send again" }).click()
    await replay.getByText("Choose the first day.").waitFor()
    await replay.getByLabel("From").fill("2020-01-01")
    await replay.getByRole("button", { name: "Send again" }).click()
    await replay.getByText("There was nothing to send in this time.").waitFor()
    await replay.getByLabel("Only what did not arrive").uncheck()
    await replay.getByRole("button", { name: "Send again" }).click()
    await replay.getByText("2 messages are on their way again").waitFor()
    await expect.poll(() => [messages(first), messages(second)]).toEqual([3, 3])
    expect(visitor.troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await visitor.close()
  })

  it("pauses and changes a webhook, gives it a new secret, and removes it once its name is typed", async () => {
    const { service, organizationId, enter } = world
    const address = { url: "http://localhost:9/old" }
    const endpoints = `/panel/orgs/${organizationId}/webhook-endpoints`
    const { body: made } = await as(service, developer, "POST", endpoints, address)
    const visitor = await enter(developer, `${organizationId}/webhooks/${made["id"]}`)
    const { page } = visitor
    await page.getByText("Nothing sent yet.", { exact: false }).waitFor()
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByText("Paused by you").waitFor()
    await page.getByRole("button", { name: "Send a test" }).click()
    await page.getByText(/^It waits/).waitFor()
    await fits(page, "paused endpoint")
    await page.getByRole("button", { name: "Undo" }).click()
    await page.getByRole("button", { name: "Pause" }).waitFor()
    await page.getByText(/^no connection, after \d+ ms$/).waitFor()
    await page.getByRole("button", { name: "Change" }).click()
    await page.getByRole("dialog").getByLabel("Address").fill("http://localhost:9/new")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "localhost:9/new" }).waitFor()
    await page.getByRole("button", { name: "New secret" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click()
    const rotated = page.getByRole("dialog", { name: "The new secret" })
    const secret = (await rotated.getByRole("status").textContent()) ?? ""
    expect([secret.slice(0, 6), secret === made["secret"]]).toEqual(["whsec_", false])
    await rotated.getByRole("button", { name: "I have kept it" }).click()
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByLabel("Type “localhost:9” to confirm").fill("localhost:9")
    await page.keyboard.press("Enter")
    await page.getByText("Address removed").waitFor()
    await page.getByRole("heading", { name: "Webhooks", level: 1 }).waitFor()
    const { body } = await as(service, developer, "GET", endpoints)
    expect(body["endpoints"]?.filter(({ id }) => String(id) === made["id"])).toEqual([])
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })
})
