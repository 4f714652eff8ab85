/** People log in to the cabinet in a real browser with a code that was sent by e-mail. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { type CodeChannel, emailChannel } from "@tolem/core/login/CodeChannel"
import { chromiumPath, needsChromium, type OpenBrowser, openBrowser } from "@tolem/testing-harness/Browser"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fits } from "../support/cabinet.ts"
import { mailWorld } from "../support/mail.ts"
import type { Service } from "../support/service.ts"
import { codeIn } from "../support/smtp.ts"

describe.skipIf(chromiumPath === null)(`a login by e-mail${needsChromium}`, () => {
  let service: Service
  let browser: OpenBrowser
  let world: Awaited<ReturnType<typeof mailWorld>>
  let post: Awaited<ReturnType<typeof mailWorld>>["post"]
  beforeAll(async () => {
    const sms: CodeChannel = { name: "sms", send: () => Effect.succeed("sent") }
    const { codes } = defaults.login
    const login = { ...defaults.login, codes: { ...codes, waitMs: 1, perAddress: 1e9 } }
    world = await mailWorld({ channels: [sms, emailChannel], settings: { login } })
    ;({ service, post } = world)
    browser = await openBrowser()
    await fetch(`${service.url}/cabinet/`, { headers: { accept: "text/html" } })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.stop()
  })

  it("is chosen after the first way, says nothing of the address, and opens the cabinet", async () => {
    const { members } = await service.run(Engine)
    const { id } = await service.organization()
    await service.run(members.add(id, { phone: "77051112233", role: "developer", email: "aliya@shop.example.kz" }))
    const visitor = await browser.visitor({ width: 360 })
    const { page } = visitor
    await page.goto(`${service.url}/cabinet/profile`)
    const askFor = async (phone: string) => {
      await page.getByLabel("Phone").fill(phone)
      await page.keyboard.press("Enter")
      await page.getByText(/^Sent to \+7/).waitFor()
      await page.getByRole("button", { name: "Send by e-mail" }).click()
      await page.getByText(/^If \+7 .* has an e-mail address in the cabinet, the code is on its way there/).waitFor()
    }
    await askFor("7010000001")
    await fits(page, "login by e-mail")
    expect(post.letters).toHaveLength(0)
    await page.getByRole("button", { name: "Other number" }).click()
    await askFor("7051112233")
    // The other way is offered, and the same one again.
    await page.getByRole("button", { name: "Send by sms" }).waitFor()
    await expect.poll(() => post.letters.length).toBe(1)
    // The field is emptied when the answer has come, and what was typed before with it.
    const answered = page.waitForResponse(/\/panel\/login\//)
    await page.getByRole("button", { name: "Send a new code" }).click()
    await answered
    await expect.poll(() => post.letters.length).toBe(2)
    await page.getByLabel("Code", { exact: true }).fill(codeIn(post.letters.at(-1)))
    await page.getByRole("heading", { name: "Profile" }).waitFor()
    // There they give themselves a name, and another address, which takes its code.
    await page.getByRole("button", { name: "Change the name" }).click()
    await page.getByLabel("Your name").fill("Aliya")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Aliya" }).waitFor()
    await page.getByRole("button", { name: "Change the e-mail address" }).click()
    await page.getByRole("textbox", { name: "E-mail" }).fill("new@shop.example.kz")
    await fits(page, "own address")
    await page.keyboard.press("Enter")
    await expect.poll(() => post.letters.at(-1)?.to).toBe("new@shop.example.kz")
    await page.getByRole("textbox", { name: "Code" }).fill(codeIn(post.letters.at(-1)))
    await page.getByRole("button", { name: "Confirm" }).click()
    await page.getByText("ne*****@shop.example.kz").waitFor()
    await page.getByRole("button", { name: "Remove the e-mail address" }).click()
    await page.getByRole("button", { name: "Add an e-mail address" }).waitFor()
    await fits(page, "profile without an address")
    expect(visitor.troubles.filter((text) => !/status of 4\d\d/.test(text))).toEqual([])
    await visitor.close()
  })
})
