/** Screens that are looked at show what others change, without being read again by hand. */
import { chromiumPath, needsChromium, type Visitor } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld } from "../support/cabinet.ts"
import { as } from "../support/people.ts"

type Page = Visitor["page"]

/** How often the window has asked for changes. */
const streamsOf = (page: Page) => {
  const asked: Array<string> = []
  page.on("request", (request) => {
    if (new URL(request.url()).pathname.endsWith("/changes")) asked.push(request.url())
  })
  return asked
}

/**
 * Holds what the page asks for of this address, if it is asked with these words, until `goOn` is called.
 * `caught`: when the first of it is held, for whatever reason it was asked: the opening of the stream is one.
 */
const hold = async (page: Page, pathname: string, isMeant: (query: URLSearchParams) => boolean) => {
  const gate = Promise.withResolvers<void>()
  const first = Promise.withResolvers<void>()
  await page.route(
    (url) => url.pathname === pathname && isMeant(url.searchParams),
    async (route) => {
      first.resolve()
      await gate.promise
      await route.continue()
    }
  )
  return { caught: first.promise, goOn: gate.resolve }
}

/** The window is put behind another one, or is seen again. */
const look = (page: Page, state: "hidden" | "visible") =>
  page.evaluate(`Object.defineProperty(document, "visibilityState", { configurable: true, value: "${state}" });
    document.dispatchEvent(new Event("visibilitychange"))`)

describe.skipIf(chromiumPath === null)(`changes in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld()
  })
  afterAll(() => world?.stop())

  it("are shown in lists and sums as they happen", async () => {
    const { enter, owner, organizationId, make } = world
    await make(700)
    const { page, troubles, close } = await enter(owner, `${organizationId}/invoices`, { width: 1280 })
    const rows = page.locator("tbody tr")
    await rows.getByText(/^700.₸$/).waitFor()
    // Nothing reads this list again by the clock.
    await make(4_300, "paid")
    await rows.getByText(/^4.300.₸$/).waitFor()
    await page
      .getByRole("status")
      .getByText(/4.300.₸/)
      .waitFor()
    await expect.poll(() => rows.count()).toBe(2)
    expect(troubles).toEqual([])
    await close()
  })

  it("are told of all that is read after the stream is open: nothing of it is read again for that", async () => {
    const { service, enter, owner, organizationId, make } = world
    const { page, troubles, close } = await enter(owner, "profile", { width: 1280 })
    const asked: Array<string> = []
    page.on("request", (request) => void asked.push(new URL(request.url()).pathname))
    const told = page.waitForResponse(/\/changes\?/)
    await page.route(/\/assets\/Invoices-[^/]*\.js$/, async (route) => {
      await told
      await route.continue()
    })
    await page.goto(`${service.url}/cabinet/${organizationId}/invoices`)
    const rows = page.locator("tbody tr")
    await rows.first().waitFor()
    await make(1_234)
    await rows.getByText(/^1.234.₸$/).waitFor()
    // A new invoice has none of this read again.
    expect(asked.filter((each) => each === `/panel/orgs/${organizationId}`)).toHaveLength(1)
    expect(troubles).toEqual([])
    await close()
  })

  it("are shown of cashiers, who are in no event", async () => {
    const { service, enter, owner, organizationId } = world
    const { page, troubles, close } = await enter(owner, `${organizationId}/cashiers`)
    await page.locator("h1").waitFor()
    const made = await as(service, owner, "POST", `/panel/orgs/${organizationId}/connections`, { name: "Till 7" })
    expect(made.status).toBe(201)
    // This list, too, is read by no clock.
    await page.getByText("Till 7").first().waitFor()
    expect(troubles).toEqual([])
    await close()
  })

  it("cost a window that is hidden no connection, and are all there when it is seen again", async () => {
    const { enter, owner, organizationId, make } = world
    const { page, troubles, close } = await enter(owner, `${organizationId}/invoices`, { width: 1280 })
    await page.locator("tbody tr").first().waitFor()
    const asked = streamsOf(page)
    await look(page, "hidden")
    await make(5_500)
    await look(page, "visible")
    await page
      .locator("tbody tr")
      .getByText(/^5.500.₸$/)
      .waitFor()
    expect(asked).toHaveLength(1)
    expect(troubles).toEqual([])
    await close()
  })

  it("wait for the page of a list that is being read, and a page for the changes that are", async () => {
    const { enter, owner, organizationId, make } = world
    for (let serial = 1; serial <= 26; serial++) await make(serial * 10)
    const { page, troubles, close } = await enter(owner, `${organizationId}/invoices`, { width: 1280 })
    const rows = page.locator("tbody tr")
    const more = page.getByRole("button", { name: "Show more" })
    const list = `/panel/orgs/${organizationId}/invoices`
    await expect.poll(() => rows.count()).toBe(25)
    const further = await hold(page, list, (query) => query.has("after"))
    await more.click()
    await further.caught
    const told = page.waitForRequest(/\/sums(\?|$)/)
    await make(6_100)
    await told
    further.goOn()
    await rows.getByText(/^6.100.₸$/).waitFor()
    await expect.poll(() => rows.count()).toBeGreaterThan(26)

    await page.reload()
    await expect.poll(() => rows.count()).toBe(25)
    const again = await hold(page, list, (query) => !query.has("after"))
    await make(6_200)
    await again.caught
    await more.click()
    await expect.poll(() => more.getAttribute("aria-busy")).toBe("true")
    again.goOn()
    await rows.getByText(/^6.200.₸$/).waitFor()
    await expect.poll(() => rows.count()).toBeGreaterThan(26)
    expect(troubles).toEqual([])
    await close()
  })
})
