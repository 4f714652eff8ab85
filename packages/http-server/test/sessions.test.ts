/** Sessions of the cabinet: how many there are, who sees and ends them, and what the audit log says of logins. */
import * as PromiseClient from "@tolem/api/PromiseClient"
import type { AuditRecord } from "@tolem/core/audit/Audit"
import { Engine } from "@tolem/core/engine/Engine"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, call } from "./support/calls.ts"
import * as TestClock from "./support/clock.ts"
import { type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)

let service: Service
beforeAll(async () => {
  service = await start({ now })
})
afterAll(() => service.stop())

let phones = 77_070_000_000
const freshPhone = () => String(++phones)

const begin = async (phone: string) => {
  service.time.now += 60_000
  const { body } = await call(service, "POST", "/panel/login/code", { body: { phone } })
  return { challengeId: String(body["challengeId"]), code: service.codes.get(phone) ?? "" }
}
const verify = (body: object, headers: Record<string, string> = {}) =>
  call(service, "POST", "/panel/login/verify", { body, headers })

const logIn = async (phone = freshPhone(), headers: Record<string, string> = {}) => {
  const answer = await verify(await begin(phone), headers)
  const token = /tolem_session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? ""
  const { account, session } = answer.body
  const panel = PromiseClient.makePanel({ baseUrl: service.url, token })
  return { phone, token, panel, accountId: String(account?.["id"]), id: String(session?.["id"]) }
}
const read = (token: string) =>
  call(service, "GET", "/panel/session", { headers: { authorization: `Bearer ${token}` } })
const codeOf = ({ status, body }: Answer) => (status < 300 ? status : `${status} ${body["error"]}`)

/** What the audit log tells of logins and sessions that it did not tell before, oldest first. */
const log = async (before: ReadonlyArray<AuditRecord> = []) => {
  const { audit } = await service.run(Engine)
  const records = await service.run(audit.list({ organizationId: null, before: null, limit: 1000 }))
  const ids = new Set(before.map(({ id }) => id))
  return records.filter(({ id, action }) => /^(login|session)\./.test(action) && !ids.has(id)).toReversed()
}

describe("a person's sessions", () => {
  it("are listed newest first, and ended one by one or all but this one", async () => {
    const first = await logIn(undefined, { "user-agent": "Phone/1" })
    const second = await logIn(first.phone, { "user-agent": "Laptop/2" })
    const third = await logIn(first.phone)
    const stranger = await logIn()
    const { sessions } = await second.panel.sessions.list()
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [third.id, false],
      [second.id, true],
      [first.id, false]
    ])
    expect(sessions[2]).toMatchObject({ address: "127.0.0.1", userAgent: "Phone/1" })
    expect(JSON.stringify(sessions)).not.toMatch(/cab_|digest/)
    await second.panel.sessions.endOne({ params: { id: first.id } })
    expect(codeOf(await read(first.token))).toBe("401 unauthorized")
    const again = second.panel.sessions.endOne({ params: { id: first.id } })
    await expect(again).rejects.toMatchObject({ status: 404, error: "session_not_found" })
    const foreign = second.panel.sessions.endOne({ params: { id: stranger.id } })
    await expect(foreign).rejects.toMatchObject({ status: 404, error: "session_not_found" })
    expect(await second.panel.sessions.endOthers()).toEqual({ ended: 1 })
    expect(codeOf(await read(third.token))).toBe("401 unauthorized")
    expect([codeOf(await read(second.token)), codeOf(await read(stranger.token))]).toEqual([200, 200])
    await second.panel.sessions.endOne({ params: { id: second.id } })
    expect(codeOf(await read(second.token))).toBe("401 unauthorized")
  })

  it.each([
    ["GET", "/panel/sessions"],
    ["DELETE", "/panel/sessions"],
    ["DELETE", "/panel/sessions/ses_1"]
  ])("are nobody's without one: %s %s", async (method, path) => {
    expect(codeOf(await call(service, method, path))).toBe("401 unauthorized")
    const key = await service.key()
    expect(codeOf(await call(service, method, path, { key }))).toBe("401 unauthorized")
  })

  it("are ten at most: the next login ends the oldest", async () => {
    const phone = freshPhone()
    const opened = []
    for (let count = 0; count < 10; count++) {
      // A phone gets ten codes a day.
      if (count === 9) service.time.now += 24 * 3_600_000
      opened.push(await logIn(phone))
    }
    expect(codeOf(await read(opened[0]!.token))).toBe(200)
    const newest = await logIn(phone)
    expect(codeOf(await read(opened[0]!.token))).toBe("401 unauthorized")
    expect(codeOf(await read(opened[1]!.token))).toBe(200)
    expect((await newest.panel.sessions.list()).sessions).toHaveLength(10)
  })

  it("end where the same browser logs in anew, no matter who does", async () => {
    const first = await logIn()
    const cookie = { cookie: `tolem_session=${first.token}`, origin: service.settings.baseUrl }
    const second = await logIn(undefined, cookie)
    expect(second.token).not.toBe(first.token)
    expect(codeOf(await read(first.token))).toBe("401 unauthorized")
    expect(codeOf(await read(second.token))).toBe(200)
    const wrong = await begin(first.phone)
    const body = { ...wrong, code: wrong.code === "000000" ? "000001" : "000000" }
    await verify(body, { authorization: `Bearer ${second.token}` })
    expect(codeOf(await read(second.token))).toBe(200)
  })

  it("of a blocked account end for good", async () => {
    const { organizations } = await service.run(Engine)
    const { token, accountId, phone } = await logIn()
    const set = (status: "active" | "blocked") =>
      service.run(Effect.provide(organizations.setAccountStatus(accountId, status), TestClock.layer(service.time)))
    await set("blocked")
    expect(codeOf(await read(token))).toBe("403 account_blocked")
    await set("active")
    expect(codeOf(await read(token))).toBe("401 unauthorized")
    expect(codeOf(await read((await logIn(phone)).token))).toBe(200)
  })
})

describe("the audit log", () => {
  it("tells of logins, of wrong codes as many as are looked at, and of ends", async () => {
    const before = await log()
    const phone = freshPhone()
    const { challengeId, code } = await begin(phone)
    const wrong = code === "000000" ? "000001" : "000000"
    const answers = await Promise.all(Array.from({ length: 12 }, () => verify({ challengeId, code: wrong })))
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(5)
    const failed = await log(before)
    expect(failed).toHaveLength(5)
    for (const { action, subject, detail, actor } of failed) {
      expect([action, subject, detail]).toEqual(["login.failed", challengeId, "invalid_code"])
      expect(actor).toEqual({ kind: "account", id: null, origin: "127.0.0.1" })
    }
    const { id, accountId, panel, token } = await logIn(phone)
    // Records of one millisecond have no order.
    service.time.now += 1
    await panel.login.logout()
    await panel.login.logout()
    const later = (await log([...before, ...failed])).map(
      ({ action, subject, actor }) => `${action} ${subject} ${actor.id}`
    )
    expect(later).toEqual([`login.succeeded ${id} ${accountId}`, `session.ended ${id} ${accountId}`])
    const everything = JSON.stringify(await log(before))
    for (const secret of [token, code, wrong, phone]) expect(everything).not.toContain(secret)
  })

  it("keeps no line of a code that was asked for too often, or of a login that is over", async () => {
    const phone = freshPhone()
    const { challengeId, code } = await begin(phone)
    await verify({ challengeId, code })
    const before = await log()
    for (let count = 0; count < 5; count++) {
      await call(service, "POST", "/panel/login/code", { body: { phone } })
      await verify({ challengeId, code })
      await verify({ challengeId: `${challengeId.slice(0, -4)}0000`, code })
      await verify({ challengeId, code: "12" })
    }
    expect(await log(before)).toEqual([])
  })
})
