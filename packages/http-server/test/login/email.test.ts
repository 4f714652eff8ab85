/** Login codes by e-mail over HTTP, handed over to a mail server of this machine. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { emailChannel } from "@tolem/core/login/CodeChannel"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { mailWorld } from "../support/mail.ts"
import { type Service, start } from "../support/service.ts"
import { codeIn } from "../support/smtp.ts"

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const closing: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const world = async (...given: Parameters<typeof mailWorld>) => {
  const [more, post] = given
  const made = await mailWorld({ now, ...more }, post)
  closing.push(made.stop)
  return made
}

let serial = 77_040_000_000
const freshPhone = () => String(++serial)

/** A person, with this address as the operator noted it. */
const person = async (service: Service, email: string | null): Promise<string> => {
  const phone = freshPhone()
  const { id } = await service.organization()
  const { members } = await service.run(Engine)
  await service.run(members.add(id, { phone, role: "developer", email }))
  return phone
}

const ask = (service: Service, phone: string, more: object = {}) =>
  call(service, "POST", "/panel/login/code", { body: { phone, ...more } })

const shapeOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
  status,
  JSON.stringify(body).replace(/chl_[0-9a-z]{26}/, "chl_")
]

describe("a code by e-mail", () => {
  let shop: Awaited<ReturnType<typeof world>>
  beforeAll(async () => {
    shop = await world()
  })

  it("goes to the address of the phone's account, and opens a session", async () => {
    const { post, service } = shop
    const phone = await person(service, "aliya@shop.example.kz")
    const { body } = await ask(service, phone, { channel: "email" })
    await expect.poll(() => post.letters.length).toBe(1)
    const [letter] = post.letters
    expect(letter?.to).toBe("aliya@shop.example.kz")
    const [head = ""] = letter!.text.split("\n\n")
    const code = codeIn(letter)
    expect(code).toMatch(/^\d{6}$/)
    // Headers are kept and shown where bodies are not: neither part of a login stands in them.
    expect(head).not.toContain(code)
    expect(letter!.text).not.toContain(String(body["challengeId"]))
    const entered = await call(service, "POST", "/panel/login/verify", {
      body: { challengeId: body["challengeId"], code }
    })
    expect(entered.status).toBe(200)
    expect(service.logs.join("\n")).not.toContain(code)
  })

  it("is answered alike whether there is an account and an address or not", async () => {
    const { post, service } = shop
    const before = post.letters.length
    const [addressed, bare, stranger] = [
      await person(service, "dana@shop.example.kz"),
      await person(service, null),
      freshPhone()
    ]
    const answers = await Promise.all([addressed, bare, stranger].map((phone) => ask(service, phone)))
    const [first, ...others] = answers.map(shapeOf)
    expect(first?.[0]).toBe(200)
    expect(answers[0]?.body).toMatchObject({ channels: ["email"], retryAfterSeconds: 60 })
    for (const other of others) expect(other).toEqual(first)
    const again = await Promise.all([addressed, bare, stranger].map((phone) => ask(service, phone)))
    for (const { status, body } of again) expect([status, body["error"]]).toEqual([429, "rate_limited"])
    await expect.poll(() => post.letters.slice(before).map(({ to }) => to)).toEqual(["dana@shop.example.kz"])
    // One asked for later has come: those before it were looked at, and nothing went to others.
    await ask(service, await person(service, "last@shop.example.kz"))
    await expect.poll(() => post.letters.at(-1)?.to).toBe("last@shop.example.kz")
    expect(post.letters).toHaveLength(before + 2)
  })

  it("goes to those who are blocked too, who are told so by the right code alone", async () => {
    const { post, service } = shop
    const phone = await person(service, "blocked@shop.example.kz")
    const { organizations, directory } = await service.run(Engine)
    const account = await service.run(directory.account({ phone }))
    if (account._tag === "None") throw new Error("there is no account")
    await service.run(organizations.setAccountStatus(account.value.id, "blocked"))
    expect((await ask(service, phone)).status).toBe(200)
    await expect.poll(() => post.letters.at(-1)?.to).toBe("blocked@shop.example.kz")
  })
})

describe("a mail server that does not answer", () => {
  it("keeps no one waiting, and beyond what may wait each phone is refused alike", async () => {
    const email = { atOnce: 1, waiting: 2 }
    const { service } = await world({ settings: { login: { ...defaults.login, email } } }, { mute: true })
    const phones = await Promise.all(Array.from({ length: 5 }, () => person(service, "slow@shop.example.kz")))
    const [held = "", ...others] = phones
    // One is being handed over, two wait.
    expect((await ask(service, held)).status).toBe(200)
    const outcomes: Array<string> = []
    for (const phone of [...others, freshPhone(), await person(service, null)]) {
      const { status, body } = await ask(service, phone)
      outcomes.push(status === 200 ? "sent" : `${status} ${body["error"]}`)
    }
    expect(outcomes.slice(0, 2)).toEqual(["sent", "sent"])
    expect(outcomes.slice(-3)).toEqual(["503 no_channel", "503 no_channel", "503 no_channel"])
  })
})

it("is no channel where letters are not sent", async () => {
  const service = await start({ now, channels: [emailChannel] })
  closing.push(service.stop)
  const { status, body } = await ask(service, freshPhone(), { channel: "email" })
  expect([status, body["error"]]).toEqual([503, "no_channel"])
})
