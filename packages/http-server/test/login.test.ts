/** Login by code over HTTP: the codes of every refusal, the limits, the cookie, and what other sites may not do. */
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import type { CodeChannel } from "@tolem/core/login/CodeChannel"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, call, type Sent } from "./support/calls.ts"
import { type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 2, 3, 4, 5)
const day = 24 * 60 * 60_000
const { codes } = defaults.login
const roomy: Partial<Settings> = {
  baseUrl: "https://pay.example.kz/shop",
  login: { ...defaults.login, codes: { ...codes, perAddress: 1e9 } }
}
const own = { origin: "https://pay.example.kz" }

let service: Service
let serial = 77_010_000_000
const freshPhone = () => String(++serial)

beforeAll(async () => {
  service = await start({ now, settings: roomy })
})
afterAll(() => service.stop())

const post = (path: string, body?: unknown, headers: Record<string, string> = {}, of = service) =>
  call(of, "POST", `/panel${path}`, { body, headers })
const ask = (phone: string, of = service) => post("/login/code", { phone }, {}, of)
const tokenIn = ({ headers }: Answer) =>
  /^__Host-tolem_session=([^;]*)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? ""
const codeOf = ({ status, body }: Answer) => (status < 400 ? status : String(body["error"]))
const readWith = (headers: Record<string, string>, of = service) => call(of, "GET", "/panel/session", { headers })
const read = ({ cookie }: { readonly cookie: string }) => readWith({ cookie })

const begin = async (phone = freshPhone(), of = service) => {
  const { body } = await ask(phone, of)
  return { phone, challengeId: String(body["challengeId"]), code: of.codes.get(phone) ?? "" }
}
const logIn = async (phone = freshPhone(), extra: object = {}, of = service) => {
  const { challengeId, code } = await begin(phone, of)
  const answer = await post("/login/verify", { challengeId, code, ...extra }, {}, of)
  return { phone, challengeId, code, answer, token: tokenIn(answer), cookie: `__Host-tolem_session=${tokenIn(answer)}` }
}
const wrong = (code: string) => (code === "000000" ? "000001" : "000000")

describe("a login", () => {
  it("begins with a code, and ends with a session that the cookie carries", async () => {
    const phone = freshPhone()
    const begun = await ask(phone)
    expect(begun.status).toBe(200)
    expect(begun.body).toEqual({
      challengeId: expect.stringMatching(/^chl_[0-9a-z]{26}$/),
      expiresAt: new Date(now + 5 * 60_000).toISOString(),
      retryAfterSeconds: 60,
      channels: ["kept"]
    })
    const code = service.codes.get(phone)
    expect(code).toMatch(/^[0-9]{6}$/)
    const opened = await post("/login/verify", { challengeId: begun.body["challengeId"], code, name: "Әлия" })
    expect(opened.status).toBe(200)
    const expected = {
      account: {
        id: expect.stringMatching(/^acc_/),
        phone: `${phone.slice(0, 4)}*****${phone.slice(-2)}`,
        name: "Әлия",
        email: null
      },
      session: {
        id: expect.stringMatching(/^ses_/),
        createdAt: new Date(now).toISOString(),
        idleAt: new Date(now + 7 * day).toISOString(),
        expiresAt: new Date(now + 30 * day).toISOString(),
        freshUntil: new Date(now + 10 * 60_000).toISOString()
      },
      memberships: [],
      operator: false
    }
    expect(opened.body).toEqual(expected)
    expect(opened.headers.getSetCookie()).toEqual([
      `__Host-tolem_session=${tokenIn(opened)}; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Strict`
    ])
    expect((await readWith({ cookie: `__Host-tolem_session=${tokenIn(opened)}` })).body).toEqual(expected)
    expect((await readWith({ authorization: `Bearer ${tokenIn(opened)}` })).body).toEqual(expected)
  })

  it("shows neither code nor token in an answer's body or in a log", async () => {
    const { token, code, answer } = await logIn()
    expect(token).toMatch(/^cab_[A-Za-z0-9_-]{43}$/)
    expect(answer.text).not.toContain(token)
    expect(service.logs.join("\n")).not.toContain(token)
    expect(service.logs.join("\n")).not.toContain(code)
  })

  it("finds the account that the phone has, and keeps its name", async () => {
    const phone = freshPhone()
    const first = await logIn(phone, { name: "Әлия" })
    service.time.now += 60_000
    const second = await logIn(phone, { name: "Somebody else" })
    expect(second.answer.body["account"]).toEqual(first.answer.body["account"])
    expect(second.token).not.toBe(first.token)
  })

  it("sets no secure cookie where the base is not https, or no browser on this machine could log in", async () => {
    const local = await start({ now })
    try {
      const { answer } = await logIn(freshPhone(), {}, local)
      expect(answer.headers.get("set-cookie")).toMatch(/; Path=\/panel; HttpOnly; SameSite=Strict$/)
    } finally {
      await local.stop()
    }
  })

  it("looks the same for phones that are known and that are not", async () => {
    const known = (await logIn()).phone
    service.time.now += 60_000
    const unknown = freshPhone()
    const like = ({ status, headers, body }: Answer) => ({
      status,
      headers: [...headers.keys()].toSorted(),
      length: headers.get("content-length"),
      body: { ...Object.fromEntries(Object.entries(body)), challengeId: "" }
    })
    const both = async (attempt: (phone: string) => Promise<Answer>) => {
      const answers = [like(await attempt(known)), like(await attempt(unknown))]
      expect(answers[0]).toEqual(answers[1])
    }
    await both(ask)
    await both(ask)
    service.time.now += 60_000
    await both(async (phone) => {
      const { challengeId, code } = await begin(phone)
      return post("/login/verify", { challengeId, code: wrong(code) })
    })
  })
})

describe("a code", () => {
  it("that is wrong may be tried five times; the sixth try fails whatever it is", async () => {
    const { challengeId, code } = await begin()
    const attempt = async (text: unknown) => codeOf(await post("/login/verify", { challengeId, code: text }))
    for (const text of [undefined, null, 123456, "", "12345", "1234567", "12345a", "１２３４５６", {}]) {
      expect(await attempt(text), "what is no code costs no try").toBe("invalid_code")
    }
    for (let i = 0; i < 5; i++) expect(await attempt(wrong(code))).toBe("invalid_code")
    expect(await attempt(code)).toBe("too_many_attempts")
    expect(await attempt(wrong(code))).toBe("too_many_attempts")
  })

  it("may be tried five times also by many at once", async () => {
    const { challengeId, code } = await begin()
    const attempts = Array.from({ length: 20 }, () => post("/login/verify", { challengeId, code: wrong(code) }))
    const all = (await Promise.all(attempts)).map(codeOf)
    expect(all.filter((one) => one === "invalid_code")).toHaveLength(5)
    expect(all.filter((one) => one === "too_many_attempts")).toHaveLength(15)
  })

  it("may be right at the fifth try, and is right once", async () => {
    const { challengeId, code } = await begin()
    for (let i = 0; i < 4; i++) await post("/login/verify", { challengeId, code: wrong(code) })
    expect(codeOf(await post("/login/verify", { challengeId, code }))).toBe(200)
    expect(codeOf(await post("/login/verify", { challengeId, code }))).toBe("challenge_used")
    expect(codeOf(await post("/login/verify", { challengeId, code: wrong(code) }))).toBe("challenge_used")
    const race = await begin()
    const entries = Array.from({ length: 5 }, () => post("/login/verify", race))
    const outcomes = (await Promise.all(entries)).map(codeOf)
    expect(outcomes.filter((one) => one === 200)).toHaveLength(1)
    expect(outcomes.filter((one) => one === "challenge_used")).toHaveLength(4)
  })

  it("lives for five minutes, and belongs to its own login", async () => {
    const [first, second] = [await begin(), await begin()]
    service.time.now += 5 * 60_000 - 1
    if (first.code !== second.code) {
      const mixed = { challengeId: first.challengeId, code: second.code }
      expect(codeOf(await post("/login/verify", mixed))).toBe("invalid_code")
    }
    expect(codeOf(await post("/login/verify", first))).toBe(200)
    service.time.now += 1
    expect(codeOf(await post("/login/verify", second))).toBe("challenge_expired")
  })

  it("of a login that never was has expired", async () => {
    const { challengeId } = await begin()
    const last = challengeId.endsWith("0") ? "1" : "0"
    const ids = [undefined, null, 5, {}, "", "x", "chl_", "\u0000", `${challengeId.slice(0, -1)}${last}`, "' or 1=1"]
    for (const id of ids) {
      expect(codeOf(await post("/login/verify", { challengeId: id, code: "123456" }))).toBe("challenge_expired")
    }
  })

  it("logs no blocked account in, and says so only when it is right", async () => {
    const { phone, cookie, answer } = await logIn()
    const account = String(answer.body["account"]?.["id"])
    const set = (status: "active" | "blocked") =>
      service.run(MerchantStore.use((store) => store.setStatus({ account, status }, Date.now())))
    await set("blocked")
    expect(codeOf(await readWith({ cookie }))).toBe("account_blocked")
    service.time.now += 60_000
    const { challengeId, code } = await begin(phone)
    expect(codeOf(await post("/login/verify", { challengeId, code: wrong(code) }))).toBe("invalid_code")
    const refused = await post("/login/verify", { challengeId, code })
    expect([codeOf(refused), refused.headers.get("set-cookie")]).toEqual(["account_blocked", null])
    await set("active")
    expect(codeOf(await post("/login/verify", { challengeId, code }))).toBe("challenge_used")
    expect(codeOf(await readWith({ cookie }))).toBe("unauthorized")
  })
})

describe("the limits of codes", () => {
  const refusal = ({ body, headers }: Answer) => [body["error"], body["retryAfterSeconds"], headers.get("retry-after")]

  it("are one a minute and ten a day for a phone", async () => {
    const phone = freshPhone()
    const beganAt = service.time.now
    expect((await ask(phone)).status).toBe(200)
    expect(refusal(await ask(phone))).toEqual(["rate_limited", 60, "60"])
    service.time.now += 59_001
    expect(refusal(await ask(phone))).toEqual(["rate_limited", 1, "1"])
    for (let i = 1; i < 10; i++) {
      service.time.now = beganAt + i * 60_000
      expect((await ask(phone)).status).toBe(200)
    }
    service.time.now += 60_000
    const wait = 24 * 60 * 60 - 10 * 60
    expect(refusal(await ask(phone))).toEqual(["rate_limited", wait, String(wait)])
    service.time.now = beganAt + day
    expect((await ask(phone)).status).toBe(200)
  })

  it("let one of many at once through", async () => {
    const phone = freshPhone()
    const answers = await Promise.all(Array.from({ length: 12 }, () => ask(phone)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter((answer) => codeOf(answer) === "rate_limited")).toHaveLength(11)
  })

  it("are thirty a day for an address", async () => {
    const limited = await start({ now })
    try {
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask(freshPhone(), limited)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
      expect(refusal(await ask(freshPhone(), limited))).toEqual(["rate_limited", 86_400, "86400"])
      const forged = await post("/login/code", { phone: freshPhone() }, { "x-forwarded-for": "203.0.113.9" }, limited)
      expect(codeOf(forged)).toBe("rate_limited")
    } finally {
      await limited.stop()
    }
  })
})

describe("the channels", () => {
  const channel = (name: string, outcome: "sent" | "failed"): CodeChannel => ({
    name,
    send: () => Effect.succeed(outcome)
  })
  const told = async (channels: ReadonlyArray<CodeChannel>, body: object) => {
    const other = await start({ now, channels })
    try {
      const answer = await post("/login/code", { phone: freshPhone(), ...body }, {}, other)
      return answer.status === 200 ? answer.body["channels"] : codeOf(answer)
    } finally {
      await other.stop()
    }
  }

  it("are chosen by name, the first one by default", async () => {
    const [sms, chat] = [channel("sms", "failed"), channel("chat", "sent")]
    expect(await told([chat, sms], {})).toEqual(["chat", "sms"])
    expect(await told([sms, chat], { channel: "chat" })).toEqual(["sms", "chat"])
    expect(await told([sms, chat], { channel: null })).toBe("no_channel")
    for (const name of ["console", "Chat", "", 5, {}, "__proto__"]) {
      expect(await told([chat], { channel: name })).toBe("channel_forbidden")
    }
  })

  it("are none until some are configured", async () => {
    expect(await told([], {})).toBe("no_channel")
    expect(await told([], { channel: "sms" })).toBe("no_channel")
  })
})

describe("a session", () => {
  it("ends after seven days without use, and after thirty in any case", async () => {
    const beganAt = service.time.now
    const [used, unused] = [await logIn(), await logIn()]
    service.time.now = beganAt + 7 * day - 1
    expect(codeOf(await read(used))).toBe(200)
    service.time.now = beganAt + 7 * day
    expect(codeOf(await read(unused))).toBe("unauthorized")
    for (const days of [13, 19, 25, 29]) {
      service.time.now = beganAt + days * day
      expect(codeOf(await read(used)), `after ${days} days`).toBe(200)
    }
    service.time.now = beganAt + 30 * day - 1
    expect((await read(used)).body["session"]?.["idleAt"]).toBe(new Date(beganAt + 30 * day).toISOString())
    service.time.now = beganAt + 30 * day
    expect(codeOf(await read(used))).toBe("unauthorized")
  })

  it("ends at once with the logout, which may be repeated", async () => {
    const { cookie, phone } = await logIn()
    service.time.now += 60_000
    const other = await logIn(phone)
    const left = await post("/logout", undefined, { cookie, ...own })
    expect(left.status).toBe(204)
    expect(left.headers.getSetCookie()).toEqual([
      "__Host-tolem_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Strict"
    ])
    expect(codeOf(await readWith({ cookie }))).toBe("unauthorized")
    expect(codeOf(await post("/logout", {}, { cookie, ...own }))).toBe(204)
    expect(codeOf(await post("/logout"))).toBe(204)
    expect(codeOf(await read(other))).toBe(200)
  })

  it("cannot be used without its token", async () => {
    const { token } = await logIn()
    const key = await service.key()
    const changed = token.slice(0, -1) + (token.endsWith("A") ? "E" : "A")
    for (const text of ["", "x", token.slice(0, -1), `${token}A`, changed, key.apiKey, "%00", "cab_"]) {
      expect(codeOf(await readWith({ cookie: `__Host-tolem_session=${text}` })), text).toBe("unauthorized")
      expect(codeOf(await readWith({ authorization: `Bearer ${text}` })), text).toBe("unauthorized")
    }
    expect(codeOf(await readWith({}))).toBe("unauthorized")
    expect(codeOf(await call(service, "GET", "/api/v1/invoices", { key: token }))).toBe("invalid_api_key")
  })
})

describe("another site", () => {
  const from: ReadonlyArray<readonly [Record<string, string>, boolean, boolean]> = [
    // Headers, whether a request without a cookie may go on, and one with it.
    [{}, true, false],
    [own, true, true],
    [{ "sec-fetch-site": "same-origin" }, true, true],
    [{ origin: "null" }, false, false],
    [{ origin: "https://evil.example" }, false, false],
    [{ origin: "http://pay.example.kz" }, false, false],
    [{ origin: "https://pay.example.kz.evil.example" }, false, false],
    [{ "sec-fetch-site": "same-site" }, false, false],
    [{ "sec-fetch-site": "cross-site" }, false, false],
    [{ "sec-fetch-site": "none" }, false, false]
  ]

  it("can change nothing, and read only what anybody may", async () => {
    for (const [headers, without, with_] of from) {
      const { cookie } = await logIn()
      const label = JSON.stringify(headers)
      const plain = await post("/login/code", { phone: freshPhone() }, headers)
      expect(codeOf(plain), label).toBe(without ? 200 : "cross_site_request")
      const left = await post("/logout", undefined, { cookie, ...headers })
      expect(codeOf(left), label).toBe(with_ ? 204 : "cross_site_request")
      expect(codeOf(await readWith({ cookie })), label).toBe(with_ ? "unauthorized" : 200)
    }
  })

  it("sends forms in vain: bodies are JSON and say so", async () => {
    const forms: ReadonlyArray<Sent> = [
      { body: "phone=77001234567", headers: { "content-type": "application/x-www-form-urlencoded" } },
      { body: '{"phone":"77001234567"}', headers: { "content-type": "text/plain" } }
    ]
    for (const form of forms) {
      expect(codeOf(await call(service, "POST", "/panel/login/code", form))).toBe("unsupported_media_type")
      expect(codeOf(await call(service, "POST", "/panel/login/verify", form))).toBe("unsupported_media_type")
    }
  })
})

describe("hostile input", () => {
  it("is refused by its field", async () => {
    for (const phone of [undefined, null, 77001234567, "+77001234567", "87001234567", "7700123456", "", "\u0000", []]) {
      expect(codeOf(await post("/login/code", { phone }))).toBe("invalid_phone")
    }
    const { challengeId, code } = await begin()
    for (const name of [5, "", "  ", "x".repeat(201), "\u0000", "\ud800", []]) {
      expect(codeOf(await post("/login/verify", { challengeId, code, name }))).toBe("invalid_name")
    }
    for (const body of ["", "[]", "null", "{", '"x"']) {
      expect(codeOf(await post("/login/code", body))).toBe("invalid_json")
    }
    expect(codeOf(await post("/login/code", "x".repeat(300_000)))).toBe("payload_too_large")
    expect(codeOf(await post("/login/verify", { challengeId, code }, { "user-agent": "x".repeat(5000) }))).toBe(200)
  })

  it("and every answer stays out of caches", async () => {
    const { cookie } = await logIn()
    const answers = [
      await ask(freshPhone()),
      await ask("x"),
      await post("/login/verify", {}),
      await post("/logout", undefined, { cookie }),
      await post("/logout", undefined, { cookie, ...own }),
      await readWith({ cookie }),
      await readWith({})
    ]
    expect(answers.map(({ headers }) => headers.get("cache-control"))).toEqual(answers.map(() => "no-store"))
  })
})
