/**
 * `npm run speed`: how soon the login and screens of the cabinet can be used with a CPU four times slower than this
 * one, from nothing in the browser's cache, and what of that is work of the page: on a machine that others use too the
 * first grows with their work, the second hardly. It judges nothing: another machine has other numbers.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { endBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { median, table } from "../bench/src/Table.ts"
import { serveShop } from "./lib/CabinetShop.ts"

const slower = 4
const times = 5
const wantedMs = 2000

/** Each with what a person begins with there. */
const screens = [
  { name: "login", path: "", isInside: false, first: 'input[type="tel"]' },
  { name: "overview", path: "org_demo", isInside: true, first: "main h2" },
  { name: "till", path: "org_demo/charge", isInside: true, first: 'input[inputmode="none"]' },
  { name: "invoices", path: "org_demo/invoices", isInside: true, first: "tbody a" },
  { name: "settings", path: "org_demo/settings", isInside: true, first: 'input[name="name"]' }
]

const folder = mkdtempSync(join(tmpdir(), "tolem-speed-"))
const { server, cookies } = await serveShop(folder)
const browser = await openBrowser({ isMeasured: true })

/** From the beginning of the navigation until what a person begins with is there and answers. */
interface Opening {
  readonly ms: number
  /** CPU time of the page's own thread, in which its scripts run and it is laid out. */
  readonly cpuMs: number
}

const measure = async ({ path, isInside, first }: (typeof screens)[number], rate: number): Promise<Opening> => {
  const { page, runFirst, close } = await browser.visitor({ width: 360, touch: true, fresh: true })
  if (isInside) await page.context().addCookies(cookies)
  await runFirst(`localStorage.tolem = '${JSON.stringify(isInside ? { returns: true } : {})}'`)
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  await session.send("Emulation.setCPUThrottlingRate", { rate })
  await page.goto(`${server.url}/cabinet/${path}`, { waitUntil: "commit" })
  await page.locator(first).first().waitFor()
  const ms = Number(await page.evaluate("new Promise((done) => requestAnimationFrame(() => done(performance.now())))"))
  const { metrics } = await session.send("Performance.getMetrics")
  const cpuMs = 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0)
  await close()
  return { ms, cpuMs }
}

const seconds = (all: ReadonlyArray<number>): string =>
  `${[median(all), Math.min(...all), Math.max(...all)].map((ms) => (ms / 1000).toFixed(2)).join(" s, ")} s`

try {
  await measure(screens[0]!, 1) // the cabinet is built if it is not, and the browser gets going
  const rows: Array<ReadonlyArray<string>> = []
  for (const screen of screens) {
    const slow: Array<number> = []
    const work: Array<number> = []
    for (let count = 0; count < times; count++) {
      slow.push((await measure(screen, slower)).ms)
      work.push((await measure(screen, 1)).cpuMs * slower)
    }
    const met = median(slow) < wantedMs ? "yes" : "NO"
    rows.push([screen.name, seconds(slow), seconds(work), `${wantedMs / 1000} s`, met])
  }
  const head = [`CPU ${slower} times slower`, "can be used: median, best, worst", "work of the page", "below", "met"]
  console.log(table(head, rows))
  console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await endBrowser()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
