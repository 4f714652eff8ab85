/** What a developer has in the cabinet, in a real browser: samples that work, their requests, the sandbox at will. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as, join, logIn, type Person } from "../support/people.ts"

const run = promisify(execFile)

describe.skipIf(chromiumPath === null)(`developers in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let developer: Person
  beforeAll(async () => {
    world = await cabinetWorld({ agents: true })
    developer = await logIn(world.service, "77015550005")
    await join(world.service, world.organizationId, developer, "developer")
  })
  afterAll(() => world?.stop())

  it("have a sample that works with the key just made, see the request, and find no key afterwards", async () => {
    const { organizationId, enter, service } = world
    const visitor = await enter(developer, `${organizationId}/developers`, { width: 1280 })
    const { page } = visitor
    const start = page.getByRole("region", { name: "First payment in five minutes" })
    await start.getByText("You need an API key.", { exact: false }).waitFor()
    await page.getByText("No requests in the last 24 hours.").waitFor()
    await start.getByRole("button", { name: "New key" }).press("Enter")
    const dialog = page.getByRole("dialog", { name: "New key" })
    await dialog.getByLabel("Name").fill("Shop")
    await page.keyboard.press("Enter")
    const ready = page.getByRole("dialog", { name: "The key is ready" })
    const key = (await ready.getByRole("status").textContent()) ?? ""
    await ready.getByRole("button", { name: "I have kept it" }).click()
    const sample = start.getByLabel("Sample")
    await start.getByRole("button", { name: "JavaScript" }).click()
    await expect.poll(() => sample.inputValue()).toContain(key)
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", await sample.inputValue()])
    expect(stdout).toMatch(/^201 http:\/\/\S+\/pay\/inv_\w+\n$/)

    const bad = { method: "POST", headers: { "x-api-key": key, "x-request-id": "odd-one" }, body: "{}" }
    expect((await fetch(`${service.url}/api/v1/invoices`, bad)).status).toBe(415)
    const log = page.getByRole("region", { name: "Requests of the last day" })
    await log.getByRole("listitem").filter({ hasText: "POST /api/v1/invoices" }).nth(1).waitFor()
    await log.getByText("odd-one").waitFor()
    await log.getByRole("button", { name: "Errors" }).click()
    await expect.poll(() => log.getByRole("listitem").count()).toBe(1)
    await log.getByText("unsupported_media_type").waitFor()
    await log.getByText(`key …${key.slice(-4)}`, { exact: false }).waitFor()
    await log.getByLabel("Request id").fill("another")
    await log.getByText("No such request in the last day.").waitFor()
    await log.getByLabel("Request id").fill("odd-one")
    await log.getByText("odd-one").waitFor()
    await fits(page, "requests")

    await page.reload()
    await start.getByText(`your key that ends with ${key.slice(-4)}`, { exact: false }).waitFor()
    for (const name of ["curl", "JavaScript", "Python", "PHP"]) {
      await start.getByRole("button", { name }).click()
      await expect.poll(() => sample.inputValue()).toContain(`svc_test_…${key.slice(-4)}`)
    }
    const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, history.state, location.href])")
    expect(kept).not.toContain(key)
    expect(await page.content()).not.toContain(key)
    const rates = page.getByRole("region", { name: "Errors of the last day" })
    await rates.locator("canvas").waitFor()
    await rates.locator("summary").press("Enter")
    await rates.getByRole("row").filter({ hasText: "50 %" }).first().waitFor()
    await expect.poll(() => rates.locator("tbody tr").count()).toBe(24)
    await fits(page, "rates")
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("move the clock of the sandbox, and have events happen", async () => {
    const { organizationId, enter, service, make } = world
    const id = await make(900)
    const visitor = await enter(developer, `${organizationId}/developers`, { width: 360, touch: true })
    const { page } = visitor
    const clock = page.getByRole("region", { name: "Clock of the sandbox" })
    await clock.getByText("on time").waitFor()
    await clock.getByLabel("By").selectOption("A week")
    await clock.getByRole("button", { name: "Move ahead" }).press("Enter")
    await clock.getByText(/^Done\. Fell due on the way: [1-9]/).waitFor()
    await clock.getByText("7 days ahead").waitFor()
    const invoice = `/panel/orgs/${organizationId}/invoices/${id}`
    expect((await as(service, developer, "GET", invoice)).body["status"]).toBe("expired")
    const trigger = page.getByRole("region", { name: "Have an event happen" })
    await trigger.getByLabel("Event").selectOption("Refunded in part")
    await trigger.getByRole("button", { name: "Let it happen" }).click()
    await trigger.getByText("Refunded in part").last().waitFor()
    // Nothing is half below the sections at the foot.
    await page.evaluate("scrollTo(0, 0)")
    await fits(page, "sandbox")
    await trigger.getByRole("link", { name: "It has happened to this invoice" }).click()
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/invoices\/inv_\w+$/)
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("find neither a sandbox to try nor the screen where they may not", async () => {
    const { organizationId, enter, service } = world
    const visitor = await enter(developer, `${organizationId}/developers?mode=live`, { width: 1280 })
    await visitor.page.getByText("These samples are of live mode", { exact: false }).waitFor()
    expect(await visitor.page.getByRole("region", { name: "Clock of the sandbox" }).count()).toBe(0)
    await visitor.close()
    const accountant = await logIn(service, "77015550006")
    await join(service, organizationId, accountant, "accountant")
    const other = await enter(accountant, `${organizationId}/developers`, { width: 1280 })
    await other.page.getByText("Your role lacks the right to this action.").waitFor()
    expect(await other.page.getByRole("region", { name: "Requests of the last day" }).count()).toBe(0)
    expect(await other.page.getByRole("link", { name: "Developers" }).count()).toBe(0)
    await other.close()
  })
})
