/** A member chooses what they are told in a real browser: by letter, and in a chat that they link and end. */
import { Engine } from "@tolem/core/engine/Engine"
import { HandOver, type Mailer } from "@tolem/core/mail/Mailer"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { type Messenger, SendOutcome, Updates } from "@tolem/core/messenger/Messenger"
import { MessengerLinkStore } from "@tolem/core/messenger/MessengerLinkStore"
import type { NoticeKey } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { chromiumPath, needsChromium } from "@tolem/testing-harness/Browser"
import { Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CabinetWorld, cabinetWorld, fits, giveCode } from "../support/cabinet.ts"
import * as TestClock from "../support/clock.ts"
import { as, join, logIn, type Person } from "../support/people.ts"

const minuteMs = 60_000
const mailer: Mailer["Service"] = { send: () => Effect.succeed(HandOver.Taken()) }
const messenger: Messenger["Service"] = {
  send: () => Effect.succeed(SendOutcome.Taken()),
  updates: (offset) => Effect.succeed(Updates.Read({ incoming: [], next: offset })),
  name: Effect.succeed("tolem_bot")
}

describe.skipIf(chromiumPath === null)(`notifications in the cabinet${needsChromium}`, () => {
  let world: CabinetWorld
  let cashier: Person
  beforeAll(async () => {
    world = await cabinetWorld({ now: 1_767_225_600_000, mailer, messenger })
    cashier = await logIn(world.service, "77000000061")
    await join(world.service, world.organizationId, cashier, "cashier")
    const { accountId } = world.owner
    const audit = auditOf({ action: "account.email_noted", subject: accountId })
    await world.service.run(DirectoryStore.use((store) => store.setEmail(accountId, "aliya@shop.example.kz", audit)))
  })
  afterAll(() => world?.stop())

  const open = async (person: Person, view: object) => {
    const path = `${world.organizationId}/notifications?mode=live`
    const screen = await world.enter(person, path, view)
    await screen.page.clock.setFixedTime(world.service.time.now)
    await screen.page.reload()
    return screen
  }

  const kept = async (person: Person) =>
    (await as(world.service, person, "GET", `/panel/orgs/${world.organizationId}/notices?mode=live`)).body

  const heard = (text: string) =>
    world.service.run(
      Engine.use(({ messengerLinks }) => messengerLinks.heard("77", text)).pipe(
        Effect.provide(TestClock.layer(world.service.time))
      )
    )

  it("are chosen by kind, from a sum on, with quiet hours, and are there again after a reload", async () => {
    const { page, troubles, close } = await open(world.owner, { width: 1280 })
    const letters = page.getByRole("region", { name: "By e-mail" })
    await letters.getByText("To aliya@shop.example.kz").waitFor()
    await letters.getByText("Nothing is told this way.").waitFor()
    // By keyboard alone.
    await letters.getByLabel("Payments", { exact: false }).first().focus()
    await page.keyboard.press("Space")
    await letters.getByLabel("Cashiers").check()
    await letters.getByLabel("Payments from").fill("abc")
    await letters.getByLabel("Quiet hours").check()
    for (const day of ["Saturday", "Sunday"]) await letters.getByLabel(day).uncheck()
    await letters.getByLabel("To", { exact: true }).fill("22:00")
    const save = letters.getByRole("button", { name: "Save" })
    await save.press("Enter")
    await letters.getByText("This is no sum.").waitFor()
    await page.locator("input[name=minimum]:focus").waitFor()
    await letters.getByLabel("Payments from").fill("5000")
    await save.click()
    await letters.getByText("Give two different times.").waitFor()
    await fits(page, "what is wrong")
    await letters.getByLabel("To", { exact: true }).fill("07:30")
    await letters.getByLabel("Language of messages").selectOption("kk")
    await save.click()
    await page.getByText("Saved", { exact: true }).waitFor()
    expect(await kept(world.owner)).toMatchObject({
      letter: {
        kinds: ["paid", "cashiers"],
        minimum: 5000,
        quiet: { from: "22:00", to: "07:30", days: [1, 2, 3, 4, 5] },
        language: "kk"
      },
      telegram: null
    })
    await page.reload()
    await expect.poll(() => letters.getByLabel("Cashiers").isChecked()).toBe(true)
    expect(await letters.getByLabel("Late money").isChecked()).toBe(false)
    expect(await letters.getByLabel("Payments from").inputValue()).toBe("5\u00a0000")
    expect(await letters.getByLabel("To", { exact: true }).inputValue()).toBe("07:30")
    expect(await letters.getByLabel("Friday").isChecked()).toBe(true)
    expect(await letters.getByLabel("Sunday").isChecked()).toBe(false)
    await letters.getByText("No message was sent yet.").waitFor()
    await letters.getByRole("button", { name: "Send a test message" }).click()
    await page.getByText("A test message is asked for").waitFor()
    // The sandbox is chosen for itself, and has no cashiers.
    await page.goto(`${world.service.url}/cabinet/${world.organizationId}/notifications?mode=sandbox`)
    await letters.getByText("Nothing is told this way.").waitFor()
    const offered = letters.getByRole("group", { name: "What you are told" }).getByRole("checkbox")
    await expect.poll(() => offered.count()).toBe(5)
    expect(await letters.getByLabel("Cashiers").count()).toBe(0)
    await fits(page, "on a desk")
    expect(troubles).toEqual([])
    await close()
  })

  it("come to a chat that is linked with a code after a fresh one, until it ends", async () => {
    const { service } = world
    service.time.now += 30 * minuteMs
    const { page, troubles, close } = await open(cashier, { width: 360, touch: true, dark: true })
    const letters = page.getByRole("region", { name: "By e-mail" })
    await letters.getByRole("link", { name: "Add one in your profile" }).waitFor()
    const chat = page.getByRole("region", { name: "In Telegram" })
    const link = chat.getByRole("button", { name: "Link Telegram" })
    const before = service.codes.get(cashier.phone)
    await link.click()
    const stepUp = page.getByRole("dialog")
    await giveCode(service, stepUp, cashier.phone, before)
    const command = chat.getByLabel("Or send this to the bot")
    await command.waitFor()
    await chat.getByText("Good until").waitFor()
    const first = await command.inputValue()
    await fits(page, "the way to the bot")
    // Ten minutes later it is void, and another one is asked for.
    service.time.now += 11 * minuteMs
    await page.clock.setFixedTime(service.time.now)
    await chat.getByText("The code is over.").waitFor()
    expect(await heard(first)).toBe(null)
    const earlier = service.codes.get(cashier.phone)
    await chat.getByRole("button", { name: "Another code" }).click()
    await giveCode(service, stepUp, cashier.phone, earlier)
    await command.waitFor()
    const second = await command.inputValue()
    expect(second).not.toBe(first)
    expect(await chat.getByRole("link", { name: "Open Telegram" }).getAttribute("href")).toBe(
      `https://t.me/tolem_bot?start=${second.slice("/start ".length)}`
    )
    expect(await heard(second)).toBe("linked")
    // Without a reload.
    await page.getByText("Telegram is linked").waitFor()
    // A cashier sees no webhooks, no subscriptions, and nothing of reconciliation.
    const offered = chat.getByRole("group", { name: "What you are told" }).getByRole("checkbox")
    await expect.poll(() => offered.count()).toBe(5)
    expect(await chat.getByLabel("Webhooks").count()).toBe(0)
    await chat.getByLabel("Late money").check()
    // It is told whatever the sum.
    expect(await chat.getByLabel("Payments from").count()).toBe(0)
    await chat.getByRole("button", { name: "Save" }).click()
    await chat.getByRole("button", { name: "Send a test message" }).waitFor()
    expect(await kept(cashier)).toMatchObject({ telegram: { kinds: ["late"] }, chat: { isLinked: true } })
    await fits(page, "linked, on a phone")
    await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"kk"}'`)
    await page.reload()
    await page.getByRole("heading", { name: "Хабарландырулар" }).waitFor()
    await page.getByLabel("Кешіккен ақша").waitFor()
    await fits(page, "in Kazakh")
    await page.evaluate(`localStorage.tolem = '{"returns":true,"language":"en"}'`)
    await page.reload()
    await chat.getByRole("button", { name: "Unlink" }).press("Enter")
    await fits(page, "before it ends")
    await page.getByRole("dialog").getByRole("button", { name: "Unlink" }).click()
    await link.waitFor()
    expect(await kept(cashier)).toMatchObject({ telegram: { kinds: ["late"] }, chat: { isLinked: false, end: null } })
    expect(troubles.filter((each) => !each.includes("403"))).toEqual([])
    await close()
  })

  it("say why a chat has ended, and why letters do not arrive", async () => {
    const { owner, service } = world
    const invite = Engine.use(({ messengerLinks }) => messengerLinks.invite(owner.accountId))
    const clock = TestClock.layer(service.time)
    await heard((await service.run(Effect.provide(invite, clock)))?.command ?? "")
    const { page, troubles, close } = await open(owner, { width: 360, touch: true })
    const chat = page.getByRole("region", { name: "In Telegram" })
    await chat.getByText("Linked", { exact: true }).waitFor()
    const row = await service.run(MessengerLinkStore.use((store) => store.find(owner.accountId)))
    const block = Engine.use(({ messengerLinks }) => messengerLinks.blocked(Option.getOrThrow(row)))
    await service.run(Effect.provide(block, clock))
    await page.reload()
    await chat.getByText("You have blocked the bot").waitFor()
    await chat.getByRole("button", { name: "Link Telegram" }).waitFor()
    const key = { organizationId: world.organizationId, accountId: owner.accountId, mode: "live", channel: "letter" }
    const giveUp = NoticeStore.use((store) =>
      Effect.gen(function* () {
        const line = Option.getOrThrow(yield* store.find(key as NoticeKey))
        const next = { ...line, status: "given_up", reason: "EAUTH", version: line.version + 1 } as const
        expect(yield* store.replace(next)).toBe(true)
      })
    )
    await service.run(giveUp)
    await page.reload()
    const letters = page.getByRole("region", { name: "By e-mail" })
    await letters.getByText("Messages do not arrive.").waitFor()
    await letters.getByText("Reason: EAUTH").waitFor()
    await fits(page, "blocked")
    expect(troubles).toEqual([])
    await close()
  })
})
