/** What members do for their organizations in the cabinet. */
import * as PromiseClient from "@tolem/api/PromiseClient"
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

/** The token of a fresh session for this phone. */
const logIn = async (phone: string) => {
  const begun = await call(service, "POST", "/panel/login/code", { body: { phone } })
  const body = { challengeId: begun.body["challengeId"], code: service.codes.get(phone) }
  const answer = await call(service, "POST", "/panel/login/verify", { body })
  const token = /tolem_session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? ""
  return { token, accountId: String(answer.body["account"]?.["id"]) }
}

let phones = 77_060_000_000

/** An organization with a key and a cashier, and its owner's session. */
const shop = async () => {
  const { organizations, connections, directory } = await service.run(Engine)
  const phone = String(++phones)
  const { organization } = await service.run(organizations.create({ name: "Shop", ownerPhone: phone, tariff: "scale" }))
  const { keyId, apiKey } = await service.key({ organizationId: organization.id, mode: "live" })
  const cashier = await service.run(connections.create(organization.id, { name: "Till" }))
  return { id: organization.id, keyId, apiKey, cashier, directory, ...(await logIn(phone)) }
}

const bind = (token: string, organizationId: string, keyId: string, body: unknown) =>
  call(service, "PATCH", `/panel/orgs/${organizationId}/api-keys/${keyId}`, {
    body,
    headers: { authorization: `Bearer ${token}` }
  })
const codeOf = async (answer: ReturnType<typeof bind>) => {
  const { status, body } = await answer
  return `${status} ${body["error"]}`
}

describe("a session", () => {
  it("tells what its owner is a member of, and as what", async () => {
    const { id, token } = await shop()
    const { memberships } = await PromiseClient.makePanel({ baseUrl: service.url, token }).login.session()
    expect(memberships).toEqual([{ organizationId: id, name: "Shop", mode: "live", status: "active", role: "owner" }])
  })
})

describe("a referral code", () => {
  it("is everybody's own, with its link and what it has earned", async () => {
    const { token, accountId } = await shop()
    const panel = PromiseClient.makePanel({ baseUrl: service.url, token })
    const { referralCode, link, clients } = await panel.login.referral()
    expect([link, clients]).toEqual([`${service.settings.baseUrl}/cabinet/join?ref=${referralCode}`, []])
    const { id } = await service.organization({ referralCode })
    expect(await panel.login.referral()).toMatchObject({
      clients: [{ organizationId: id, accrued: 0, paidOut: 0 }],
      accrued: 0
    })
    expect(accountId.endsWith(referralCode)).toBe(true)
    const { status } = await call(service, "GET", "/panel/referral")
    expect(status).toBe(401)
  })
})

describe("a logout", () => {
  it("ends the session of its token", async () => {
    const { token } = await shop()
    const panel = PromiseClient.makePanel({ baseUrl: service.url, token })
    await panel.login.logout()
    await expect(panel.login.session()).rejects.toMatchObject({ error: "unauthorized", status: 401 })
  })
})

describe("a key", () => {
  it("is bound to another cashier of its organization, or to none, and the log says by whom", async () => {
    const { id, keyId, cashier, token, accountId } = await shop()
    const bound = await bind(token, id, keyId, { connectionId: cashier.id })
    expect(bound.status).toBe(200)
    expect(bound.body).toMatchObject({ id: keyId, connectionId: cashier.id, mode: "live" })
    expect(bound.text).not.toContain("digest")
    const panel = PromiseClient.makePanel({ baseUrl: service.url, token })
    const params = { organizationId: id, id: keyId }
    expect((await panel.organizations.bindKey({ params, payload: { connectionId: null } })).connectionId).toBeNull()
    const { audit } = await service.run(Engine)
    const [newest] = await service.run(audit.list({ organizationId: id, before: null, limit: 1 }))
    expect(newest).toMatchObject({
      action: "key.bound",
      subject: keyId,
      actor: { kind: "account", id: accountId, origin: "127.0.0.1" }
    })
  })

  it("is bound to nothing that is not of its organization", async () => {
    const mine = await shop()
    const other = await shop()
    const as = (organizationId: string, keyId: string, connectionId: unknown) =>
      codeOf(bind(mine.token, organizationId, keyId, { connectionId }))
    expect(await as(mine.id, mine.keyId, other.cashier.id)).toBe("404 connection_not_found")
    expect(await as(mine.id, other.keyId, mine.cashier.id)).toBe("404 key_not_found")
    expect(await as(mine.id, "%00", mine.cashier.id)).toBe("404 key_not_found")
    expect(await as(other.id, other.keyId, other.cashier.id)).toBe("403 forbidden")
    expect(await as("org_none", other.keyId, other.cashier.id)).toBe("403 forbidden")
    expect(await as(mine.id, mine.keyId, 5)).toBe("422 invalid_connection_id")
    expect(await codeOf(bind(mine.token, mine.id, mine.keyId, {}))).toBe("422 invalid_connection_id")
    expect(await codeOf(bind("cab_none", mine.id, mine.keyId, { connectionId: null }))).toBe("401 unauthorized")
  })

  it("is not bound for an organization that is archived, or whose owner is blocked", async () => {
    const { organizations, members } = await service.run(Engine)
    const archived = await shop()
    await service.run(organizations.setStatus(archived.id, "archived"))
    expect(await codeOf(bind(archived.token, archived.id, archived.keyId, { connectionId: null }))).toBe(
      "410 organization_inactive"
    )
    const shared = await shop()
    const phone = String(++phones)
    await service.run(members.add(shared.id, { phone, role: "developer" }))
    const developer = await logIn(phone)
    expect((await bind(developer.token, shared.id, shared.keyId, { connectionId: null })).status).toBe(200)
    await service.run(organizations.setAccountStatus(shared.accountId, "blocked"))
    expect(await codeOf(bind(developer.token, shared.id, shared.keyId, { connectionId: null }))).toBe(
      "403 account_blocked"
    )
  })
})
