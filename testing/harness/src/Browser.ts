/**
 * Pages as customers see them: Chromium, driven by playwright-core. What a page logs as an error, throws, or is kept
 * from by its Content-Security-Policy is collected, and what axe finds. The browser is Debian's, if possible the build
 * that has no windows: the same pages in less than half of the CPU time. Without a browser tests of pages are skipped,
 * and say so.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core"

/** Where the browser is, or null; `TOLEM_TEST_CHROMIUM` names another one. */
export const chromiumPath: string | null =
  [
    process.env["TOLEM_TEST_CHROMIUM"],
    "/usr/bin/chromium-headless-shell",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser"
  ].find((path) => path !== undefined && existsSync(path)) ?? null

/** What stands behind the title of tests that are skipped without a browser. */
export const needsChromium =
  chromiumPath === null
    ? " (skipped: no Chromium; apt-get install chromium-headless-shell, or set TOLEM_TEST_CHROMIUM)"
    : ""

// It talks to the servers of the tests and to no one else, and is root's where tests are.
const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

/**
 * Most scripts of the tests' pages run a few times: to compile them once more, for speed, costs more than it saves. And
 * where as many browsers work as there are cores, threads beside a page's own have none to themselves.
 */
const unoptimized = "--js-flags=--no-opt --single-threaded"

/** How a page is looked at. */
export interface View {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  /** Default: English. */
  readonly locale?: string
  /** Whether scripts run; default: they do. */
  readonly scripts?: boolean
  /** Whether it is a phone, without a mouse. */
  readonly touch?: boolean
  /** Whether nothing was shown there before: no cache, nothing compiled. */
  readonly fresh?: boolean
}

/** A page, with what was wrong with it so far. */
export interface Visitor {
  readonly page: Page
  /** Errors and violations of the policy since the page was opened; none, where all is well. */
  readonly troubles: ReadonlyArray<string>
  /** Has a script run in each page of theirs before those of the page. */
  readonly runFirst: (script: string) => Promise<void>
  readonly close: () => Promise<void>
}

let launched: Promise<Browser> | undefined

/** One for all files of tests that run in this process, and ended with it. */
const launch = async (isMeasured: boolean): Promise<Browser> => {
  if (chromiumPath === null) throw new Error("no Chromium")
  const found = await launched
  if (found?.isConnected() === true) return found
  const args = isMeasured ? flags : [...flags, unoptimized]
  launched = chromium.launch({ executablePath: chromiumPath, args, headless: true })
  return launched
}

/** Ends the browser, for a program that is to end by itself. */
export const endBrowser = async (): Promise<void> => {
  const browser = await launched
  await browser?.close()
}

/** What a visitor may have changed. */
const asUsual = { media: null, reducedMotion: "reduce", forcedColors: null, contrast: null } as const

/** What only a new context can have otherwise. */
const optionsOf = ({ locale = "en", scripts = true, touch = false }: View): BrowserContextOptions => ({
  locale,
  javaScriptEnabled: scripts,
  hasTouch: touch,
  isMobile: touch
})

/** Tabs that visitors have left, by the options of their contexts, last left last. */
const left = new Map<string, Array<Page>>()

/** As many of a kind as a test has open at once. */
const maxLeft = 2

/** A tab that was left and still stands. */
const takeLeft = (kind: string): Page | undefined => {
  const pages = left.get(kind)?.filter((page) => !page.isClosed()) ?? []
  const page = pages.pop()
  left.set(kind, pages)
  return page
}

/** What of a visit has to be undone, besides what is asked of the tab itself. */
interface Traces {
  readonly origins: Set<string>
  readonly scripts: Array<AsyncDisposable>
}

/**
 * Makes of a tab that a visitor leaves one that knows nothing of them, and answers whether it is so. Only what the page
 * stored that they leave is cleared, and a clock that was set stays set.
 */
const clear = async (page: Page, { origins, scripts }: Traces): Promise<boolean> => {
  const context = page.context()
  if (origins.size > 1 || context.pages().length > 1 || !origins.has(new URL(page.url()).origin)) return false
  page.removeAllListeners()
  await page.unrouteAll({ behavior: "ignoreErrors" })
  await Promise.all(scripts.map((script) => script[Symbol.asyncDispose]()))
  await page.evaluate("localStorage.clear(), sessionStorage.clear()")
  await page.goto("about:blank")
  await context.clearCookies()
  await context.clearPermissions()
  await context.setOffline(false)
  return page.evaluate(`Math.abs(Date.now() - ${Date.now()}) < 60_000`)
}

const leave = async (page: Page, kind: string, traces: Traces): Promise<void> => {
  const isClear = await clear(page, traces).catch(() => false)
  // Others may have left meanwhile.
  const others = left.get(kind) ?? []
  if (!isClear || others.length >= maxLeft) return page.context().close()
  left.set(kind, [...others, page])
}

/** Against what hangs: on a busy machine a page takes ten times as long as on an idle one. */
const longestMs = 60_000

/**
 * A browser whose visitors know nothing of each other. The caller closes it, and with it every visitor. A visitor has
 * the tab of one who left if there is any: what is started and compiled for a new one takes three times as long as to
 * show a page. `isMeasured` has scripts compiled as they are elsewhere, for a program that tells of times.
 */
export const openBrowser = async ({ isMeasured = false } = {}) => {
  const browser = await launch(isMeasured)
  const open = new Set<Visitor>()

  /** Opens an empty page for a customer of their own: no cookie, nothing stored by another. */
  const visitor = async (view: View = {}): Promise<Visitor> => {
    const { width = 360, height = 740, dark = false, fresh = false } = view
    const options = optionsOf(view)
    const kind = JSON.stringify(options)
    const found = fresh ? undefined : takeLeft(kind)
    const page = found ?? (await (await browser.newContext(options)).newPage())
    page.setDefaultTimeout(longestMs)
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ ...asUsual, colorScheme: dark ? "dark" : "light" })
    const troubles: Array<string> = []
    const traces: Traces = { origins: new Set(), scripts: [] }
    // Chromium logs each violation of a Content-Security-Policy as an error.
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(`${message.text()} (${page.url()})`)
    })
    page.on("framenavigated", (frame) => traces.origins.add(new URL(frame.url()).origin))
    page.on("pageerror", (error) => troubles.push(`${error.message} (${page.url()})`))
    const made: Visitor = {
      page,
      troubles,
      runFirst: async (script) => {
        traces.scripts.push(await page.addInitScript(script))
      },
      close: async () => {
        if (!open.delete(made)) return
        await (fresh ? page.context().close() : leave(page, kind, traces))
      }
    }
    open.add(made)
    return made
  }
  const close = async () => {
    await Promise.all([...open].map((visitor) => visitor.close()))
  }
  return { visitor, close }
}

/** A browser that is open. */
export type OpenBrowser = Awaited<ReturnType<typeof openBrowser>>

let axe: string | undefined

/** The short form: each page that is looked at has to be sent it, and reads it anew. */
const axeSource = (): string => {
  axe ??= readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")
  return axe
}

/** Not by `evaluate`, which reads a text twice to find whether it is a function: that takes as long as to run axe. */
const loadAxe = async (page: Page): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  await session.send("Runtime.evaluate", { expression: `${axeSource()};0` })
  await session.detach()
}

/**
 * What axe has against the page as it is, by the rules of WCAG 2.0 to 2.2, A and AA, and good practice: a line each.
 * It is let in by the debugger: the page's own policy allows no script but the page's.
 */
export const violationsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate("'axe' in window"))) await loadAxe(page)
  // Whatever is well is left out where it is found: to put that into words takes four times as long as to look.
  // The size of what is tapped, of WCAG 2.2 AA, is the one rule of those levels that axe leaves out by itself.
  return page.evaluate(`axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`)
}
