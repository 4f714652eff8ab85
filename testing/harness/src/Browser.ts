/**
 * Pages as customers see them: Chromium, driven by playwright-core. What a page logs as an error, throws, or is kept
 * from by its Content-Security-Policy is collected, and what axe finds. The browser is Debian's, if possible the build
 * that has no windows: the same pages in less than half of the CPU time. Without a browser tests of pages are skipped,
 * and say so.
 */
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core"

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
}

/** A page, with what was wrong with it so far. */
export interface Visitor {
  readonly page: Page
  /** Errors and violations of the policy since the page was opened; none, where all is well. */
  readonly troubles: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

let launched: Promise<Browser> | undefined

/** One for all files of tests that run in this process, and ended with it. */
const launch = async (): Promise<Browser> => {
  if (chromiumPath === null) throw new Error("no Chromium")
  const found = await launched
  if (found?.isConnected() === true) return found
  launched = chromium.launch({ executablePath: chromiumPath, args: flags, headless: true })
  return launched
}

/** Ends the browser, for a program that is to end by itself. */
export const endBrowser = async (): Promise<void> => {
  const browser = await launched
  await browser?.close()
}

/** A browser that knows nothing of what others did. The caller closes it, and with it every visitor. */
export const openBrowser = async () => {
  const browser = await launch()
  const contexts = new Set<BrowserContext>()

  /** Opens an empty page for a customer of their own: no cookie, no cache of another. */
  const visitor = async (view: View = {}): Promise<Visitor> => {
    const { width = 360, height = 740, dark = false, locale = "en", scripts = true, touch = false } = view
    const options: BrowserContextOptions = {
      viewport: { width, height },
      colorScheme: dark ? "dark" : "light",
      locale,
      javaScriptEnabled: scripts,
      hasTouch: touch,
      isMobile: touch,
      reducedMotion: "reduce"
    }
    const context = await browser.newContext(options)
    contexts.add(context)
    const page = await context.newPage()
    const troubles: Array<string> = []
    // Chromium logs each violation of a Content-Security-Policy as an error.
    page.on("console", (message) => {
      if (message.type() === "error") troubles.push(`${message.text()} (${page.url()})`)
    })
    page.on("pageerror", (error) => troubles.push(`${error.message} (${page.url()})`))
    return { page, troubles, close: () => context.close() }
  }
  const close = async () => {
    await Promise.all([...contexts].map((context) => context.close()))
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

/**
 * What axe has against the page as it is, by the rules of WCAG 2.0 to 2.2, A and AA, and good practice: a line each.
 * It is let in by the debugger: the page's own policy allows no script but the page's.
 */
export const violationsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource())
  // Whatever is well is left out where it is found: to put that into words takes four times as long as to look.
  // The size of what is tapped, of WCAG 2.2 AA, is the one rule of those levels that axe leaves out by itself.
  return page.evaluate(`axe.run({ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } })
    .then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`)
}
