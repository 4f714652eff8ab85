/** How the platform fares, and what needs a person, in the console in a real browser. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { Engine } from "@tolem/core/engine/Engine"
import { ServerStore } from "@tolem/core/platform/ServerStore"
import { freshId } from "@tolem/testing/fixtures"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { agentOf, serverOf } from "@tolem/testing/storage/PlatformCases"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits, goOn } from "../support/cabinet.ts"
import { logIn, type Person } from "../support/people.ts"

const minuteMs = 60_000

describe.skipIf(chromiumPath === null)(`the platform in the console${needsChromium}`, () => {
  let world: CabinetWorld
  let operator: Person
  let now: number
  beforeAll(async () => {
    world = await cabinetWorld()
    operator = await logIn(world.service, "77015550411")
    const { operators } = await world.service.run(Engine)
    await world.service.run(operators.grant(operator.phone))
    now = Date.now()
  })
  afterAll(() => world?.stop())

  const tell = async (...servers: ReadonlyArray<Parameters<typeof serverOf>[0]>) => {
    const store = await world.service.run(ServerStore)
    for (const server of servers) await world.service.run(store.tell(serverOf({ startedAt: now, ...server })))
  }

  it("says on top what is not well, in sentences, and by itself that it is well again", async () => {
    const { page, troubles, close } = await world.enter(operator, "operator/health", { width: 1280 })
    const main = page.getByRole("main")
    const said = main.getByRole("status")
    await expect.poll(() => said.textContent()).toBe("One thing is not well")
    await main.getByRole("listitem").filter({ hasText: "No server says that it runs" }).waitFor()

    const standing = agentOf({ agent: "WebhookDispatcher", everyMs: 1000, succeededAt: now - 12 * minuteMs - 5000 })
    const failing = agentOf({ agent: "MailDispatcher", succeededAt: now, failedAt: now, failedInRow: 3 })
    const later = agentOf({ agent: "NewAgent", succeededAt: now + 5 * minuteMs, tookMs: 40 })
    await tell(
      { id: "srv_one", seenAt: now, agents: [standing, failing, later] },
      { id: "srv_gone", seenAt: now - 7 * 3_600_000 - 60_000, agents: [] }
    )
    // It is looked at again without anyone asking for it.
    await expect.poll(() => said.textContent()).toBe("3 things are not well")
    const sentences = main.getByRole("listitem")
    await sentences.filter({ hasText: "Sends webhooks: has not run for 12 min" }).waitFor()
    await sentences.filter({ hasText: "Sends letters: has failed 3 times in a row" }).waitFor()
    await sentences.filter({ hasText: "Server srv_gone has been silent for 7 h" }).waitFor()
    const row = page.getByRole("table", { name: "Agents" }).getByRole("row")
    await expect
      .poll(() => row.filter({ hasText: "WebhookDispatcher" }).locator("td").last().textContent())
      .toBe("stands")
    expect(await row.filter({ hasText: "NewAgent" }).locator("td").allTextContents()).toEqual(
      expect.arrayContaining(["40 ms", "works"])
    )
    const due = page.getByRole("table", { name: "What is due" }).getByRole("row")
    await due.filter({ hasText: "Letters to be sent" }).getByText("in time").waitFor()
    await fits(page, "troubles")

    await tell(
      { id: "srv_one", seenAt: now, agents: [later] },
      { id: "srv_gone", seenAt: now, endedAt: now, agents: [] }
    )
    await expect.poll(() => said.textContent()).toBe("All is well")
    await main.getByText("Servers that run: 1.").waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it("says that what it shows is old once the server does not answer", async () => {
    await tell({ id: "srv_two", seenAt: now, agents: [] })
    const { page, close } = await world.enter(operator, "operator/health", { width: 1280 })
    await page.getByRole("table", { name: "What is due" }).waitFor()
    await page.route("**/panel/operator/health", (route) => route.abort())
    await page.getByText(/^The platform does not answer now/).waitFor()
    await page.getByRole("table", { name: "What is due" }).waitFor()
    await close()
  })

  it("counts what needs a person by kind, and lists it without a word of customers", async () => {
    const { service, owner, organizationId } = world
    const store = await service.run(ConnectionStore)
    const lost = Array.from({ length: 52 }, (_, index) =>
      connectionOf({ id: freshId("con"), organizationId, name: "Aliya", status: "expired", createdAt: now + index })
    )
    for (const connection of lost) await service.run(store.add(connection))
    const { page, troubles, close } = await world.enter(operator, "operator/work", { width: 1280 })
    const main = page.getByRole("main")
    const kind = main.getByRole("listitem").filter({ hasText: "Cashiers without a session" })
    await expect.poll(() => kind.locator("strong").textContent()).toBe("52")
    await main.getByRole("listitem").filter({ hasText: "Letters that could not be sent" }).getByText("none").waitFor()
    await kind.getByRole("link").press("Enter")
    await page.getByRole("heading", { name: "Cashiers without a session", level: 1 }).waitFor()
    const things = main.getByRole("listitem")
    await expect.poll(() => things.count()).toBe(50)
    await main.getByRole("button", { name: "Show more" }).press("Enter")
    await expect.poll(() => things.count()).toBe(52)
    expect(await main.textContent()).not.toContain("Aliya")
    expect(await main.textContent()).not.toContain(owner.phone)
    await fits(page, "a kind of work")
    await things.first().getByRole("link", { name: "Dastarkhan" }).press("Enter")
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/cabinet/operator/merchants/${organizationId}`)
    expect(troubles).toEqual([])
    await close()
  })

  it.each([
    { width: 360, dark: true, locale: "kk-KZ", name: "Күйі" },
    { width: 1280, dark: false, locale: "ru-RU", name: "Состояние" }
  ])("fits a window of $width px in $locale", async ({ name, ...view }) => {
    const paths = ["operator/health", "operator/work", "operator/work/letter_failed", "operator/work/none"]
    const visitor = await world.enter(operator, "profile", view)
    const { page } = visitor
    await page.locator("h1").first().waitFor()
    for (const path of paths) {
      await goOn(page, path)
      const read = page.getByRole("main").getByRole("heading", { level: 2 }).or(page.getByRole("alert"))
      await read.first().waitFor()
      expect(await page.getByRole("navigation").getByRole("link", { name }).count(), path).toBe(1)
      await fits(page, path)
    }
    await visitor.close()
  })
})
