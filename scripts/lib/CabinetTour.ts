/** The screens of the cabinet, as a picture is taken of each. */

import type { Visitor } from "@tolem/testing-harness/Browser"
import type { Service } from "@tolem/testing-harness/Program"

type Page = Visitor["page"]

/** A screen. */
export interface Screen {
  readonly name: string
  /** Under `/cabinet/`. */
  readonly path: string
  /** Whether it is for a person who is logged in. */
  readonly isInside: boolean
  /** Comes to the state that the picture is of. */
  readonly settle: (page: Page) => Promise<unknown>
}

const phone = "7000000000"

/** Goes to the step of the code. */
const toCode = async (page: Page): Promise<void> => {
  await page.locator('input[type="tel"]').fill(`70${Math.floor(Math.random() * 89_999_999) + 10_000_000}`)
  await page.locator('button[type="submit"]').click()
  await page.locator('input[autocomplete="one-time-code"]').waitFor()
}

const quiet = (page: Page) => page.waitForLoadState("networkidle")

/** Every screen. */
export const screens: ReadonlyArray<Screen> = [
  { name: "login", path: "", isInside: false, settle: quiet },
  { name: "join", path: "join?ref=MARAT7", isInside: false, settle: quiet },
  { name: "code", path: "", isInside: false, settle: toCode },
  {
    name: "wrong",
    path: "",
    isInside: false,
    settle: async (page) => {
      await toCode(page)
      await page.locator('input[autocomplete="one-time-code"]').fill("000000")
      await page.getByRole("alert").waitFor()
    }
  },
  { name: "home", path: "", isInside: true, settle: quiet },
  { name: "keys", path: "org_demo/keys", isInside: true, settle: quiet },
  { name: "nowhere", path: "org_other/keys", isInside: true, settle: quiet },
  { name: "profile", path: "profile", isInside: true, settle: quiet }
]

/** Logs the owner of the demo shop in; their cookies. */
export const logInWith = async ({ url, said }: Service) => {
  const post = (path: string, body: object) =>
    fetch(`${url}/panel${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const { challengeId } = (await (await post("/login/code", { phone: `7${phone}` })).json()) as { challengeId: string }
  const [, code = ""] = /"code":"(\d{6})"/.exec(said.stderr) ?? []
  const opened = await post("/login/verify", { challengeId, code })
  const [, name = "", value = ""] = /^([^=]+)=([^;]+)/.exec(opened.headers.get("set-cookie") ?? "") ?? []
  return [{ name, value, url: `${url}/panel`, httpOnly: true }]
}
