/** Owners ask phones to become members, and people answer. */
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import * as TestClock from "./support/clock.ts"
import { as, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

const { openMs, maxPending, perPeriod, perPhone, periodMs } = defaults.invitations

let service: Service
beforeAll(async () => {
  service = await start({ now: Date.UTC(2026, 0, 10, 7) })
})
afterAll(() => service.stop())

let phones = 77_070_000_000
const freshPhone = () => String(++phones)
const someone = () => logIn(service, freshPhone())
const inTime = <A, E>(effect: Effect.Effect<A, E>) => service.run(Effect.provide(effect, TestClock.layer(service.time)))

/** An organization, its owner, and the calls about its invitations. */
const shop = async () => {
  const owner = await someone()
  const id = await organizationOf(service, owner)
  const path = `/panel/orgs/${id}/invitations`
  const asked = (phone: unknown, terms: object = { role: "manager" }) =>
    as(service, owner, "POST", path, { phone, ...terms })
  const listed = async () => (await as(service, owner, "GET", path)).body["invitations"] ?? []
  const withdraw = (invitation: unknown) => as(service, owner, "DELETE", `${path}/${invitation}`)
  const part = async ({ accountId }: Person) => {
    const { body } = await as(service, owner, "GET", `/panel/orgs/${id}/members`)
    return body["members"]?.find((each) => each["accountId"] === accountId)
  }
  const setStatus = async (status: "active" | "archived") => {
    const { organizations } = await service.run(Engine)
    await inTime(organizations.setStatus(id, status))
  }
  return { owner, id, path, asked, listed, withdraw, part, setStatus }
}

const offered = async (person: Person) => {
  const { text } = await as(service, person, "GET", "/panel/invitations")
  const { invitations }: { readonly invitations: ReadonlyArray<Readonly<Record<string, unknown>>> } = JSON.parse(text)
  return invitations
}
const answer = (person: Person, id: unknown, verb: "accept" | "decline") =>
  as(service, person, "POST", `/panel/invitations/${id}/${verb}`)

describe("an invitation", () => {
  it("makes the person with the phone a member, with what it offers", async () => {
    const { owner, id, asked, listed, part } = await shop()
    const { connections } = await service.run(Engine)
    const till = await inTime(connections.create(id, { name: "Till" }))
    const phone = freshPhone()
    const made = await asked(phone, { role: "cashier", connectionIds: [till.id], refundLimit: 5000 })
    const expiresAt = new Date(service.time.now + openMs).toISOString()
    const offer = { role: "cashier", expiresAt }
    const shown = { phone, ...offer, connectionIds: [till.id], refundLimit: 5000, status: "pending", settledAt: null }
    expect([made.status, made.body]).toEqual([201, { ...shown, id: made.body["id"], createdAt: expect.any(String) }])
    // The account is made by the login, and sees what its phone was asked before.
    const person = await logIn(service, phone)
    const [one, ...others] = await offered(person)
    expect(others).toEqual([])
    expect(one).toMatchObject({ id: made.body["id"], organization: { id, name: "Shop" }, ...offer })
    const joined = await answer(person, one?.["id"], "accept")
    expect([joined.status, joined.body]).toEqual([
      200,
      { organizationId: id, name: "Shop", mode: "sandbox", status: "active", role: "cashier" }
    ])
    expect(await part(person)).toEqual({
      accountId: person.accountId,
      phone,
      name: null,
      role: "cashier",
      connectionIds: [till.id],
      refundLimit: 5000
    })
    expect(outcomeOf(await as(service, person, "GET", `/panel/orgs/${id}`))).toBe("200")
    expect(outcomeOf(await as(service, person, "GET", `/panel/orgs/${id}/members`))).toBe("403 insufficient_role")
    expect(await offered(person)).toEqual([])
    expect(await listed()).toMatchObject([{ id: made.body["id"], status: "accepted" }])
    // A lost answer is asked for again.
    expect((await answer(person, one?.["id"], "accept")).body).toEqual(joined.body)
    const { audit } = await service.run(Engine)
    const records = await inTime(audit.list({ organizationId: id, before: null, limit: 9 }))
    const told = records.flatMap(({ action, actor, subject, detail }) =>
      /^(invitation|member)\./.test(action) ? [`${action} ${actor.id} ${subject} ${detail}`] : []
    )
    expect(told.toSorted()).toEqual([
      `invitation.accepted ${person.accountId} ${made.body["id"]} cashier`,
      `invitation.made ${owner.accountId} ${made.body["id"]} cashier`,
      `member.added ${person.accountId} ${person.accountId} cashier`
    ])
  })

  it("tells its maker the same whether the phone has an account or none, also one that is blocked", async () => {
    const { asked, listed } = await shop()
    const known = await someone()
    const blocked = await someone()
    const { organizations } = await service.run(Engine)
    await inTime(organizations.setAccountStatus(blocked.accountId, "blocked"))
    const same = (text: string) => text.replaceAll(/"(id|phone)":"[^"]*"/g, "")
    const answers = new Set<string>()
    for (const phone of [known.phone, blocked.phone, freshPhone()]) {
      const { status, text } = await asked(phone)
      answers.add(`${status} ${same(text)}`)
    }
    expect(answers.size).toBe(1)
    const shown = (await listed()).map((each) => same(JSON.stringify(each)))
    expect([shown.length, new Set(shown).size]).toEqual([3, 1])
  })

  it("is declined, and can then be accepted no more", async () => {
    const { id, asked, listed } = await shop()
    const person = await someone()
    const { body } = await asked(person.phone)
    expect(outcomeOf(await answer(person, body["id"], "decline"))).toBe("204")
    expect(outcomeOf(await answer(person, body["id"], "decline"))).toBe("204")
    expect(outcomeOf(await answer(person, body["id"], "accept"))).toBe("409 invitation_closed")
    expect(await listed()).toMatchObject([{ status: "declined", settledAt: expect.any(String) }])
    expect(outcomeOf(await as(service, person, "GET", `/panel/orgs/${id}`))).toBe("403 forbidden")
  })

  it("is withdrawn, and another takes its place", async () => {
    const { asked, withdraw, listed } = await shop()
    const person = await someone()
    const first = (await asked(person.phone)).body["id"]
    const second = (await asked(person.phone, { role: "developer" })).body["id"]
    expect((await offered(person)).map((each) => [each["id"], each["role"]])).toEqual([[second, "developer"]])
    expect(outcomeOf(await answer(person, first, "accept"))).toBe("409 invitation_closed")
    expect(outcomeOf(await withdraw(second))).toBe("204")
    expect(outcomeOf(await withdraw(second))).toBe("204")
    expect(await offered(person)).toEqual([])
    expect(outcomeOf(await answer(person, second, "accept"))).toBe("409 invitation_closed")
    expect(outcomeOf(await answer(person, second, "decline"))).toBe("409 invitation_closed")
    expect((await listed()).map((each) => each["status"])).toEqual(["withdrawn", "withdrawn"])
    expect(outcomeOf(await withdraw("ivt_none"))).toBe("404 invitation_not_found")
    expect(outcomeOf(await withdraw("%00"))).toBe("404 invitation_not_found")
  })

  it("is answered by no one else, and withdrawn by no other organization", async () => {
    const { asked } = await shop()
    const other = await shop()
    const [person, stranger] = [await someone(), await someone()]
    const { id } = (await asked(person.phone)).body
    for (const verb of ["accept", "decline"] as const) {
      expect(outcomeOf(await answer(stranger, id, verb))).toBe("404 invitation_not_found")
      expect(outcomeOf(await call(service, "POST", `/panel/invitations/${id}/${verb}`))).toBe("401 unauthorized")
    }
    expect(outcomeOf(await other.withdraw(id))).toBe("404 invitation_not_found")
    expect(outcomeOf(await call(service, "GET", "/panel/invitations"))).toBe("401 unauthorized")
    expect(outcomeOf(await answer(person, id, "accept"))).toBe("200")
    expect(outcomeOf(await other.withdraw(id))).toBe("404 invitation_not_found")
  })

  it("lasts for seven days", async () => {
    const { owner, asked } = await shop()
    const person = await someone()
    const { id } = (await asked(person.phone)).body
    service.time.now += openMs - 1
    const late = await logIn(service, person.phone)
    expect(await offered(late)).toHaveLength(1)
    service.time.now += 1
    expect(await offered(late)).toEqual([])
    expect(outcomeOf(await answer(late, id, "accept"))).toBe("409 invitation_closed")
    const again = await logIn(service, owner.phone)
    const { body } = await as(service, again, "GET", `/panel/orgs/${(await partOf(again)) ?? ""}/invitations`)
    expect(body["invitations"]).toMatchObject([{ id, status: "expired", settledAt: null }])
  })

  it("leaves out cashiers who have gone since", async () => {
    const { id, asked, part } = await shop()
    const { connections } = await service.run(Engine)
    const [kept, gone] = [
      await inTime(connections.create(id, { name: "One" })),
      await inTime(connections.create(id, { name: "Two" }))
    ]
    const person = await someone()
    const terms = { role: "cashier", connectionIds: [gone.id, kept.id] }
    const { id: invitation } = (await asked(person.phone, terms)).body
    await inTime(connections.remove(id, gone.id))
    expect(outcomeOf(await answer(person, invitation, "accept"))).toBe("200")
    expect(await part(person)).toMatchObject({ role: "cashier", connectionIds: [kept.id] })
  })

  it("is refused of members, archived organizations and blocked owners", async () => {
    const { owner, id, asked, setStatus } = await shop()
    expect(outcomeOf(await asked(owner.phone))).toBe("409 already_member")
    const person = await someone()
    const { id: invitation } = (await asked(person.phone)).body
    await setStatus("archived")
    expect(await offered(person)).toEqual([])
    expect(outcomeOf(await answer(person, invitation, "accept"))).toBe("410 organization_inactive")
    expect(outcomeOf(await asked(freshPhone()))).toBe("410 organization_inactive")
    await setStatus("active")
    const { organizations, members: people, invitations } = await service.run(Engine)
    await inTime(organizations.setAccountStatus(owner.accountId, "blocked"))
    expect(outcomeOf(await answer(person, invitation, "accept"))).toBe("403 account_blocked")
    await inTime(organizations.setAccountStatus(owner.accountId, "active"))
    await inTime(organizations.setAccountStatus(person.accountId, "blocked"))
    const blocked = await inTime(Effect.flip(invitations.accept(person.accountId, String(invitation))))
    expect(blocked).toMatchObject({ code: "account_blocked" })
    await inTime(organizations.setAccountStatus(person.accountId, "active"))
    await inTime(people.add(id, { phone: person.phone, role: "developer" }))
    service.time.now += 61_000
    const back = await logIn(service, person.phone)
    expect(outcomeOf(await answer(back, invitation, "accept"))).toBe("409 already_member")
    const again = await logIn(service, owner.phone)
    const removed = await as(service, again, "DELETE", `/panel/orgs/${id}/members/${person.accountId}`)
    expect(outcomeOf(removed)).toBe("204")
    // What was offered before the removal does not bring them back.
    expect(outcomeOf(await answer(back, invitation, "accept"))).toBe("409 invitation_closed")
    expect(outcomeOf(await as(service, back, "GET", `/panel/orgs/${id}`))).toBe("403 forbidden")
  })

  it("was accepted by a member who is none any more: it makes them none again", async () => {
    const { owner, id, asked } = await shop()
    const person = await someone()
    const { id: invitation } = (await asked(person.phone)).body
    expect(outcomeOf(await answer(person, invitation, "accept"))).toBe("200")
    await as(service, owner, "DELETE", `/panel/orgs/${id}/members/${person.accountId}`)
    expect(outcomeOf(await answer(person, invitation, "accept"))).toBe("409 invitation_closed")
  })

  it("names a phone, a role, and what there is", async () => {
    const { owner, path, asked } = await shop()
    const other = await shop()
    const { connections } = await service.run(Engine)
    const till = await inTime(connections.create(other.id, { name: "Till" }))
    const phone = freshPhone()
    expect(outcomeOf(await asked("8 701 123 45 67"))).toBe("422 invalid_phone")
    expect(outcomeOf(await asked(undefined))).toBe("422 invalid_phone")
    expect(outcomeOf(await asked(phone, { role: "owner" }))).toBe("422 invalid_role")
    expect(outcomeOf(await asked(phone, {}))).toBe("422 invalid_role")
    const cashier = { role: "cashier" }
    expect(outcomeOf(await asked(phone, { ...cashier, connectionIds: [till.id] }))).toBe("422 invalid_connection_ids")
    expect(outcomeOf(await asked(phone, { ...cashier, refundLimit: 0 }))).toBe("422 invalid_refund_limit")
    service.time.now += 11 * 60_000
    expect(outcomeOf(await as(service, owner, "POST", path, { phone, ...cashier }))).toBe("403 fresh_code_required")
    expect(outcomeOf(await as(service, owner, "DELETE", `${path}/ivt_none`))).toBe("403 fresh_code_required")
    expect(outcomeOf(await as(service, owner, "GET", path))).toBe("200")
  })

  it("is one of so many that wait, of so many in a day, and of so many to a phone", async () => {
    const { owner, path, asked, withdraw } = await shop()
    const phone = freshPhone()
    const outcomes = []
    for (let n = 0; n <= perPhone; n++) outcomes.push(outcomeOf(await asked(phone)))
    expect(outcomes).toEqual([...Array.from({ length: perPhone }, () => "201"), "429 invitation_limit"])
    const made = []
    for (let n = 1; n < maxPending; n++) made.push((await asked(freshPhone())).body["id"])
    expect(outcomeOf(await asked(freshPhone()))).toBe("409 too_many_invitations")
    for (const each of made) await withdraw(each)
    for (let n = perPhone + made.length; n < perPeriod; n++) expect(outcomeOf(await asked(freshPhone()))).toBe("201")
    const limit = await asked(freshPhone())
    expect(outcomeOf(limit)).toBe("429 invitation_limit")
    service.time.now += periodMs
    const again = await logIn(service, owner.phone)
    expect(outcomeOf(await as(service, again, "POST", path, { phone, role: "manager" }))).toBe("201")
  })
})

const partOf = async (person: Person): Promise<unknown> =>
  (await as(service, person, "GET", "/panel/orgs")).body["organizations"]?.[0]?.["id"]
