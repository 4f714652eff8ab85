/** The partner API: ten endpoints, through the typed client, and never a sight of what is not one's own. */
import * as PromiseClient from "@tolem/api/PromiseClient"
import { Engine } from "@tolem/core/engine/Engine"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { inRealTime } from "@tolem/core/time/SandboxClocks"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Service, start } from "./support/service.ts"

const sandbox = SandboxBank.make()
const inProcess = InProcess.make(sandbox, { timeoutMs: 2_000 })
/** A bank that knows nothing of the clocks of sandboxes. */
const bank: PaymentProvider["Service"] = {
  ...inProcess,
  initLogin: () => inRealTime(inProcess.initLogin()),
  sendPhone: (request) => inRealTime(inProcess.sendPhone(request)),
  verifyOtp: (request) => inRealTime(inProcess.verifyOtp(request))
}
let service: Service
let partner: PromiseClient.PromiseClient["partner"]
let partnerOrganization: { readonly id: string; readonly ownerId: string }

beforeAll(async () => {
  service = await start({ provider: Layer.succeed(PaymentProvider, bank) })
  partnerOrganization = await service.organization({ tariff: "partner" })
  partner = await clientOf(partnerOrganization.id)
})
afterAll(() => service.stop())

const clientOf = async (organizationId: string) => {
  const { apiKey } = await service.key({ organizationId })
  return PromiseClient.makePromise({ baseUrl: service.url, apiKey }).partner
}

let phones = 77_050_000_000
/** Opens a client that is new, with its key. */
const fresh = async (of: typeof partner, members: object = {}) => {
  const made = await of.open({ payload: { name: "Bakery", ownerPhone: String(++phones), ...members } })
  if (!("apiKey" in made)) throw new Error("it is not new")
  return made
}
const open = (members: object = {}) => fresh(partner, members)

const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => "done",
    (error: unknown) => (error instanceof PromiseClient.ApiError ? `${error.status} ${error.error}` : error)
  )

/** The same of a request that no typed client would send. */
const refusal = async (path: string, body: object) => {
  const key = await service.key({ organizationId: partnerOrganization.id })
  const answer = await call(service, "POST", `/api/v1/partner/organizations${path}`, { key, body })
  return `${answer.status} ${answer.body["error"]}`
}

/** A client with a cashier who has logged in. */
const withCashier = async () => {
  const { organization, apiKey } = await open()
  const params = { id: organization.id }
  const connection = await partner.createConnection({ params, payload: { name: "Till" } })
  const at = { ...params, connectionId: connection.id }
  const { processId } = await partner.initLogin({ params: at })
  await partner.sendPhone({ params: at, payload: { processId, phone: "77010000000" } })
  const active = await partner.verifyOtp({ params: at, payload: { processId, otp: "111111" } })
  return { params, at, connection, active, apiKey, processId }
}

describe("a partner", () => {
  it("opens a client in the sandbox, with a trial of seven days and a key that works", async () => {
    const before = Date.now()
    const opened = await open({ ownerName: "Зарина", legalName: "ЖШС Bakery", idn: "123456789012" })
    expect(opened.organization).toMatchObject({
      name: "Bakery",
      legalName: "ЖШС Bakery",
      idn: "123456789012",
      mode: "sandbox",
      status: "active",
      tariff: { code: "trial", active: true }
    })
    const until = Date.parse(String(opened.organization.tariff.validUntil))
    expect(until).toBeGreaterThanOrEqual(before + 7 * 24 * 3_600_000)
    expect(opened.owner).toMatchObject({ phone: String(phones), name: "Зарина" })
    const invoice = await PromiseClient.makePromise({ baseUrl: service.url, apiKey: opened.apiKey }).invoices.create({
      payload: { amount: 10 }
    })
    expect(invoice.mode).toBe("sandbox")
    const { directory } = await service.run(Engine)
    const members = await service.run(directory.members(opened.organization.id))
    expect(members.map(({ account, role }) => [account.id, role])).toEqual(
      expect.arrayContaining([
        [opened.owner.id, "owner"],
        [partnerOrganization.ownerId, "developer"]
      ])
    )
  })

  it("opens two clients of one owner, whose account is one", async () => {
    const first = await open()
    const second = await partner.open({ payload: { name: "Second", ownerPhone: first.owner.phone } })
    expect(second.owner.id).toBe(first.owner.id)
    expect(second.organization.id).not.toBe(first.organization.id)
  })

  it("opens one client for one idempotency key, and shows its key once", async () => {
    const payload = { name: "Bakery", ownerPhone: String(++phones) }
    const headers = { "idempotency-key": `open-${phones}` }
    const answers = await Promise.all([1, 2, 3].map(() => partner.open({ payload, headers })))
    expect(new Set(answers.map(({ organization }) => organization.id)).size).toBe(1)
    expect(answers.filter((answer) => "apiKey" in answer)).toHaveLength(1)
    expect(answers.filter((answer) => "idempotentReplay" in answer)).toHaveLength(2)
    const [first] = answers
    const params = { id: first!.organization.id }
    expect(await partner.createKey({ params, payload: { name: "another" } })).toMatchObject({ mode: "sandbox" })
    expect(await codeOf(partner.open({ payload, headers: { "idempotency-key": "x".repeat(256) } }))).toBe(
      "422 invalid_idempotency_key"
    )
  })

  it("is not told by a phone what its owner is called", async () => {
    const first = await open({ ownerName: "Зарина" })
    const again = { name: "Second", ownerPhone: first.owner.phone }
    expect((await partner.open({ payload: again })).owner.name).toBeNull()
    expect((await partner.open({ payload: { ...again, ownerName: "Guess" } })).owner.name).toBe("Guess")
    const { directory } = await service.run(Engine)
    const account = await service.run(directory.account({ id: first.owner.id }))
    expect(account).toMatchObject({ value: { name: "Зарина" } })
  })

  it("is told what is wrong with a request", async () => {
    expect(await codeOf(open({ name: " " }))).toBe("422 invalid_name")
    expect(await codeOf(open({ ownerPhone: "8701" }))).toBe("422 invalid_phone")
    expect(await codeOf(open({ name: "Bakery\u001b]0;root\u0007" }))).toBe("422 invalid_name")
    expect(await codeOf(open({ ownerName: "Zarina\norg_1  live" }))).toBe("422 invalid_name")
    expect(await codeOf(open({ legalName: "\u202eyrekaB" }))).toBe("422 invalid_name")
    expect(await codeOf(open({ idn: "1234567890123" }))).toBe("422 invalid_idn")
    expect(await refusal("", { name: "Bakery" })).toBe("422 invalid_phone")
  })

  it("lists its clients, newest first, with statistics and working cashiers", async () => {
    const own = await service.organization({ tariff: "partner" })
    const mine = await clientOf(own.id)
    const first = await fresh(mine, { name: "First" })
    await mine.open({ payload: { name: "Second", ownerPhone: String(++phones) } })
    const { invoices } = PromiseClient.makePromise({ baseUrl: service.url, apiKey: first.apiKey })
    const paid = await invoices.create({ payload: { amount: 100.5 } })
    await invoices.create({ payload: { amount: 20 } })
    await invoices.simulate({ params: { id: paid.id }, payload: { status: "paid" } })
    const page = await mine.list()
    expect(page).toMatchObject({ total: 2, limit: 50, offset: 0 })
    expect(page.organizations.map(({ name }) => name)).toEqual(["Second", "First"])
    const statistics = {
      count: 2,
      amount: 120.5,
      byStatus: { paid: { count: 1, amount: 100.5 }, pending: { count: 1, amount: 20 } }
    }
    expect(page.organizations[1]?.statistics).toEqual({ month: statistics, all: statistics })
    expect(page.organizations[0]?.statistics.all).toEqual({ count: 0, amount: 0, byStatus: {} })
    expect(page.organizations[1]?.connections).toEqual([])
    expect((await mine.list({ query: { limit: 1, offset: 1 } })).organizations.map(({ name }) => name)).toEqual([
      "First"
    ])
    expect(await codeOf(mine.list({ query: { limit: "all" } }))).toBe("422 invalid_limit")
    expect(await codeOf(mine.list({ query: { offset: "x" } }))).toBe("422 invalid_offset")
  })

  it("logs a client's cashier in, in three steps, and switches it to live then", async () => {
    const { organization } = await open()
    const params = { id: organization.id }
    expect(await codeOf(partner.switchMode({ params, payload: { mode: "live" } }))).toBe("409 no_provider")
    expect(await refusal(`/${organization.id}/mode`, { mode: "test" })).toBe("422 invalid_mode")
    const connection = await partner.createConnection({ params, payload: {} })
    expect(connection).toMatchObject({ name: "Bakery", status: "pending", isDefault: false, phone: null })
    const at = { ...params, connectionId: connection.id }
    const { processId } = await partner.initLogin({ params: at })
    const sendTo = (phone: string, process = processId) =>
      codeOf(partner.sendPhone({ params: at, payload: { processId: process, phone } }))
    expect(await sendTo("7701")).toBe("422 invalid_phone")
    expect(await sendTo("77010000000", "prc_none")).toBe("410 challenge_expired")
    const fault = { kind: "refuse", code: "number_rejected", retryable: false } as const
    sandbox.control.faults.add({ call: "sendPhone", times: 1, fault })
    expect(await sendTo("77010000000")).toBe("502 cashier_number_rejected")
    expect(await sendTo("77010000000")).toBe("done")
    const verify = (otp: string) => partner.verifyOtp({ params: at, payload: { processId, otp } })
    expect(await codeOf(verify("000000"))).toBe("400 invalid_code")
    expect(await verify("111111")).toMatchObject({ status: "active", isDefault: true, phone: "7701*****00" })
    expect(await codeOf(verify("111111"))).toBe("409 challenge_used")
    expect((await partner.switchMode({ params, payload: { mode: "live" } })).mode).toBe("live")
    expect((await partner.switchMode({ params, payload: { mode: "live" } })).mode).toBe("live")
    const read = await partner.get({ params })
    expect(read.connections.map(({ id }) => id)).toEqual([connection.id])
    const key = await partner.createKey({ params, payload: { name: "server" } })
    expect(key).toMatchObject({ name: "server", mode: "live" })
    expect(key.apiKey).toMatch(/^svc_live_/)
    expect(key.scopes).not.toContain("partner:manage")
    const live = await PromiseClient.makePromise({ baseUrl: service.url, apiKey: key.apiKey }).invoices.create({
      payload: { amount: 5 }
    })
    expect(live).toMatchObject({ mode: "live", status: "pending" })
    expect((await partner.switchMode({ params, payload: { mode: "sandbox" } })).mode).toBe("sandbox")
  })

  it("acts in real time, also where its own sandbox is ahead", async () => {
    const own = await service.organization({ tariff: "partner" })
    const { sandboxTime, organizations, audit } = await service.run(Engine)
    await service.run(sandboxTime.advance(own.id, 30 * 24 * 3_600_000))
    const { clocks } = await service.run(Engine)
    while (!(await service.run(clocks.all)).has(own.id)) await service.run(Effect.yieldNow)
    const mine = await clientOf(own.id)
    const { organization } = await mine.open({ payload: { name: "Bakery", ownerPhone: String(++phones) } })
    const params = { id: organization.id }
    const connection = await mine.createConnection({ params, payload: {} })
    expect(Date.parse(connection.createdAt)).toBeLessThanOrEqual(Date.now())
    const at = { ...params, connectionId: connection.id }
    const { processId } = await mine.initLogin({ params: at })
    await mine.sendPhone({ params: at, payload: { processId, phone: "77010000000" } })
    expect(await mine.verifyOtp({ params: at, payload: { processId, otp: "111111" } })).toMatchObject({
      status: "active"
    })
    await service.run(organizations.setStatus(organization.id, "archived"))
    const [newest] = await service.run(audit.list({ organizationId: organization.id, before: null, limit: 1 }))
    expect(newest?.action).toBe("organization.archived")
  })

  it("gives up after five wrong codes", async () => {
    const { organization } = await open()
    const connection = await partner.createConnection({ params: { id: organization.id }, payload: {} })
    const at = { id: organization.id, connectionId: connection.id }
    const { processId } = await partner.initLogin({ params: at })
    await partner.sendPhone({ params: at, payload: { processId, phone: "77010000000" } })
    const codes = []
    for (let i = 0; i < 6; i++) {
      codes.push(await codeOf(partner.verifyOtp({ params: at, payload: { processId, otp: "000000" } })))
    }
    expect(codes).toEqual([...Array.from({ length: 5 }, () => "400 invalid_code"), "429 too_many_attempts"])
  })

  it("makes keys of its client's mode with the scopes that it asks for", async () => {
    const { organization } = await open()
    const params = { id: organization.id }
    const key = await partner.createKey({ params, payload: { name: "reader", scopes: ["invoices:read"] } })
    expect(key).toMatchObject({ mode: "sandbox", scopes: ["invoices:read"] })
    const as = (body: object) => refusal(`/${organization.id}/api-keys`, body)
    expect(await as({ name: "x", scopes: ["everything"] })).toBe("422 invalid_scopes")
    expect(await as({ name: "x", scopes: [] })).toBe("422 invalid_scopes")
    expect(await as({ scopes: ["invoices:read"] })).toBe("422 invalid_name")
  })

  it("needs the scope and the tariff", async () => {
    const withoutScope = await service.key({ organizationId: partnerOrganization.id, scopes: ["invoices:write"] })
    const refused = await call(service, "GET", "/api/v1/partner/earnings", { key: withoutScope })
    expect(refused.body["error"]).toBe("insufficient_scope")
    const merchant = await clientOf((await service.organization({ tariff: "business" })).id)
    const { organization } = await open()
    const params = { id: organization.id }
    const at = { ...params, connectionId: "con_1" }
    const attempts = [
      () => merchant.open({ payload: { name: "x", ownerPhone: "77050000000" } }),
      () => merchant.list(),
      () => merchant.get({ params }),
      () => merchant.switchMode({ params, payload: { mode: "sandbox" } }),
      () => merchant.createKey({ params, payload: { name: "x" } }),
      () => merchant.createConnection({ params, payload: {} }),
      () => merchant.initLogin({ params: at }),
      () => merchant.sendPhone({ params: at, payload: { processId: "p", phone: "77010000000" } }),
      () => merchant.verifyOtp({ params: at, payload: { processId: "p", otp: "1" } }),
      () => merchant.earnings()
    ]
    for (const attempt of attempts) expect(await codeOf(attempt())).toBe("403 partner_required")
  })

  it("never sees an organization that is not its client", async () => {
    const other = await clientOf((await service.organization({ tariff: "partner" })).id)
    const { at, params, processId } = await withCashier()
    const stranger = (await service.organization()).id
    for (const id of [params.id, stranger, partnerOrganization.id, "org_none", "%00", "'"]) {
      const foreign = { id }
      const cashier = { id, connectionId: at.connectionId }
      const attempts = [
        () => other.get({ params: foreign }),
        () => other.switchMode({ params: foreign, payload: { mode: "sandbox" } }),
        () => other.createKey({ params: foreign, payload: { name: "x" } }),
        () => other.createConnection({ params: foreign, payload: {} }),
        () => other.initLogin({ params: cashier }),
        () => other.sendPhone({ params: cashier, payload: { processId, phone: "77010000000" } }),
        () => other.verifyOtp({ params: cashier, payload: { processId, otp: "111111" } })
      ]
      for (const attempt of attempts) expect(await codeOf(attempt()), id).toBe("403 forbidden")
    }
    expect((await other.list()).organizations).toEqual([])
    const { organization } = await open()
    const elsewhere = { id: organization.id, connectionId: at.connectionId }
    expect(await codeOf(partner.initLogin({ params: elsewhere }))).toBe("404 connection_not_found")
    expect(await codeOf(partner.initLogin({ params: { ...elsewhere, connectionId: "\u0000" } }))).toBe(
      "404 connection_not_found"
    )
  })

  it("has no client that is archived, or whose owner is blocked", async () => {
    const { organizations } = await service.run(Engine)
    const archived = await open()
    await service.run(organizations.setStatus(archived.organization.id, "archived"))
    expect(await codeOf(partner.get({ params: { id: archived.organization.id } }))).toBe("410 organization_inactive")
    const blocked = await open()
    await service.run(organizations.setAccountStatus(blocked.owner.id, "blocked"))
    expect(await codeOf(partner.get({ params: { id: blocked.organization.id } }))).toBe("403 account_blocked")
  })

  it("reads its referral code and what it has earned", async () => {
    const own = await service.organization({ tariff: "partner" })
    const mine = await clientOf(own.id)
    const before = await mine.earnings()
    expect(before).toMatchObject({ clients: [], accrued: 0, paidOut: 0 })
    const brought = await service.organization({ referralCode: before.referralCode })
    const after = await mine.earnings()
    expect(after.clients).toMatchObject([{ organizationId: brought.id, accrued: 0, paidOut: 0 }])
    const { organization } = await mine.open({ headers: {}, payload: { name: "Client", ownerPhone: "77019990001" } })
    expect((await mine.earnings()).clients.map(({ organizationId }) => organizationId).toSorted()).toEqual(
      [brought.id, organization.id].toSorted()
    )
    const { organizations } = await service.run(Engine)
    const more = { name: "More", ownerPhone: "77019990002", referralCode: "nobody" }
    const refused = await service.run(Effect.flip(organizations.create(more)))
    expect(refused).toMatchObject({ code: "invalid_referral_code" })
    const malformed = await service.run(Effect.flip(organizations.create({ ...more, referralCode: "A B" })))
    expect(malformed).toMatchObject({ code: "invalid_referral_code" })
  })

  it("leaves a record of what it does, with the key and the address", async () => {
    const { params, at } = await withCashier()
    await partner.switchMode({ params, payload: { mode: "live" } })
    const { audit } = await service.run(Engine)
    const records = await service.run(audit.list({ organizationId: params.id, before: null, limit: 20 }))
    expect(records.map(({ action }) => action).toSorted()).toEqual([
      "connection.created",
      "connection.logged_in",
      "connection.made_default",
      "key.created",
      "organization.mode_switched",
      "organization.opened"
    ])
    for (const { actor } of records) expect(actor).toMatchObject({ kind: "key", origin: "127.0.0.1" })
    expect(records.find(({ action }) => action === "connection.logged_in")?.subject).toBe(at.connectionId)
  })
})
