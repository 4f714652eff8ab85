/** The cabinet in a real browser: a merchant who has logged in, and what is asked of each screen. */
import { type OpenBrowser, openBrowser, type Visitor, violationsOf } from "@tolem/testing-harness/Browser"
import { expect } from "vitest"
import { as, logIn, type Person } from "./people.ts"
import { type Given, type Service, start } from "./service.ts"

type View = Parameters<OpenBrowser["visitor"]>[0]

/** Opens a screen of the cabinet as a person who has logged in. */
export const openScreen = async (
  browser: OpenBrowser,
  url: string,
  { token }: Pick<Person, "token">,
  path: string,
  view: View = {}
): Promise<Visitor> => {
  const visitor = await browser.visitor(view)
  await visitor.page
    .context()
    .addCookies([{ name: "tolem_session", value: token, url: `${url}/panel`, httpOnly: true }])
  await visitor.runFirst(`localStorage.tolem ??= '{"returns":true}'`)
  await visitor.page.goto(`${url}/cabinet/${path}`)
  return visitor
}

/**
 * Goes on to another screen of the cabinet as a link there does, and waits for its heading. The cabinet is not loaded
 * anew: that takes twice as long as to show a screen.
 */
export const goOn = async (page: Visitor["page"], path: string): Promise<void> => {
  await page.evaluate(`document.querySelector("h1").dataset.left = ""
    history.pushState(null, "", ${JSON.stringify(`/cabinet/${path}`)})`)
  await page.locator("h1:not([data-left])").first().waitFor()
}

/** Types the code that comes to a phone after this earlier one, once the dialog has a place for it. */
export const giveCode = async (
  { codes }: Service,
  dialog: ReturnType<Visitor["page"]["getByRole"]>,
  phone: string,
  earlier: string | undefined
): Promise<void> => {
  const field = dialog.getByLabel("Code")
  await field.waitFor()
  await expect.poll(() => codes.get(phone)).not.toBe(earlier)
  await field.fill(codes.get(phone) ?? "")
}

/** Expects of a screen that it is as wide as its window, and that axe finds nothing. */
export const fits = async (page: Visitor["page"], name: string): Promise<void> => {
  const over = await page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)")
  expect([name, over]).toEqual([name, 0])
  expect([name, await violationsOf(page)]).toEqual([name, []])
}

/** A server, a browser, and the owner of an organization there. */
export interface CabinetWorld {
  readonly service: Service
  readonly browser: OpenBrowser
  readonly owner: Person
  readonly organizationId: string
  readonly enter: (person: Person, path: string, view?: View) => Promise<Visitor>
  /** Makes an invoice of the owner's organization, simulates a status of it, and answers its id. */
  readonly make: (amount: number, status?: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Starts them. The cabinet is built if it is not, which takes its time. */
export const cabinetWorld = async (given?: Given): Promise<CabinetWorld> => {
  const service = await start(given)
  const browser = await openBrowser()
  await fetch(`${service.url}/cabinet/`, { headers: { accept: "text/html" } })
  const owner = await logIn(service, "77015550001")
  const { body } = await as(service, owner, "POST", "/panel/orgs", { name: "Dastarkhan" })
  const organizationId = String(body["id"])
  const invoices = `/panel/orgs/${organizationId}/invoices`
  return {
    service,
    browser,
    owner,
    organizationId,
    enter: (person, path, view) => openScreen(browser, service.url, person, path, view),
    make: async (amount, status) => {
      const made = await as(service, owner, "POST", invoices, { amount })
      const id = String(made.body["id"])
      if (status !== undefined) await as(service, owner, "POST", `${invoices}/${id}/simulate`, { status })
      return id
    },
    stop: async () => {
      await browser.close()
      await service.stop()
    }
  }
}
