/** What people write to the bot, heard by servers that work, from a Telegram that this machine plays. */
import { describe, expect, it, onTestFinished } from "vitest"
import { as, logIn, organizationOf, type Person } from "../support/people.ts"
import { type Given, type Service, start } from "../support/service.ts"
import { type PlayedTelegram, playTelegram } from "../support/telegram.ts"

const now = 1_767_225_600_000
/** As long as a server waits before it asks again after a failure, and more. */
const restMs = 60_000
/** As long as the right to read is one server's, and more. */
const leaseMs = 100_000
/** The loop looks every two seconds of real time. */
const soon = { timeout: 30_000 }

let telegram: PlayedTelegram
let service: Service
let person: Person
let organizationId: string

const open = async (given: Given = {}) => {
  const opened = await start({ agents: true, messenger: await telegram.messengerOf("here"), ...given, now })
  onTestFinished(async () => {
    // What is held is let go, or the server would wait for it.
    telegram.become("silent")
    await opened.stop()
  })
  return opened
}

const begin = async (given: Given = {}) => {
  telegram = await playTelegram()
  onTestFinished(() => telegram.stop())
  service = await open(given)
  person = await logIn(service, "77099000031")
  organizationId = await organizationOf(service, person)
}

const chat = async () => {
  const { body } = await as(service, person, "GET", `/panel/orgs/${organizationId}/notices`)
  return body["chat"]
}

const invited = async () => {
  const { body } = await as(service, person, "POST", `/panel/orgs/${organizationId}/chat`)
  return { command: String(body["command"]), url: String(body["url"]) }
}

/** Until all before this place is confirmed: it was heard, and is not given again. */
const confirmed = (place: number) => expect.poll(() => telegram.seen.offset, soon).toBe(place)

const greeting = { chatId: 77, text: expect.stringContaining("уведомления приходят сюда") }

describe("what people write to the bot", () => {
  it("begins a chat by its code alone, once, and ends it", async () => {
    await begin()
    const { command, url } = await invited()
    const code = command.slice("/start ".length)
    expect(url).toBe(`https://t.me/tolem_bot?start=${code}`)
    const wrong = [`/start ${"x".repeat(22)}`, "/start", `/start ${code}x`, code, "/stop", "hello"]
    for (const text of wrong) telegram.write(66, text)
    await confirmed(telegram.write(-5, command, "group"))
    expect([telegram.told, await chat()]).toEqual([[], { isOffered: true, isLinked: false, end: null }])
    telegram.write(77, command)
    await confirmed(telegram.write(66, command))
    expect([telegram.told, await chat()]).toEqual([[greeting], { isOffered: true, isLinked: true, end: null }])
    await confirmed(telegram.write(77, "/stop"))
    expect(telegram.told).toEqual([greeting, { chatId: 77, text: expect.stringContaining("уведомления остановлены") }])
    expect(await chat()).toMatchObject({ isLinked: false, end: "stopped" })
  })

  it("is heard when Telegram is back, and kept from nothing by what went wrong", async () => {
    await begin()
    const { command } = await invited()
    const warnings = () => service.logs.filter((line) => line.includes("MessengerListener:"))
    await expect.poll(() => telegram.heldBy(), soon).toEqual(["here"])
    // The question that is held breaks off; then each next one fails as well.
    telegram.become("silent")
    await expect.poll(() => warnings().length, soon).toBe(1)
    const place = telegram.write(77, command)
    telegram.become("bad gateway")
    service.time.now += restMs
    await expect.poll(() => warnings().length, soon).toBe(2)
    expect([telegram.told, await chat()]).toEqual([[], { isOffered: true, isLinked: false, end: null }])
    telegram.become("up")
    service.time.now += restMs
    await confirmed(place)
    expect([telegram.told, await chat()]).toEqual([[greeting], { isOffered: true, isLinked: true, end: null }])
    expect(warnings().join()).toContain("answer 502")
    expect(service.logs.join()).not.toContain(telegram.token)
  })

  it("is heard by one of two servers, and by the other when that one is gone", async () => {
    await begin({ on: "postgres", agents: false })
    const servers = {
      here: await open({ beside: service }),
      there: await open({ beside: service, messenger: await telegram.messengerOf("there") })
    }
    const { command } = await invited()
    await confirmed(telegram.write(77, command))
    await confirmed(telegram.write(66, command))
    expect([telegram.told, telegram.seen.mostHeld]).toEqual([[greeting], 1])
    const asking = telegram.heldBy()[0] === "here" ? "here" : "there"
    await servers[asking].stop()
    // It went while it asked: the right is its own until the lease is over.
    servers[asking === "here" ? "there" : "here"].time.now += leaseMs
    await confirmed(telegram.write(77, "/stop"))
    expect(await chat()).toMatchObject({ isLinked: false, end: "stopped" })
  })
})
