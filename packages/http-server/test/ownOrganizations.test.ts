/** What owners do in the cabinet: organizations, modes, keys and members, and the fresh codes that it takes. */
import { Engine } from "@tolem/core/engine/Engine"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import * as TestClock from "./support/clock.ts"
import { as, join, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

const minuteMs = 60_000

let service: Service
beforeAll(async () => {
  service = await start({ now: Date.UTC(2026, 0, 10, 7) })
})
afterAll(() => service.stop())

let phones = 77_090_000_000
const someone = () => logIn(service, String(++phones))
const outcome = async (person: Person, method: string, path: string, body?: unknown) =>
  outcomeOf(await as(service, person, method, path, body))
const shop = async () => {
  const owner = await someone()
  return { owner, id: await organizationOf(service, owner) }
}
/** Makes a person a member, in the time of the service: records of what comes later are behind it. */
const joined = async (id: string, { phone }: Person, role: "developer" | "cashier") => {
  const { members } = await service.run(Engine)
  await service.run(Effect.provide(members.add(id, { phone, role }), TestClock.layer(service.time)))
}
const keysIn = (text: string): ReadonlyArray<Readonly<Record<string, unknown>>> => JSON.parse(text).keys
const key = { name: "Shop", scopes: ["invoices:read"] }

/** Has a fresh code sent to the person, and gives it. */
const confirm = async (person: Person, to = person) => {
  const begun = await as(service, to, "POST", "/panel/session/code")
  const body = { challengeId: begun.body["challengeId"], code: service.codes.get(to.phone) }
  return as(service, person, "POST", "/panel/session/verify", body)
}

describe("a fresh code", () => {
  it("is asked for when the login lies more than ten minutes back, and is good for ten more", async () => {
    const { owner, id } = await shop()
    const keys = `/panel/orgs/${id}/api-keys`
    expect(await outcome(owner, "POST", keys, key)).toBe("201")
    service.time.now += 10 * minuteMs
    expect(await outcome(owner, "POST", keys, key)).toBe("403 fresh_code_required")
    expect(await outcome(owner, "DELETE", `${keys}/key_none`)).toBe("403 fresh_code_required")
    const confirmed = await confirm(owner)
    expect(confirmed.body["session"]?.["freshUntil"]).toBe(new Date(service.time.now + 10 * minuteMs).toISOString())
    expect(await outcome(owner, "POST", keys, key)).toBe("201")
    service.time.now += 10 * minuteMs - 1
    expect(await outcome(owner, "POST", keys, key)).toBe("201")
    service.time.now += 1
    expect(await outcome(owner, "POST", keys, key)).toBe("403 fresh_code_required")
    const { audit } = await service.run(Engine)
    const records = await service.run(audit.list({ organizationId: null, before: null, limit: 100 }))
    expect(
      records.filter(({ action, actor }) => action === "session.confirmed" && actor.id === owner.accountId)
    ).toHaveLength(1)
  })

  it("is one's own, once, and the right one", async () => {
    const { owner, id } = await shop()
    const thief = await someone()
    service.time.now += 10 * minuteMs
    expect(outcomeOf(await confirm(thief, owner))).toBe("410 challenge_expired")
    service.time.now += minuteMs
    expect(await outcome(owner, "POST", "/panel/session/code", { channel: "pigeon" })).toBe("403 channel_forbidden")
    const begun = await as(service, owner, "POST", "/panel/session/code", { channel: "kept" })
    const right = { challengeId: begun.body["challengeId"], code: service.codes.get(owner.phone) }
    const wrong = { ...right, code: right.code === "000000" ? "000001" : "000000" }
    expect(await outcome(owner, "POST", "/panel/session/verify", wrong)).toBe("400 invalid_code")
    expect(await outcome(owner, "PATCH", `/panel/orgs/${id}/members/acc_none`, {})).toBe("403 fresh_code_required")
    expect(await outcome(owner, "POST", "/panel/session/verify", right)).toBe("200")
    expect(await outcome(owner, "POST", "/panel/session/verify", right)).toBe("409 challenge_used")
    expect(await outcome(owner, "POST", "/panel/session/code")).toBe("429 rate_limited")
    expect(outcomeOf(await call(service, "POST", "/panel/session/code"))).toBe("401 unauthorized")
  })
})

describe("a person", () => {
  it("opens organizations of their own, brought by who gave them a code or its link", async () => {
    const friend = await someone()
    const { body: referral } = await as(service, friend, "GET", "/panel/referral")
    const owner = await someone()
    const opened = await as(service, owner, "POST", "/panel/orgs", { name: "Tea", referralCode: referral["link"] })
    expect(opened.status).toBe(201)
    expect(opened.body).toMatchObject({ name: "Tea", mode: "sandbox", status: "active", tariff: { code: "trial" } })
    const { body: earned } = await as(service, friend, "GET", "/panel/referral")
    expect(earned["clients"]).toMatchObject([{ organizationId: opened.body["id"] }])
    const { body: list } = await as(service, owner, "GET", "/panel/orgs")
    expect(list["organizations"]).toMatchObject([{ id: opened.body["id"], role: "owner" }])
    const refused = async (body: object) => outcome(owner, "POST", "/panel/orgs", body)
    expect(await refused({ name: "Tea", referralCode: "nobody" })).toBe("422 invalid_referral_code")
    expect(await refused({ name: "Tea", referralCode: "https://x.kz/join?ref=NO BODY" })).toBe(
      "422 invalid_referral_code"
    )
    expect(await refused({ name: "" })).toBe("422 invalid_name")
    expect(await refused({ name: "Tea", idn: 5 })).toBe("422 invalid_idn")
    expect(await refused({ name: "Tea", referralCode: referral["referralCode"] })).toBe("201")
  })

  it("opens one for one key, however often they ask, and twenty at most", async () => {
    const owner = await someone()
    const headers = { authorization: `Bearer ${owner.token}`, "idempotency-key": "k".repeat(255) }
    const open = () => call(service, "POST", "/panel/orgs", { body: { name: "Tea" }, headers })
    const answers = await Promise.all([open(), open(), open()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201])
    expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(1)
    const more = await Promise.all(
      Array.from({ length: 22 }, () => outcome(owner, "POST", "/panel/orgs", { name: "x" }))
    )
    expect(more.filter((one) => one === "201")).toHaveLength(19)
    expect(more.filter((one) => one === "422 too_many_organizations")).toHaveLength(3)
  })

  it("switches modes, live with a cashier who works, and archives what is theirs", async () => {
    const { owner, id } = await shop()
    const manager = await someone()
    await join(service, id, manager, "manager")
    const mode = (person: Person, to: string) => outcome(person, "PATCH", `/panel/orgs/${id}/mode`, { mode: to })
    expect(await mode(owner, "live")).toBe("409 no_provider")
    expect(await mode(owner, "test")).toBe("422 invalid_mode")
    service.time.now += 10 * minuteMs
    expect(await mode(manager, "live")).toBe("403 fresh_code_required")
    expect(await mode(manager, "sandbox")).toBe("200")
    expect(await outcome(manager, "POST", `/panel/orgs/${id}/archive`)).toBe("403 insufficient_role")
    const archived = await as(service, owner, "POST", `/panel/orgs/${id}/archive`)
    expect(archived.body).toMatchObject({ id, status: "archived" })
    expect(await outcome(owner, "GET", `/panel/orgs/${id}`)).toBe("410 organization_inactive")
    const { body: list } = await as(service, owner, "GET", "/panel/orgs")
    expect(list["organizations"]).toMatchObject([{ id, status: "archived" }])
  })
})

describe("a key of the cabinet", () => {
  it("is shown once, works in its mode, and is dead when it is deleted", async () => {
    const { owner, id } = await shop()
    const keys = `/panel/orgs/${id}/api-keys`
    const made = await as(service, owner, "POST", `${keys}?mode=sandbox`, key)
    const { apiKey, ...rest } = JSON.parse(made.text)
    expect(rest).toMatchObject({ name: "Shop", mode: "sandbox", scopes: ["invoices:read"], connectionId: null })
    expect(String(apiKey).endsWith(String(rest["lastCharacters"]))).toBe(true)
    const list = () => call(service, "GET", "/api/v1/invoices", { key: String(apiKey) })
    expect((await list()).status).toBe(200)
    const { body, text } = await as(service, owner, "GET", keys)
    expect(body["keys"]).toEqual([rest])
    expect(text).not.toContain(String(apiKey))
    const other = await shop()
    const foreign = `/panel/orgs/${other.id}/api-keys/${rest["id"]}`
    expect(await outcome(other.owner, "DELETE", foreign)).toBe("404 key_not_found")
    expect((await list()).status).toBe(200)
    expect(await outcome(owner, "DELETE", `${keys}/${rest["id"]}`)).toBe("204")
    expect((await list()).status).toBe(401)
    expect(await outcome(owner, "DELETE", `${keys}/${rest["id"]}`)).toBe("404 key_not_found")
  })

  it("takes a fresh code to be bound anew if it is live, and tells who has made it", async () => {
    const { owner, id } = await shop()
    const { connections } = await service.run(Engine)
    const till = await service.run(connections.create(id, { name: "Till" }))
    const developer = await someone()
    await joined(id, developer, "developer")
    const keys = `/panel/orgs/${id}/api-keys`
    const make = async (mode: string, person: Person) =>
      (await as(service, person, "POST", `${keys}?mode=${mode}`, { ...key, connectionId: till.id })).body
    const [live, sandbox] = [await make("live", developer), await make("sandbox", owner)]
    expect(live["madeBy"]).toEqual({ accountId: developer.accountId, name: null, role: "developer" })
    service.time.now += 10 * minuteMs
    const bind = (made: typeof live, connectionId: unknown) =>
      outcome(owner, "PATCH", `${keys}/${made["id"]}`, { connectionId })
    expect(await bind(live, null)).toBe("403 fresh_code_required")
    expect(await bind(sandbox, null)).toBe("200")
    await confirm(owner)
    expect(await bind(live, null)).toBe("200")
    // It works on for the organization when its maker has gone, and the list says that they have.
    expect(await outcome(owner, "DELETE", `/panel/orgs/${id}/members/${developer.accountId}`)).toBe("204")
    const { text } = await as(service, owner, "GET", keys)
    const makerOf = (made: typeof live) => keysIn(text).find(({ id }) => id === made["id"])?.["madeBy"]
    expect(makerOf(live)).toEqual({ accountId: developer.accountId, name: null, role: null })
    expect(makerOf(sandbox)).toEqual({ accountId: owner.accountId, name: null, role: "owner" })
    expect((await call(service, "GET", "/api/v1/invoices", { key: String(live["apiKey"]) })).status).toBe(200)
  })

  it("is refused with what it cannot have", async () => {
    const { owner, id } = await shop()
    const other = await shop()
    const { connections } = await service.run(Engine)
    const [own, foreign] = [
      await service.run(connections.create(id, { name: "Till" })),
      await service.run(connections.create(other.id, { name: "Till" }))
    ]
    const make = (more: object) => outcome(owner, "POST", `/panel/orgs/${id}/api-keys?mode=live`, { ...key, ...more })
    expect(await make({ connectionId: foreign.id })).toBe("404 connection_not_found")
    expect(await make({ connectionId: 5 })).toBe("422 invalid_connection_id")
    expect(await make({ scopes: ["all"] })).toBe("422 invalid_scopes")
    const developer = await someone()
    await join(service, id, developer, "developer")
    const theirs = (mode: string, scopes: ReadonlyArray<string>) =>
      outcome(developer, "POST", `/panel/orgs/${id}/api-keys?mode=${mode}`, { ...key, scopes })
    expect(await theirs("live", ["invoices:read", "refunds:write"])).toBe("403 insufficient_role")
    expect(await theirs("live", ["invoices:write"])).toBe("201")
    expect(await theirs("sandbox", ["refunds:write"])).toBe("201")
    expect(await make({ name: "" })).toBe("422 invalid_name")
    expect(await make({ connectionId: own.id })).toBe("201")
    for (let count = 2; count < 20; count++) expect(await make({})).toBe("201")
    expect(await make({})).toBe("422 too_many_keys")
  })
})

describe("members", () => {
  it("keep what two changes at once have given them", async () => {
    const { owner, id } = await shop()
    const person = await someone()
    await joined(id, person, "cashier")
    const path = `/panel/orgs/${id}/members/${person.accountId}`
    const limits = [100, 200, 300]
    for (const refundLimit of limits) {
      const changes = [{ role: refundLimit === 200 ? "cashier" : "manager" }, { refundLimit }]
      const answers = await Promise.all(changes.map((change) => outcome(owner, "PATCH", path, change)))
      expect(answers).toEqual(["200", "200"])
      const { body } = await as(service, owner, "GET", `/panel/orgs/${id}/members`)
      expect(body["members"]?.find((one) => one["accountId"] === person.accountId)).toMatchObject({
        ...changes[0],
        refundLimit
      })
    }
  })

  it("are listed, given roles, cashiers and a limit of refunds, and removed; the owner stays", async () => {
    const { owner, id } = await shop()
    const other = await shop()
    const till = await someone()
    const { connections, audit } = await service.run(Engine)
    await joined(id, till, "developer")
    const cashier = await service.run(connections.create(id, { name: "Till" }))
    const foreign = await service.run(connections.create(other.id, { name: "Till" }))
    const path = `/panel/orgs/${id}/members`
    const change = (accountId: string, body: unknown) => as(service, owner, "PATCH", `${path}/${accountId}`, body)
    const terms = { role: "cashier", connectionIds: [cashier.id, cashier.id], refundLimit: 20_000.5 }
    const given = { accountId: till.accountId, phone: till.phone, name: null, ...terms, connectionIds: [cashier.id] }
    expect((await change(till.accountId, terms)).body).toEqual(given)
    expect((await change(till.accountId, {})).body).toEqual(given)
    const { body } = await as(service, owner, "GET", path)
    const listed = body["members"]?.find((one) => one["accountId"] === till.accountId)
    expect([body["members"]?.length, listed]).toEqual([2, given])
    expect((await as(service, till, "GET", `/panel/orgs/${id}`)).body).toMatchObject({
      ...terms,
      connectionIds: [cashier.id]
    })
    const refused = async (accountId: string, wanted: unknown) => outcomeOf(await change(accountId, wanted))
    expect(await refused(till.accountId, { role: "owner" })).toBe("422 invalid_role")
    expect(await refused(till.accountId, { role: 5 })).toBe("422 invalid_role")
    expect(await refused(till.accountId, { connectionIds: [foreign.id] })).toBe("422 invalid_connection_ids")
    expect(await refused(till.accountId, { connectionIds: "all" })).toBe("422 invalid_connection_ids")
    expect(await refused(till.accountId, { refundLimit: 0 })).toBe("422 invalid_refund_limit")
    expect(await refused(till.accountId, { refundLimit: "1" })).toBe("422 invalid_refund_limit")
    expect(await refused(owner.accountId, { role: "cashier" })).toBe("404 member_not_found")
    expect(await refused(other.owner.accountId, { role: "cashier" })).toBe("404 member_not_found")
    expect(await outcome(owner, "DELETE", `${path}/${owner.accountId}`)).toBe("404 member_not_found")
    expect(await outcome(owner, "DELETE", `${path}/${till.accountId}`)).toBe("204")
    expect(await outcome(owner, "DELETE", `${path}/${till.accountId}`)).toBe("404 member_not_found")
    expect(await outcome(owner, "DELETE", `${path}/%00`)).toBe("404 member_not_found")
    expect(await outcome(till, "GET", `/panel/orgs/${id}`)).toBe("403 forbidden")
    const records = await service.run(audit.list({ organizationId: id, before: null, limit: 100 }))
    const removed = records.find(({ action }) => action === "member.removed")
    expect(removed).toMatchObject({ subject: till.accountId, actor: { id: owner.accountId } })
    const { integrity } = await service.run(Engine)
    expect(await service.run(integrity.findings)).toEqual([])
  })
})
