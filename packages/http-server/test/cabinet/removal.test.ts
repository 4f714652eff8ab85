/** What is removed on a screen of its own, which is still there for a moment and reads itself anew by the clock. */
import { chromiumPath, needsChromium, type Visitor } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, goOn } from "../support/cabinet.ts"
import { as } from "../support/people.ts"

type Page = Visitor["page"]

/** What has a screen of its own: the call that makes it, the screen of all of them, and the body of one. */
type Kind = readonly [call: string, screen: string, body: Record<string, string>]

const kinds: ReadonlyArray<Kind> = [
  ["webhook-endpoints", "webhooks", { url: "http://localhost:9/old" }],
  ["payment-links", "links", { title: "Donation", amountMode: "free" }],
  ["form-hooks", "forms", { name: "Order form" }]
]

/** Longer than the slowest clock of the screens. */
const aWhile = 20_000

const confirm = async (page: Page) => {
  await page.getByRole("button", { name: "Remove" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.waitFor()
  const typed = dialog.getByRole("textbox")
  if ((await typed.count()) === 1) await typed.fill("localhost:9")
  await dialog.getByRole("button", { name: "Remove" }).click()
}

describe.skipIf(chromiumPath === null)(`what is removed in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  /** The screen of one that was just made, with a clock of the test's, and an answer to its removal that is held. */
  const open = async ([call, screen, body]: Kind, { isRefused = false } = {}) => {
    const { service, enter, owner, organizationId } = world
    const calls = `/panel/orgs/${organizationId}/${call}`
    const made = await as(service, owner, "POST", calls, body)
    const one = `/${made.body["id"]}`
    const { page, troubles, close } = await enter(owner, `${organizationId}/${screen}`, { fresh: true })
    await page.clock.install({ time: service.time.now })
    await page.reload()
    await page.locator("h1").waitFor()
    await goOn(page, `${organizationId}/${screen}${one}`)
    await page.getByRole("button", { name: "Remove" }).waitFor()
    const held = Promise.withResolvers<void>()
    const removed = Promise.withResolvers<void>()
    const reads: Array<string> = []
    await page.route(new RegExp(`/${call}${one}`), async (route) => {
      const request = route.request()
      if (request.method() !== "DELETE") {
        reads.push(new URL(request.url()).pathname)
        return route.continue()
      }
      reads.length = 0
      if (isRefused) {
        removed.resolve()
        await held.promise
        return route.fulfill({ status: 503, json: { code: "unavailable", message: "Not now" } })
      }
      // What the browser adds is not added to what is fetched here.
      const headers = { ...(await request.allHeaders()), "sec-fetch-site": "same-origin" }
      const response = await route.fetch({ headers })
      removed.resolve()
      await held.promise
      await route.fulfill({ response })
    })
    return { page, one, troubles, close, reads, removed: removed.promise, answer: held.resolve }
  }

  it.each(kinds)("is not read while its screen is still there, and not kept: %s", async (...kind) => {
    const { page, troubles, close, reads, removed, answer } = await open(kind)
    // A clock that runs on has the screen read again.
    await page.clock.fastForward(aWhile)
    await expect.poll(() => reads.length).toBeGreaterThan(0)
    await confirm(page)
    await removed
    await page.clock.fastForward(aWhile)
    answer()
    await page.waitForURL(new RegExp(`/${kind[1]}(\\?|$)`))
    await page.getByText("Removed").first().waitFor()
    expect([reads, troubles]).toEqual([[], []])
    // Those who go back are told that it is not there any more.
    await page.goBack()
    await page.getByRole("alert").getByText("Not found").waitFor()
    expect(await page.getByRole("button", { name: "Remove" }).count()).toBe(0)
    await close()
  })

  it("is looked for again, if its screen is opened anew before the removal has ended", async () => {
    const { page, troubles, close, removed, answer } = await open(kinds[2]!)
    await confirm(page)
    await removed
    const listed = Promise.withResolvers<void>()
    // The list that is read anew belongs to the removal.
    const asked = page.waitForRequest(/\/form-hooks\?/)
    await page.route(/\/form-hooks\?/, async (route) => {
      await listed.promise
      await route.continue()
    })
    answer()
    await asked
    await page.goBack()
    await page.waitForURL(/\/forms\/[^/]+$/)
    expect(troubles).toEqual([])
    listed.resolve()
    await page.getByRole("alert").getByText("Not found").waitFor()
    await close()
  })

  it("is not read for news of it", async () => {
    const { service, enter, owner, organizationId } = world
    const { page, troubles, close, reads, removed, answer } = await open(kinds[0]!)
    const other = await enter(owner, `${organizationId}/webhooks`)
    await other.page.getByText("localhost:9/old").waitFor()
    await confirm(page)
    await removed
    // Both windows are told before the one that asked for it has an answer.
    await other.page.getByText("localhost:9/old").waitFor({ state: "detached" })
    const address = { url: "http://localhost:9/new" }
    await as(service, owner, "POST", `/panel/orgs/${organizationId}/webhook-endpoints`, address)
    await other.page.getByText("localhost:9/new").waitFor()
    answer()
    await page.getByText("localhost:9/new").waitFor()
    expect([reads, troubles, other.troubles]).toEqual([[], [], []])
    await close()
    await other.close()
  })

  it.each(kinds)("is read again as it is if it could not be removed: %s", async (...kind) => {
    const { page, one, close, reads, removed, answer } = await open(kind, { isRefused: true })
    await confirm(page)
    await removed
    await page.clock.fastForward(aWhile)
    expect(reads).toEqual([])
    answer()
    await page.getByRole("dialog").getByRole("alert").waitFor()
    // That of a form hook itself is asked for by no clock.
    await expect.poll(() => reads.some((path) => path.endsWith(one))).toBe(true)
    await close()
  })

  it("leads those to the list who are still there, and no one else", async () => {
    const { organizationId } = world
    const { page, troubles, close, removed, answer } = await open(kinds[1]!)
    await confirm(page)
    await removed
    await goOn(page, `${organizationId}/reports`)
    answer()
    await page.getByText("Removed").first().waitFor()
    expect(page.url()).toMatch(/\/reports$/)
    expect(troubles).toEqual([])
    await close()
  })
})
