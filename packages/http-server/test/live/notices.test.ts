/** What members are told of: chosen by each, told once, held in quiet hours, and ended with the membership. */
import { Engine } from "@tolem/core/engine/Engine"
import { Settings } from "@tolem/core/engine/Settings"
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { Messenger, SendOutcome, Updates } from "@tolem/core/messenger/Messenger"
import { MessengerLinkStore } from "@tolem/core/messenger/MessengerLinkStore"
import { MessengerLinks } from "@tolem/core/messenger/MessengerLinks"
import type { NoticeKey } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import * as NoticeTeller from "@tolem/core/notice/NoticeTeller"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import * as TestClock from "../support/clock.ts"
import { as, join, logIn, organizationOf, outcomeOf, type Person } from "../support/people.ts"
import { start } from "../support/service.ts"
import { type Live, live } from "./cashier.ts"

const minuteMs = 60_000
const hourMs = 60 * minuteMs

let world: Live
let manager: Person
let stranger: Person
const letters: Array<Letter> = []
const texts: Array<readonly [chat: string, text: string]> = []
const post = { letter: HandOver.Taken() as HandOver, text: SendOutcome.Taken() as SendOutcome }
const mailer: Mailer["Service"] = {
  send: (letter) =>
    Effect.sync(() => {
      letters.push(letter)
      return post.letter
    })
}
const messenger: Messenger["Service"] = {
  send: (chat, text) =>
    Effect.sync(() => {
      texts.push([chat, text])
      return post.text
    }),
  updates: (offset) => Effect.succeed(Updates.Read({ incoming: [], next: offset })),
  name: Effect.succeed("tolem_bot")
}
const channels = Layer.merge(Layer.succeed(Mailer, mailer), Layer.succeed(Messenger, messenger))

beforeAll(async () => {
  world = await live()
  manager = await enter("77099000011", "manager")
  stranger = await enter("77099000012", "cashier")
  const audit = auditOf({ action: "account.email_noted", subject: manager.accountId })
  await world.service.run(DirectoryStore.use((store) => store.setEmail(manager.accountId, "m@shop.example.kz", audit)))
})
afterAll(() => world.stop())

const enter = async (phone: string, role: "manager" | "cashier") => {
  const person = await logIn(world.service, phone)
  await join(world.service, world.organizationId, person, role)
  return person
}

const call = (person: Person, method: string, path: string, body?: unknown) =>
  as(world.service, person, method, `/panel/orgs/${world.organizationId}${path}`, body)

const wish = { kinds: ["paid", "late", "cashiers"], minimum: null, quiet: null, language: "en" }

const keyOf = (person: Person, channel: NoticeKey["channel"]): NoticeKey => ({
  organizationId: world.organizationId,
  accountId: person.accountId,
  mode: "live",
  channel
})

const lineOf = (person: Person, channel: NoticeKey["channel"]) =>
  world.service.run(NoticeStore.use((store) => Effect.map(store.find(keyOf(person, channel)), Option.getOrThrow)))

/** Lets so many agents work until nothing is due. */
const worked = (agents = 1) => {
  const { service } = world
  const of = { organizationId: world.organizationId, mode: "live" } as const
  const settled = NoticeStore.use((store) =>
    Effect.map(
      Effect.forEach([manager, stranger], ({ accountId }) => store.list({ ...of, accountId })),
      (lines) => lines.flat().every(({ status, dueAt }) => status !== "sending" && dueAt > service.time.now)
    )
  )
  const agent = NoticeTeller.layer.pipe(Layer.provide(Layer.merge(channels, Layer.succeed(Settings, service.settings))))
  const done = Effect.repeat(Effect.andThen(Effect.yieldNow, settled), { until: (is) => is })
  const all = Effect.forEach(Array.from({ length: agents }), () => Layer.build(Layer.fresh(agent)), { discard: true })
  return service.run(Effect.provide(Effect.scoped(Effect.andThen(all, done)), TestClock.layer(service.time)))
}

const paid = async (amount: number, externalOrderId?: string) => {
  const invoice = await world.create({ amount, ...(externalOrderId !== undefined && { externalOrderId }) })
  world.pay(invoice)
  await world.look(invoice)
}

/** What was told since the last call. */
const told = () => ({ letters: letters.splice(0).map(({ text }) => text), texts: texts.splice(0) })

describe("a chat with the bot", () => {
  it("is offered with a code, where there is a bot", async () => {
    const service = await start({ messenger })
    onTestFinished(() => service.stop())
    const person = await logIn(service, "77099000021")
    const path = `/panel/orgs/${await organizationOf(service, person)}/chat`
    const { body } = await as(service, person, "POST", path)
    expect(body).toMatchObject({ command: expect.stringMatching(/^\/start [A-Za-z0-9_-]{22}$/) })
    expect(await as(service, person, "POST", path)).not.toMatchObject({ body })
  })
})

describe("what members are told of", () => {
  it("is chosen by each for themselves", async () => {
    expect((await call(manager, "GET", "/notices")).body).toMatchObject({
      letter: null,
      telegram: null,
      email: "m@shop.example.kz"
    })
    for (const body of [
      { ...wish, kinds: ["other"] },
      { ...wish, kinds: "paid" },
      { ...wish, quiet: { from: "22:00", to: "22:00", days: [1] } },
      { ...wish, quiet: { from: "25:00", to: "08:00", days: [1] } },
      { ...wish, quiet: { from: "22:00", to: "08:00", days: [] } },
      { ...wish, language: "de" }
    ])
      expect(outcomeOf(await call(manager, "PUT", "/notices/letter", body))).toBe("400 invalid_request")
    expect(outcomeOf(await call(manager, "PUT", "/notices/pigeon", wish))).toBe("400 invalid_request")
    const small = await call(manager, "PUT", "/notices/letter", { ...wish, minimum: 0.001 })
    expect(outcomeOf(small)).toBe("422 invalid_amount")
    expect(outcomeOf(await call(stranger, "PUT", "/notices/letter", wish))).toBe("422 invalid_email")
    expect(outcomeOf(await call(manager, "POST", "/notices/telegram/test"))).toBe("400 invalid_request")
    const chosen = await call(manager, "PUT", "/notices/letter", { ...wish, minimum: 100 })
    expect(chosen.body).toMatchObject({ letter: { kinds: wish.kinds, minimum: 100, waiting: 0 }, telegram: null })
    expect((await call(stranger, "GET", "/notices")).body).toMatchObject({ letter: null })
  })

  it("is told once: payments of a minute together, and small ones not", async () => {
    await worked()
    expect(told().letters).toEqual([])
    await paid(1500, "A-7")
    await paid(50)
    world.pass(minuteMs)
    await worked(2)
    const first = told().letters
    expect(first).toHaveLength(1)
    expect(first[0]).toContain("Paid: 1\u00a0500\u00a0₸, A-7")
    await paid(200)
    await paid(300)
    world.pass(2 * minuteMs)
    await worked(2)
    const [second, ...others] = told().letters
    expect(others).toEqual([])
    expect(second).toContain("Paid: 2 payments, 500\u00a0₸")
    world.pass(hourMs)
    await worked()
    expect(told().letters).toEqual([])
  })

  it("waits for the end of quiet hours", async () => {
    const { now } = world.service.time
    const time = (at: number) => new Date(at + 5 * hourMs).toISOString().slice(11, 16)
    const quiet = { from: time(now - minuteMs), to: time(now + 3 * hourMs), days: [1, 2, 3, 4, 5, 6, 7] }
    await call(manager, "PUT", "/notices/letter", { ...wish, quiet })
    await paid(700)
    world.pass(hourMs)
    await worked()
    expect(told().letters).toEqual([])
    expect((await call(manager, "GET", "/notices")).body).toMatchObject({ letter: { waiting: 1 } })
    await paid(800)
    world.pass(2 * hourMs)
    await worked()
    expect(told().letters.join()).toContain("Paid: 2 payments, 1\u00a0500\u00a0₸")
    await call(manager, "PUT", "/notices/letter", wish)
  })

  it("is told by its numbers if it may have been told, and tried again if it was not", async () => {
    await worked()
    await paid(900)
    post.letter = HandOver.Rejected({ retryable: true, reason: "greylisted" })
    world.pass(2 * minuteMs)
    await worked()
    expect(told().letters).toHaveLength(1)
    expect(await lineOf(manager, "letter")).toMatchObject({ status: "waiting", tries: 1, reason: "greylisted" })
    post.letter = HandOver.Unknown({ reason: "no answer" })
    world.pass(hourMs)
    await worked()
    expect(told().letters.join()).toContain("Paid: 900\u00a0₸")
    post.letter = HandOver.Taken()
    world.pass(hourMs)
    await worked()
    const [again = ""] = told().letters
    expect(again).toContain("An earlier message may not have arrived: 1 payment, 900\u00a0₸; 0 troubles")
    expect(again).not.toContain("Paid")
    // A server that ended between writing and handing over leaves it so.
    await paid(400)
    post.letter = HandOver.Rejected({ retryable: true, reason: "greylisted" })
    world.pass(2 * minuteMs)
    await worked()
    told()
    const line = await lineOf(manager, "letter")
    const left = { ...line, status: "sending", dueAt: world.service.time.now, version: line.version + 1 } as const
    await world.service.run(NoticeStore.use((store) => store.replace(left)))
    post.letter = HandOver.Taken()
    await worked()
    expect(told().letters).toEqual([])
    world.pass(hourMs)
    await worked()
    expect(told().letters.join()).toContain("1 payment, 400\u00a0₸")
  })

  it("is given up after some tries, and told after a rest with all that has come", async () => {
    await paid(600)
    post.letter = HandOver.Rejected({ retryable: false, reason: "EAUTH" })
    world.pass(2 * minuteMs)
    await worked()
    expect((await call(manager, "GET", "/notices")).body).toMatchObject({
      letter: { isGivenUp: true, reason: "EAUTH" }
    })
    post.letter = HandOver.Taken()
    told()
    await paid(500)
    world.pass(24 * hourMs)
    await worked()
    expect(told().letters.join()).toContain("Paid: 2 payments, 1\u00a0100\u00a0₸")
    await call(manager, "PUT", "/notices/letter", { ...wish, kinds: [] })
    expect((await call(manager, "GET", "/notices")).body).toMatchObject({ letter: null })
  })

  it("leads to the tariff if it is about nothing else, as far as its screen is theirs to see", async () => {
    const { service, organizationId } = world
    const audit = auditOf({ action: "account.email_noted", subject: stranger.accountId })
    await service.run(DirectoryStore.use((store) => store.setEmail(stranger.accountId, "s@shop.example.kz", audit)))
    const wished = { ...wish, kinds: ["paid", "tariff"] }
    for (const person of [manager, stranger]) await call(person, "PUT", "/notices/letter", wished)
    const { tariffs } = await service.run(Engine)
    await service.run(tariffs.grant({ organizationId, tariff: "trial", months: 1 }))
    await worked()
    told()
    const made = await Promise.all(Array.from({ length: 42 }, () => world.create({ amount: 5 })))
    world.pass(hourMs)
    await worked()
    const place = `/cabinet/${organizationId}`
    const linkIn = (letter: Letter | undefined) =>
      /^http\S+/m.exec(letter?.text ?? "")?.[0]?.replace("http://localhost:3000", "")
    const linksOf = (to: string) => letters.filter((letter) => letter.to === to).map(linkIn)
    expect(linksOf("m@shop.example.kz")).toEqual([`${place}/tariff?mode=live`])
    expect(letters.find(({ to }) => to === "m@shop.example.kz")?.html).toContain(`${place}/tariff?mode=live"`)
    // If a person may not see bills, the overview shows them what is used.
    expect(linksOf("s@shop.example.kz")).toEqual([`${place}?mode=live#tariff`])
    told()
    // Beside a payment it is one thing of several.
    world.pay(made[0]!)
    await world.look(made[0]!)
    await Promise.all(Array.from({ length: 8 }, () => world.create({ amount: 5 })))
    world.pass(hourMs)
    await worked()
    expect(linksOf("m@shop.example.kz")).toEqual([`${place}?mode=live`])
    expect(told().letters.join()).toContain("Paid: 5\u00a0₸")
    for (const person of [manager, stranger]) await call(person, "PUT", "/notices/letter", { ...wish, kinds: [] })
    // The next day has a quota of its own.
    world.pass(24 * hourMs)
  })

  it("comes to a chat that begins with a code, until its person blocks the bot", async () => {
    // A chat outlives a session: it takes a fresh code.
    expect(outcomeOf(await call(stranger, "POST", "/chat"))).toBe("403 fresh_code_required")
    expect(outcomeOf(await call(await enter("77099000013", "cashier"), "POST", "/chat"))).toBe("503 no_channel")
    const links = MessengerLinks.use((use) =>
      Effect.gen(function* () {
        const invitation = yield* use.invite(stranger.accountId)
        const command = invitation?.command ?? ""
        expect(invitation?.url).toBe(`https://t.me/tolem_bot?start=${command.slice("/start ".length)}`)
        expect(yield* use.heard("77", `/start ${"x".repeat(22)}`)).toBe(null)
        expect(yield* use.heard("77", "hello")).toBe(null)
        expect(yield* use.heard("77", command)).toBe("linked")
        expect(yield* use.heard("78", command)).toBe(null)
      })
    )
    const layer = Layer.fresh(MessengerLinks.layer).pipe(Layer.provide(channels))
    await world.service.run(links.pipe(Effect.provide(layer), Effect.provide(TestClock.layer(world.service.time))))
    expect((await call(stranger, "PUT", "/notices/telegram", wish)).body).toMatchObject({ chat: { isLinked: true } })
    await paid(1234)
    world.pass(2 * minuteMs)
    await worked()
    // A cashier without cashiers sees no payment.
    expect(told().texts).toEqual([])
    await call(stranger, "POST", "/notices/telegram/test")
    await worked()
    expect(told().texts).toEqual([["77", expect.stringContaining("This is a test.")]])
    post.text = SendOutcome.Blocked({ reason: "answer 403" })
    world.pass(2 * minuteMs)
    await call(stranger, "POST", "/notices/telegram/test")
    await worked()
    expect((await call(stranger, "GET", "/notices")).body).toMatchObject({ chat: { isLinked: false, end: "blocked" } })
    const row = MessengerLinkStore.use((store) => store.find(stranger.accountId))
    expect(Option.getOrThrow(await world.service.run(row)).chatId).toBe(null)
    expect((await call(stranger, "DELETE", "/chat")).status).toBe(204)
  })

  it("ends with the membership", async () => {
    const { members } = await world.service.run(Engine)
    await world.service.run(members.remove(world.organizationId, stranger.phone))
    world.pass(2 * minuteMs)
    await worked()
    const found = NoticeStore.use((store) => store.find(keyOf(stranger, "telegram")))
    expect(Option.isNone(await world.service.run(found))).toBe(true)
  })
})
