/** People log in to the cabinet in a real browser. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  type Visitor,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { eventually } from "../support/eventually.ts"
import { type Service, start } from "../support/service.ts"

const { codes } = defaults.login
const languages = ["Қазақша", "Русский", "English"]

describe.skipIf(chromiumPath === null)(`a person logs in with a browser${needsChromium}`, () => {
  let service: Service
  let browser: OpenBrowser
  beforeAll(async () => {
    service = await start({
      settings: { login: { ...defaults.login, codes: { ...codes, waitMs: 1, perAddress: 1e9 } } }
    })
    browser = await openBrowser()
    // Here the cabinet is built if it is not, which takes its time.
    await fetch(`${service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  let serial = 1_000_000
  const freshPhone = () => `701${++serial}`
  const codeOf = (phone: string) => service.codes.get(`7${phone}`) ?? ""
  const wrong = (code: string) => (code === "000000" ? "000001" : "000000")
  // The browser itself logs each answer that refuses.
  const unexpected = ({ troubles }: Visitor) => troubles.filter((text) => !/status of 4\d\d/.test(text))

  const open = async (path = "profile", view: Parameters<OpenBrowser["visitor"]>[0] = {}) => {
    const visitor = await browser.visitor(view)
    await visitor.page.goto(`${service.url}/cabinet/${path}`)
    return visitor
  }
  const askFor = async ({ page }: Visitor, phone: string) => {
    await page.getByLabel("Phone").fill(phone)
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Enter the code" }).waitFor()
  }
  const logIn = async (visitor: Visitor, phone = freshPhone()) => {
    await askFor(visitor, phone)
    await visitor.page.getByLabel("Code", { exact: true }).fill(codeOf(phone))
    await visitor.page.getByRole("heading", { name: "Profile" }).waitFor()
    return phone
  }
  const fits = async (page: Visitor["page"], view: ReadonlyArray<unknown>) => {
    const over = await page.evaluate("Math.max(0, document.documentElement.scrollWidth - innerWidth)")
    expect([view, over]).toEqual([view, 0])
    expect([view, await violationsOf(page)]).toEqual([view, []])
  }
  const lookAround = async ({ page }: Visitor, name: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        await fits(page, [name, width, colorScheme])
      }
    }
  }
  /** Every size, theme and language of the page as it is, without loading it anew. */
  const lookAtAll = async ({ page }: Visitor, name: string) => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        for (const language of languages) {
          await page.getByRole("button", { name: language }).click()
          await page.locator(`[lang]:has-text("${language}")[aria-pressed="true"]`).waitFor()
          await fits(page, [name, width, colorScheme, language])
        }
      }
    }
  }

  it("by phone and code, and finds their own screen, at every size, in every theme and language", async () => {
    const visitor = await open()
    await lookAtAll(visitor, "login")
    await logIn(visitor)
    await lookAtAll(visitor, "profile")
    // As it was chosen last, also after the page is loaded anew.
    await visitor.page.getByRole("button", { name: "Русский" }).click()
    await visitor.page.reload()
    await visitor.page.getByRole("heading", { name: "Профиль" }).waitFor()
    expect(await visitor.page.evaluate("document.documentElement.lang")).toBe("ru")
    expect(await visitor.page.evaluate("JSON.stringify(localStorage)")).not.toMatch(/701|ses_|token/)
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("understands phones as they are pasted, and says what is wrong with others", async () => {
    const visitor = await open()
    const { page } = visitor
    await page.getByLabel("Phone").fill("701 12")
    await page.keyboard.press("Enter")
    await page.getByText("Enter all ten digits after +7.").waitFor()
    expect(await page.getByLabel("Phone").evaluate((element) => element === document.activeElement)).toBe(true)
    const phone = freshPhone()
    await askFor(visitor, `8 (${phone.slice(0, 3)}) ${phone.slice(3, 6)}-${phone.slice(6, 8)}-${phone.slice(8)}`)
    expect(codeOf(phone)).toMatch(/^\d{6}$/)
    expect(unexpected(visitor)).toEqual([])
    await visitor.close()
  })

  it("tries a wrong code, and has a new one sent once the old one is spent", async () => {
    const visitor = await open()
    const { page } = visitor
    const phone = freshPhone()
    await askFor(visitor, phone)
    const code = codeOf(phone)
    const input = page.getByLabel("Code", { exact: true })
    for (let tries = 1; tries <= 5; tries++) {
      const answered = page.waitForResponse(/login\/verify/)
      await input.fill("")
      await input.fill(wrong(code))
      await answered
      await page.getByText("The code is wrong.").waitFor()
    }
    expect(await violationsOf(page)).toEqual([])
    await input.fill("")
    await input.fill(code)
    await page.getByText("Too many wrong codes.").waitFor()
    await page.getByRole("button", { name: "Send a new code" }).click()
    await eventually(() => expect(codeOf(phone)).not.toBe(code))
    // The field is emptied when the answer has come, and what was typed before with it.
    await expect.poll(() => input.inputValue()).toBe("")
    await input.fill(codeOf(phone))
    await page.getByRole("heading", { name: "Profile" }).waitFor()
    expect(unexpected(visitor)).toEqual([])
    await visitor.close()
  })

  it("registers with a name, by the link of a friend, with the keyboard alone", async () => {
    const visitor = await open("join?ref=MARAT7")
    const { page } = visitor
    await page.getByText("Invited with the code MARAT7").waitFor()
    const phone = freshPhone()
    await page.keyboard.type(phone)
    await page.keyboard.press("Tab")
    await page.keyboard.type("Aliya")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Enter the code" }).waitFor()
    await page.keyboard.type(codeOf(phone))
    await page.getByRole("heading", { name: "Open your organization" }).waitFor()
    expect(await page.getByLabel("Referral code").inputValue()).toBe("MARAT7")
    await page.getByRole("button", { name: "Not now" }).click()
    await page.getByRole("heading", { name: "Aliya" }).waitFor()
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("is told how long to wait once they have asked for too many codes", async () => {
    const phone = freshPhone()
    for (let count = 0; count < codes.perPhone; count++) {
      await call(service, "POST", "/panel/login/code", { body: { phone: `7${phone}` } })
    }
    const visitor = await open()
    await visitor.page.getByLabel("Phone").fill(phone)
    await visitor.page.keyboard.press("Enter")
    await visitor.page.getByText("The code was requested too often.").waitFor()
    await visitor.page.getByRole("button", { name: /^A new code in 23:5\d:\d\d$/ }).waitFor()
    expect(await violationsOf(visitor.page)).toEqual([])
    await visitor.close()
  })

  it("ends a session elsewhere; when theirs has ended, logs in again in place and goes on", async () => {
    const [here, there] = [await open(), await open()]
    const phone = await logIn(here)
    await logIn(there, phone)
    await here.page.reload()
    await here.page.getByRole("button", { name: /^End: Chrome/ }).click()
    await here.page.getByText("Session ended").waitFor()
    // There, the next thing that is begun is refused; it is done once the person is back.
    await there.page.reload()
    await there.page.getByRole("heading", { name: "Log in to the cabinet" }).waitFor()
    await logIn(there, phone)
    await here.page.reload()
    await here.page.getByRole("button", { name: /^End: Chrome/ }).waitFor()
    const [cookie] = await here.page.context().cookies(`${service.url}/panel`)
    await call(service, "POST", "/panel/logout", { headers: { authorization: `Bearer ${cookie?.value}` } })
    await here.page.getByRole("button", { name: /^End: Chrome/ }).click()
    const dialog = here.page.getByRole("dialog", { name: "Log in again" })
    await dialog.waitFor()
    expect(await violationsOf(here.page)).toEqual([])
    await here.page.keyboard.press("Escape")
    await dialog.getByLabel("Phone").fill(phone)
    await here.page.keyboard.press("Enter")
    await here.page.getByLabel("Code", { exact: true }).waitFor()
    await here.page.getByLabel("Code", { exact: true }).fill(codeOf(phone))
    await dialog.waitFor({ state: "detached" })
    await here.page.getByText("Session ended").last().waitFor()
    expect(unexpected(here)).toEqual([])
    await there.close()
    await here.close()
  })

  it("finds their organization in the mode that they look at, and none of which they are no member", async () => {
    const phone = freshPhone()
    const made = await service.run(
      Engine.use(({ organizations }) => organizations.create({ name: "Dastarkhan", ownerPhone: `7${phone}` }))
    )
    const organizationId = made.organization.id
    const { apiKey } = await service.key({ organizationId })
    const visitor = await open("")
    const { page } = visitor
    await askFor(visitor, phone)
    await page.getByLabel("Code", { exact: true }).fill(codeOf(phone))
    await page.getByRole("heading", { name: "Dastarkhan" }).waitFor()
    expect(page.url()).toBe(`${service.url}/cabinet/${organizationId}`)
    await page.getByText("Sandbox: no money moves here").waitFor()
    await page
      .getByText(/^0 of /)
      .first()
      .waitFor()
    await lookAround(visitor, "home")
    await page.getByRole("link", { name: "API keys" }).click()
    await page.getByText(`…${apiKey.slice(-4)}`).waitFor()
    await lookAround(visitor, "keys")
    await page.getByRole("button", { name: "Live", exact: true }).click()
    await page.getByRole("heading", { name: "No keys yet" }).waitFor()
    expect(new URL(page.url()).search).toBe("?mode=live")
    expect(await page.getByText("no money moves here").count()).toBe(0)
    await page.goto(`${service.url}/cabinet/org_other/keys`)
    await page.getByRole("heading", { name: "Page not found" }).waitFor()
    await lookAround(visitor, "nowhere")
    await page.getByRole("button", { name: "Organization: Dastarkhan" }).click()
    await page.getByRole("menuitem", { name: "Dastarkhan" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Dastarkhan" }).waitFor()
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })

  it("is told when the service sends no codes, and what can be done", async () => {
    const silent = await start({ channels: [] })
    const visitor = await browser.visitor()
    await visitor.page.goto(`${silent.url}/cabinet/`)
    await visitor.page.getByLabel("Phone").fill(freshPhone())
    await visitor.page.keyboard.press("Enter")
    await visitor.page.getByText("There is no channel to send the code through.").waitFor()
    await visitor.page.getByText("The operator has to set up how codes are sent").waitFor()
    await visitor.close()
    await silent.stop()
  })
})
