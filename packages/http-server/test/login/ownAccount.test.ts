/** People change their own name and e-mail address over HTTP. */
import { Engine } from "@tolem/core/engine/Engine"
import { type CodeChannel, emailChannel } from "@tolem/core/login/CodeChannel"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { mailWorld } from "../support/mail.ts"
import { as, outcomeOf, type Person } from "../support/people.ts"
import { start } from "../support/service.ts"
import { codeIn, partsOf } from "../support/smtp.ts"

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const minute = 60_000
const codes = new Map<string, string>()
const sms: CodeChannel = {
  name: "sms",
  send: ({ phone, code }) => Effect.sync(() => void codes.set(phone, Redacted.value(code))).pipe(Effect.as("sent"))
}
let world: Awaited<ReturnType<typeof mailWorld>>
beforeAll(async () => {
  world = await mailWorld({ now, channels: [sms, emailChannel] })
})
afterAll(() => world?.stop())

let serial = 77_050_000_000
/** Logged in just now, so that their code is fresh. */
const person = async (phone = String(++serial)): Promise<Person> => {
  const begun = await call(world.service, "POST", "/panel/login/code", { body: { phone } })
  const body = { challengeId: begun.body["challengeId"], code: codes.get(phone) }
  const { headers, body: entered } = await call(world.service, "POST", "/panel/login/verify", { body })
  const token = /tolem_session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? ""
  return { phone, token, accountId: String(entered["account"]?.["id"]) }
}
const own = (who: Person, method: string, path = "", body?: unknown) =>
  as(world.service, who, method, `/panel/account${path}`, body)
const accountOf = async (who: Person) => (await as(world.service, who, "GET", "/panel/session")).body["account"]

/** Asks for a code to this address, and answers it with its challenge. */
const codeFor = async (who: Person, email: string) => {
  const { body, status } = await own(who, "POST", "/email", { email })
  expect(status).toBe(200)
  await expect.poll(() => world.post.letters.at(-1)?.to).toBe(email)
  return { email, challengeId: String(body["challengeId"]), code: codeIn(world.post.letters.at(-1)) }
}
const wrong = (code: string) => (code === "000000" ? "000001" : "000000")
const deedsOf = async (who: Person) => {
  const { audit } = await world.service.run(Engine)
  const records = await world.service.run(audit.list({ organizationId: null, before: null, limit: 200 }))
  return records.filter(({ subject }) => subject === who.accountId).map(({ action, actor }) => [action, actor.id])
}

describe("one's own name", () => {
  it("is changed, and seen by colleagues; none is refused", async () => {
    const aliya = await person()
    const changed = await own(aliya, "PATCH", "", { name: "  Әлия  " })
    expect([changed.status, changed.body["account"]]).toEqual([
      200,
      expect.objectContaining({ id: aliya.accountId, name: "Әлия", email: null })
    ])
    expect(await accountOf(aliya)).toMatchObject({ name: "Әлия" })
    expect(await deedsOf(aliya)).toEqual([["account.renamed", aliya.accountId]])
    for (const name of [null, "", "  ", 5, "a\nb", "x".repeat(300)]) {
      expect(outcomeOf(await own(aliya, "PATCH", "", { name }))).toBe("422 invalid_name")
    }
    expect(outcomeOf(await own({ ...aliya, token: "cab_none" }, "PATCH", "", { name: "x" }))).toBe("401 unauthorized")
    expect(await accountOf(aliya)).toMatchObject({ name: "Әлия" })
  })
})

describe("one's own address", () => {
  it("is noted with the code that came to it, carries login codes then, and is taken away", async () => {
    const dana = await person()
    const given = await codeFor(dana, "dana@shop.example.kz")
    expect(await accountOf(dana)).toMatchObject({ email: null })
    expect(outcomeOf(await own(dana, "PUT", "/email", { ...given, code: wrong(given.code) }))).toBe("400 invalid_code")
    const noted = await own(dana, "PUT", "/email", given)
    expect([noted.status, noted.body["account"]?.["email"]]).toEqual([200, "da*****@shop.example.kz"])
    expect(outcomeOf(await own(dana, "PUT", "/email", given))).toBe("409 challenge_used")
    world.service.time.now += 2 * minute
    const before = world.post.letters.length
    await call(world.service, "POST", "/panel/login/code", { body: { phone: dana.phone, channel: "email" } })
    await expect.poll(() => world.post.letters.slice(before).map(({ to }) => to)).toEqual(["dana@shop.example.kz"])
    expect(outcomeOf(await own(dana, "DELETE", "/email"))).toBe("204")
    expect(outcomeOf(await own(dana, "DELETE", "/email"))).toBe("204")
    expect(await accountOf(dana)).toMatchObject({ email: null })
    const noted2 = [
      ["account.email_removed", dana.accountId],
      ["account.email_confirmed", dana.accountId]
    ]
    expect(await deedsOf(dana)).toEqual(noted2)
  })

  it("tells the address that it had when it is changed or taken away, without the new one", async () => {
    const owner = await person()
    const noticesTo = (address: string) =>
      world.post.letters.filter((one) => one.to === address && codeIn(one) === "").map(partsOf)
    for (const email of ["first@shop.example.kz", "First@shop.example.kz", "second@shop.example.kz"]) {
      expect((await own(owner, "PUT", "/email", await codeFor(owner, email))).status).toBe(200)
      world.service.time.now += 2 * minute
    }
    await expect.poll(() => noticesTo("First@shop.example.kz")).toHaveLength(1)
    expect(noticesTo("first@shop.example.kz")).toEqual([])
    expect(noticesTo("First@shop.example.kz")[0]).toContain("заменён другим")
    expect(noticesTo("First@shop.example.kz")[0]).not.toContain("second")
    expect(outcomeOf(await own(owner, "DELETE", "/email"))).toBe("204")
    await expect.poll(() => noticesTo("second@shop.example.kz")).toEqual([expect.stringContaining("удалён")])
  })

  it("takes a fresh code of the phone", async () => {
    const old = await person()
    const given = await codeFor(old, "old@shop.example.kz")
    world.service.time.now += 11 * minute
    for (const [method, body] of [
      ["POST", { email: "a@b.kz" }],
      ["PUT", given],
      ["DELETE", undefined]
    ] as const) {
      expect(outcomeOf(await own(old, method, "/email", body))).toBe("403 fresh_code_required")
    }
  })

  it("is that of the code, and of the account that asked for it", async () => {
    const [mine, other] = [await person(), await person()]
    const given = await codeFor(mine, "mine@shop.example.kz")
    const told = async (who: Person, more: object) => outcomeOf(await own(who, "PUT", "/email", { ...given, ...more }))
    expect(await told(mine, { email: "victim@shop.example.kz" })).toBe("410 challenge_expired")
    // Another spelling is another address.
    expect(await told(mine, { email: "Mine@shop.example.kz" })).toBe("400 invalid_code")
    expect(await told(other, {})).toBe("410 challenge_expired")
    expect(await told(mine, { challengeId: "chl_none" })).toBe("410 challenge_expired")
    // It logs no one in, and confirms no session.
    const verify = { challengeId: given.challengeId, code: given.code }
    const login = await call(world.service, "POST", "/panel/login/verify", { body: verify })
    expect(outcomeOf(login)).toBe("410 challenge_expired")
    const confirmed = await as(world.service, mine, "POST", "/panel/session/verify", verify)
    expect(outcomeOf(confirmed)).toBe("410 challenge_expired")
    // Nor does the code of a login confirm an address.
    world.service.time.now += 2 * minute
    const begun = await as(world.service, mine, "POST", "/panel/session/code")
    const ofPhone = { challengeId: begun.body["challengeId"], code: codes.get(mine.phone) }
    expect(await told(mine, ofPhone)).toBe("410 challenge_expired")
    expect(await told(mine, {})).toBe("200")
  })

  it("bears five tries, and its codes are bounded by address and by account", async () => {
    const who = await person()
    const given = await codeFor(who, "tries@shop.example.kz")
    expect(outcomeOf(await own(who, "POST", "/email", { email: "Tries@shop.example.kz" }))).toBe("429 rate_limited")
    for (let tries = 0; tries < 5; tries++) {
      const tried = await own(who, "PUT", "/email", { ...given, code: wrong(given.code) })
      expect(outcomeOf(tried)).toBe("400 invalid_code")
    }
    expect(outcomeOf(await own(who, "PUT", "/email", given))).toMatch(/too_many_attempts/)
    const asked = await Promise.all(
      Array.from({ length: 14 }, (_, n) => own(who, "POST", "/email", { email: `n${n}@shop.example.kz` }))
    )
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(9)
    for (const email of [null, "", "nonsense", "a@b", 5]) {
      expect(outcomeOf(await own(who, "POST", "/email", { email }))).toBe("422 invalid_email")
    }
  })

  it("counts for letters of a sandbox once it is confirmed", async () => {
    const owner = await person()
    const opened = await as(world.service, owner, "POST", "/panel/orgs", { name: "Shop" })
    const { directory } = await world.service.run(Engine)
    const addresses = () => world.service.run(directory.addresses(String(opened.body["id"])))
    const given = await codeFor(owner, "owner@shop.example.kz")
    expect(await addresses()).toEqual([])
    expect(outcomeOf(await own(owner, "PUT", "/email", given))).toBe("200")
    expect(await addresses()).toEqual(["owner@shop.example.kz"])
  })
})

it("cannot be confirmed where no letters are sent", async () => {
  const service = await start({ now, channels: [sms] })
  try {
    const phone = String(++serial)
    const begun = await call(service, "POST", "/panel/login/code", { body: { phone } })
    const body = { challengeId: begun.body["challengeId"], code: codes.get(phone) }
    const { headers } = await call(service, "POST", "/panel/login/verify", { body })
    const token = /tolem_session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? ""
    const answer = await as(service, { token }, "POST", "/panel/account/email", { email: "a@b.kz" })
    expect(outcomeOf(answer)).toBe("503 no_channel")
  } finally {
    await service.stop()
  }
})
