/** The letters about an invoice in a real browser: those that were sent, and those that the sandbox keeps. */
import { defaults, Settings } from "@tolem/core/engine/Settings"
import * as MailDispatcher from "@tolem/core/letters/MailDispatcher"
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits } from "../support/cabinet.ts"
import { as } from "../support/people.ts"

describe.skipIf(chromiumPath === null)(`letters about an invoice${needsChromium}`, () => {
  const taken: Array<Letter> = []
  const mailer: Mailer["Service"] = {
    send: (letter) => Effect.sync(() => void taken.push(letter)).pipe(Effect.as(HandOver.Taken()))
  }
  let world: CabinetWorld
  beforeAll(async () => {
    world = await cabinetWorld({ mailer, settings: { sandbox: { ...defaults.sandbox, mailTo: ["@qa.example.kz"] } } })
  })
  afterAll(() => world?.stop())

  /** A paid invoice, whose receipt goes to this address. */
  const paid = async (email: string) => {
    const { service, owner, organizationId } = world
    const path = `/panel/orgs/${organizationId}/invoices`
    const { body } = await as(service, owner, "POST", path, { amount: 1500, customer: { email } })
    await as(service, owner, "POST", `${path}/${body["id"]}/simulate`, { status: "paid" })
    return `${organizationId}/invoices/${body["id"]}`
  }

  it("are listed with what became of them, and are read", async () => {
    const { service, owner, organizationId, enter, make } = world
    const sent = await paid("anyone@qa.example.kz")
    const kept = await paid("customer@mail.example.kz")
    const visitor = await enter(owner, sent, { width: 360, touch: true })
    const { page } = visitor
    const card = page.getByRole("region", { name: "Letters" })
    await card.getByText("Waits").waitFor()
    const dispatcher = MailDispatcher.layer.pipe(
      Layer.provide(Layer.merge(Layer.succeed(Mailer, mailer), Layer.succeed(Settings, service.settings)))
    )
    const arrived = Effect.promise(async () => {
      // What is under way is looked at again by itself.
      await card.getByText("Sent", { exact: true }).waitFor()
      const path = `/panel/orgs/${kept}/letters`
      await expect.poll(async () => (await as(service, owner, "GET", path)).text).toContain('"kept"')
    })
    await service.run(Effect.scoped(Effect.andThen(Layer.build(dispatcher), arrived)))
    expect(taken.map(({ to }) => to)).toEqual(["anyone@qa.example.kz"])
    await card.getByText(/anyone@qa\.example\.kz/).click()
    await card.getByText(/\/receipts\/inv_/).waitFor()
    await fits(page, "letters")
    await card.getByRole("button", { name: "Send again" }).click()
    // It was sent just now, so nothing is sent: the service says so, and the screen what it was asked.
    await page.getByText("The letter is sent again").waitFor()
    await page.goto(`${service.url}/cabinet/${kept}`)
    await card.getByText("Kept, not sent").waitFor()
    await card.getByText(/members/).waitFor()
    await page.emulateMedia({ colorScheme: "dark" })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"kk"}'`)
    await page.reload()
    await page.getByText("Сақталды, жіберілмеді").waitFor()
    await page.getByText(/^Тест режимінің хаттары/).waitFor()
    await fits(page, "letters, kk")
    // Of one without letters there is no list.
    const bare = await make(100)
    const none = page.waitForResponse((response) => response.url().includes(`/invoices/${bare}/letters?`))
    await page.goto(`${service.url}/cabinet/${organizationId}/invoices/${bare}`)
    expect(await (await none).json()).toEqual({ letters: [] })
    expect(await page.getByRole("region", { name: "Хаттар" }).count()).toBe(0)
    expect(visitor.troubles).toEqual([])
    await visitor.close()
  })
})
