/**
 * `npm run shots`: pictures of every screen of the cabinet, on a phone and on a desk, light and dark, in each
 * language, into the folder `shots`. `npm run shots -- login ru` makes those whose names contain each of the words.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { endBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { serveShop } from "./lib/CabinetShop.ts"
import { screens as merchants } from "./lib/CabinetTour.ts"
import { consoleScreens } from "./lib/ConsoleTour.ts"
import { root } from "./lib/Workspace.ts"

const sizes = [
  { width: 360, height: 740, touch: true },
  { width: 1280, height: 860, touch: false }
]
const languages = ["kk", "ru", "en"]

const screens = [...merchants, ...consoleScreens]
const words = process.argv.slice(2)
const target = join(root, "shots")
const folder = mkdtempSync(join(tmpdir(), "tolem-shots-"))
mkdirSync(target, { recursive: true })

const wanted = languages.flatMap((locale) =>
  sizes.flatMap((size) =>
    [false, true].flatMap((dark) => {
      const nameOf = (screen: string) => [screen, locale, size.width, dark ? "dark" : "light"].join("-")
      const chosen = screens.filter(({ name }) => words.every((word) => `-${nameOf(name)}-`.includes(`-${word}-`)))
      return chosen.length === 0 ? [] : [{ view: { ...size, dark, locale }, chosen, nameOf }]
    })
  )
)

const { server, cookies, operator } = await serveShop(folder)
const browser = await openBrowser()
try {
  for (const { view, chosen, nameOf } of wanted) {
    const { page, runFirst, close } = await browser.visitor(view)
    for (const screen of chosen) {
      await page.context().clearCookies()
      if (screen.isInside) await page.context().addCookies(screen.isOperator === true ? operator : cookies)
      await runFirst(`localStorage.setItem("tolem", '${JSON.stringify(screen.isInside ? { returns: true } : {})}')`)
      await page.setViewportSize({ width: view.width, height: view.height })
      await page.goto(`${server.url}/cabinet/${screen.path}`)
      await screen.settle(page)
      // As tall as the screen is, so that what stands at the foot of a phone does.
      const tall = Number(await page.evaluate("document.documentElement.scrollHeight"))
      const isWhole = screen.isInside && (await page.locator("dialog").count()) === 0
      await page.setViewportSize({ width: view.width, height: isWhole ? Math.max(tall, view.height) : view.height })
      await page.screenshot({ path: join(target, `${nameOf(screen.name)}.png`) })
    }
    await close()
    console.log(`${chosen.length} in ${view.locale}, ${view.width} wide, ${view.dark ? "dark" : "light"}`)
  }
} finally {
  await endBrowser()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
