/** The screens of the console of those who run the platform, as a picture is taken of each. */
import { quiet, type Screen } from "./CabinetTour.ts"

type Settle = Screen["settle"]

/** Opens the first thing of a list. */
const toFirst: Settle = async (page) => {
  await page.locator("main li a").first().click()
  await page.locator("main dl, main section p").first().waitFor()
  await quiet(page)
}

/** Opens the dialog of one of the deeds on the first thing of a list. */
const toDeed =
  (number: number): Settle =>
  async (page) => {
    await toFirst(page)
    await page.locator("main section button").nth(number).click()
    await page.locator("dialog form").waitFor()
  }

const screen = (name: string, path: string, settle: Settle = quiet): Screen => ({
  name: `console-${name}`,
  path: `operator/${path}`,
  isInside: true,
  isOperator: true,
  settle
})

/** Every screen. */
export const consoleScreens: ReadonlyArray<Screen> = [
  screen("people", "people"),
  screen("person", "people", toFirst),
  screen("block", "people", toDeed(0)),
  screen("merchants", "merchants"),
  screen("merchant", "merchants", toFirst),
  screen("grant", "merchants", toDeed(0)),
  screen("archive", "merchants", toDeed(1)),
  screen("tariffs", "tariffs"),
  screen("earnings", "earnings"),
  screen("earner", "earnings", toFirst),
  screen("payout", "earnings", toDeed(0)),
  screen("looks", "looks"),
  screen("health", "health"),
  screen("work", "work"),
  screen("kind", "work", async (page) => {
    await page.locator("main li a").first().click()
    await quiet(page)
  }),
  screen("journal", "journal")
]
