/**
 * `npm run speed`: how soon the login and screens of the cabinet can be used with a CPU four times slower than this
 * one, from nothing in the browser's cache. It prints and judges nothing: another machine has other numbers.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { endBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { serve } from "@tolem/testing-harness/Program"
import { logInWith } from "./lib/CabinetTour.ts"

const slower = 4
const times = 3

/** Each with what a person begins with there. */
const screens = [
  { name: "login", path: "", isInside: false, first: 'input[type="tel"]' },
  { name: "overview", path: "org_demo", isInside: true, first: "main h2" },
  { name: "till", path: "org_demo/charge", isInside: true, first: 'input[inputmode="none"]' },
  { name: "invoices", path: "org_demo/invoices", isInside: true, first: "tbody a" },
  { name: "settings", path: "org_demo/settings", isInside: true, first: 'input[name="name"]' }
]

const folder = mkdtempSync(join(tmpdir(), "tolem-speed-"))
const server = await serve(["start", "--login-channel", "console"], { cwd: folder })
const browser = await openBrowser()

/** Milliseconds from the beginning of the navigation until what a person begins with is there and answers. */
const measure = async ({ path, isInside, first }: (typeof screens)[number], cookies: Cookies): Promise<number> => {
  const { page, close } = await browser.visitor({ width: 360, touch: true })
  if (isInside) await page.context().addCookies(cookies)
  await page.addInitScript(`localStorage.tolem = '${JSON.stringify(isInside ? { returns: true } : {})}'`)
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower })
  await page.goto(`${server.url}/cabinet/${path}`, { waitUntil: "commit" })
  await page.locator(first).first().waitFor()
  const ms = Number(await page.evaluate("new Promise((done) => requestAnimationFrame(() => done(performance.now())))"))
  await close()
  return ms
}

type Cookies = Awaited<ReturnType<typeof logInWith>>

try {
  const cookies = await logInWith(server)
  for (const screen of screens) {
    const found: Array<number> = []
    for (let count = 0; count < times; count++) found.push(await measure(screen, cookies))
    const shown = found.toSorted((a, b) => a - b).map((ms) => `${(ms / 1000).toFixed(2)} s`)
    console.log(`${screen.name}: ${shown.join(", ")}`)
  }
} finally {
  await endBrowser()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
