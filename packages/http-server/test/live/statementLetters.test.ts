/** The statement of each month by letter: chosen by members, sent once a month, and never twice. */
import { StatementLetterStore } from "@tolem/core/cabinet/letter/StatementLetterStore"
import * as StatementMailer from "@tolem/core/cabinet/letter/StatementMailer"
import { Engine } from "@tolem/core/engine/Engine"
import { Settings } from "@tolem/core/engine/Settings"
import { HandOver, type Letter, Mailer } from "@tolem/core/mail/Mailer"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as TestClock from "../support/clock.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"
import { type Live, live } from "./cashier.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let world: Live
let accountant: Person
const taken: Array<Letter> = []
const post = { outcome: HandOver.Taken() as HandOver }
const mailer: Mailer["Service"] = {
  send: (letter) =>
    Effect.sync(() => {
      taken.push(letter)
      return post.outcome
    })
}

beforeAll(async () => {
  world = await live()
  accountant = await enter("77099000001", "accountant")
  const one = await world.create({ amount: 1500 })
  world.pay(one)
  await world.look(one)
  world.pass(hourMs)
  await world.refund(one, { amount: 500.25 })
})
afterAll(() => world.stop())

const enter = async (phone: string, role: "accountant" | "developer" | "cashier") => {
  const person = await logIn(world.service, phone)
  await join(world.service, world.organizationId, person, role)
  return person
}

const letters = (person: Person, method = "GET", body?: unknown) =>
  as(world.service, person, method, `/panel/orgs/${world.organizationId}/statement-letters`, body)

const rowOf = (person: Person) =>
  world.service.run(
    StatementLetterStore.use((store) =>
      Effect.map(store.find(world.organizationId, person.accountId), Option.getOrThrow)
    )
  )

/** Lets the agent work until the wish of this person waits for a later time than now. */
const worked = (person: Person) => {
  const { service, organizationId } = world
  const settled = Effect.map(
    StatementLetterStore.use((store) => store.find(organizationId, person.accountId)),
    (row) => Option.isNone(row) || (row.value.status === "waiting" && row.value.dueAt > service.time.now)
  )
  const agent = StatementMailer.layer.pipe(
    Layer.provide(Layer.merge(Layer.succeed(Mailer, mailer), Layer.succeed(Settings, service.settings)))
  )
  const done = Effect.repeat(Effect.andThen(Effect.yieldNow, settled), { until: (is) => is })
  const work = Effect.scoped(Effect.andThen(Layer.build(agent), done))
  return service.run(Effect.provide(work, TestClock.layer(service.time)))
}

describe("statements by letter", () => {
  it("are chosen by owners and accountants who have an address, and ended", async () => {
    expect((await letters(accountant)).body).toMatchObject({ wanted: false, email: null, month: null })
    expect(outcomeOf(await letters(accountant, "PUT", { wanted: true }))).toBe("422 invalid_email")
    expect(outcomeOf(await letters(accountant, "PUT", { wanted: 1 }))).toBe("400 invalid_request")
    const audit = auditOf({ action: "account.email_noted", subject: accountant.accountId })
    await world.service.run(
      DirectoryStore.use((store) => store.setEmail(accountant.accountId, "books@shop.example.kz", audit))
    )
    const chosen = { wanted: true, email: "books@shop.example.kz", month: "2026-01", sentMonth: null, reason: null }
    for (let turn = 0; turn < 2; turn++)
      expect(JSON.parse((await letters(accountant, "PUT", { wanted: true })).text)).toEqual(chosen)
    expect((await letters(accountant, "PUT", { wanted: false })).body).toMatchObject({ wanted: false })
    expect((await letters(accountant, "PUT", { wanted: true })).body).toMatchObject({ wanted: true })
    const developer = await enter("77099000002", "developer")
    expect(outcomeOf(await letters(developer))).toBe("403 insufficient_role")
    const till = await enter("77099000003", "cashier")
    expect(outcomeOf(await letters(till, "PUT", { wanted: true }))).toBe("403 insufficient_role")
  })

  it("tell what came and went in the month that has ended, once", async () => {
    world.pass(31 * dayMs)
    await worked(accountant)
    expect(taken).toHaveLength(1)
    const { to, subject, text, html, id } = taken[0]!
    expect([to, subject]).toEqual([
      "books@shop.example.kz",
      "Айлық ведомость / Ведомость за месяц: Dastarkhan, 2026-01"
    ])
    for (const line of [
      "Период: 01.01.2026 – 31.01.2026",
      "Оплачено: 1\u00a0500,00\u00a0₸ (1)",
      "Возвращено: 500,25\u00a0₸ (1)",
      "Итого: 999,75\u00a0₸",
      `/cabinet/${world.organizationId}/reports?mode=live&from=2026-01-01&to=2026-01-31`
    ])
      expect(text).toContain(line)
    expect(html).toContain("999,75")
    expect(id).toBe(`statement.2026-01.${world.organizationId}.${accountant.accountId}`)
    expect(await rowOf(accountant)).toMatchObject({ month: "2026-02", sentMonth: "2026-01", reason: null, tries: 0 })
    expect((await rowOf(accountant)).dueAt).toBe(Date.parse("2026-03-01T04:00:00+05:00"))
  })

  it("are not sent of a month in which nothing moved, nor for each month that servers were away", async () => {
    world.pass(90 * dayMs)
    await worked(accountant)
    expect(taken).toHaveLength(1)
    expect(await rowOf(accountant)).toMatchObject({
      month: "2026-05",
      sentMonth: "2026-01",
      reason: "no money has moved in the month"
    })
  })

  it("are handed over again where they were not taken, and given up where they may have gone", async () => {
    const two = await world.create({ amount: 900 })
    world.pay(two)
    await world.look(two)
    world.pass(31 * dayMs)
    post.outcome = HandOver.Rejected({ reason: "greylisted", retryable: true })
    await worked(accountant)
    expect(await rowOf(accountant)).toMatchObject({ month: "2026-05", tries: 1, reason: "greylisted" })
    world.pass(hourMs)
    post.outcome = HandOver.Unknown({ reason: "no answer" })
    await worked(accountant)
    expect(await rowOf(accountant)).toMatchObject({ month: "2026-06", sentMonth: "2026-01", reason: "no answer" })
    expect(taken.map(({ id }) => id.split(".")[1])).toEqual(["2026-01", "2026-05", "2026-05"])
    // A server that ended in the middle of it leaves it so.
    world.pass(31 * dayMs)
    const row = await rowOf(accountant)
    const left = {
      ...row,
      status: "sending",
      tries: 1,
      dueAt: world.service.time.now,
      version: row.version + 1
    } as const
    await world.service.run(StatementLetterStore.use((store) => store.replace(left)))
    await worked(accountant)
    expect(taken).toHaveLength(3)
    expect(await rowOf(accountant)).toMatchObject({
      month: "2026-07",
      reason: "the server ended while handing it over"
    })
  })

  it("end with the membership", async () => {
    const { members } = await world.service.run(Engine)
    await world.service.run(members.remove(world.organizationId, accountant.phone))
    world.pass(31 * dayMs)
    await worked(accountant)
    expect(taken).toHaveLength(3)
    const found = StatementLetterStore.use((store) => store.find(world.organizationId, accountant.accountId))
    expect(Option.isNone(await world.service.run(found))).toBe(true)
  })
})
