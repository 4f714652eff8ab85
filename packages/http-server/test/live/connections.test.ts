/** Cashiers: their logins, what becomes of them, and the keys that are bound to them. */
import { nodePlatform } from "@tolem/adapter-node"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { createEngine } from "@tolem/core"
import { Engine } from "@tolem/core/engine/Engine"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { Effect, Redacted, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import * as TestClock from "../support/clock.ts"
import { type Live, live } from "./cashier.ts"

let world: Live

beforeAll(async () => {
  world = await live()
})
afterAll(() => world.stop())

const phone = "77010000000"

/** The code that a use-case fails with; "done" if it does not. */
const codeOf = <A>(effect: Effect.Effect<A, { readonly code: string }>): Promise<string> =>
  world.service.run(
    Effect.map(Effect.result(Effect.provide(effect, TestClock.layer(world.service.time))), (result) =>
      Result.isFailure(result) ? result.failure.code : "done"
    )
  )

const till = async () => {
  const { connections, organizationId } = world
  const { id } = await world.service.run(connections.create(organizationId, { name: "Another till" }))
  const begin = async () => {
    const login = await world.service.run(
      Effect.provide(connections.initLogin(organizationId, id), TestClock.layer(world.service.time))
    )
    return login.id
  }
  const send = (processId: string, to = phone) =>
    codeOf(connections.sendPhone(organizationId, id, { processId, phone: to }))
  const verify = (processId: string, otp: string) =>
    codeOf(connections.verifyOtp(organizationId, id, { processId, otp: Redacted.make(otp) }))
  const status = async () => (await world.service.run(connections.get(organizationId, id))).status
  return { id, begin, send, verify, status }
}

describe("a login", () => {
  it("makes the cashier active with the right code, once", async () => {
    const { begin, send, verify, status } = await till()
    const process = await begin()
    expect(await status()).toBe("pending")
    expect(await send(process)).toBe("done")
    for (const none of ["", " ", "\u0000", "1".repeat(33), "' or 1=1"]) {
      expect(await verify(process, none)).toBe("invalid_code")
    }
    for (let tries = 0; tries < 3; tries++) expect(await verify(process, "000000")).toBe("invalid_code")
    expect(await verify(process, "000000")).toBe("invalid_code")
    expect(await verify(process, "111111")).toBe("done")
    expect(await status()).toBe("active")
    expect(await verify(process, "111111")).toBe("challenge_used")
    expect(await send(process)).toBe("challenge_used")
  })

  it("bears five wrong codes, also where all are tried at once", async () => {
    const { begin, send, verify, status } = await till()
    const process = await begin()
    await send(process)
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => verify(process, "999999")))
    expect(outcomes.filter((code) => code === "invalid_code").length).toBeLessThanOrEqual(5)
    expect(outcomes.filter((code) => code === "too_many_attempts").length).toBeGreaterThanOrEqual(7)
    expect(await verify(process, "111111")).toBe("too_many_attempts")
    expect(await status()).toBe("pending")
  })

  it("lives for ten minutes, and is this cashier's own", async () => {
    const { begin, send, verify } = await till()
    const process = await begin()
    expect(await (await till()).send(process)).toBe("challenge_expired")
    expect(await send("prc_nothing")).toBe("challenge_expired")
    await send(process)
    world.pass(10 * 60_000)
    expect(await verify(process, "111111")).toBe("challenge_expired")
  })

  it("is refused where the phone is no cashier's, or none", async () => {
    const { begin, send } = await till()
    const process = await begin()
    expect(await send(process, "8701")).toBe("invalid_phone")
    world.fault("sendPhone", { kind: "refuse", code: "number_rejected", retryable: false })
    expect(await send(process)).toBe("cashier_number_rejected")
    expect(await send(process)).toBe("done")
  })
})

describe("a key", () => {
  it("is bound to a cashier of its own organization only", async () => {
    const { organizationId, cashier, service } = world
    const { organizations } = await service.run(Engine)
    const request = { organizationId, mode: "live" as const, name: "k", scopes: ["invoices:read"] }
    expect(await codeOf(organizations.createKey({ ...request, connectionId: "con_nobody" }))).toBe(
      "connection_not_found"
    )
    const foreign = { ...request, organizationId: (await service.organization()).id, connectionId: cashier.id }
    expect(await codeOf(organizations.createKey(foreign))).toBe("connection_not_found")
    expect(await codeOf(organizations.bindKey(organizationId, "key_nobody", "con_nobody"))).toBe("connection_not_found")
  })

  it("sees its own cashier's invoices, and another's once it is bound to that one", async () => {
    const { organizationId, cashier, service, create } = world
    const { organizations } = await service.run(Engine)
    const made = await create()
    const other = await till()
    const bound = await service.key({ organizationId, mode: "live", connectionId: other.id })
    const read = () => call(service, "GET", `/api/v1/invoices/${made.body["id"]}`, { key: bound })
    expect((await read()).body["error"]).toBe("invoice_not_found")
    expect(await service.run(organizations.bindKey(organizationId, bound.keyId, cashier.id))).toBe(true)
    expect((await read()).status).toBe(200)
    expect(await service.run(world.connections.list(organizationId))).not.toHaveLength(0)
    expect(await codeOf(world.connections.remove(organizationId, cashier.id))).toBe("connection_has_keys")
  })
})

describe("an application without Effect", () => {
  it("takes live payments through the same engine", async () => {
    const bank = SandboxBank.make()
    const engine = await createEngine({
      database: Sqlite.layer({ filename: ":memory:" }),
      provider: InProcess.layer(bank),
      platform: nodePlatform(),
      secretKeys: ["a key for tests only, of no use anywhere else"]
    })
    try {
      const { organization } = await engine.organizations.create({ name: "Shop", ownerPhone: "77001234567" })
      const { id } = await engine.connections.create(organization.id, { name: "Till" })
      const { processId } = await engine.connections.initLogin(organization.id, id)
      await engine.connections.sendPhone(organization.id, id, { processId, phone })
      const wrong = engine.connections.verifyOtp(organization.id, id, { processId, otp: "000000" })
      await expect(wrong).rejects.toMatchObject({ code: "invalid_code" })
      await engine.connections.verifyOtp(organization.id, id, { processId, otp: "111111" })
      expect(await engine.connections.list(organization.id)).toMatchObject({
        connections: [{ id, status: "active", isDefault: true }]
      })
      const shop = engine.of({ organizationId: organization.id, mode: "live" })
      await expect(shop.invoices.create({ amount: 1500 })).rejects.toMatchObject({ code: "not_live" })
      const live = { id: organization.id, mode: "live" }
      expect(await engine.organizations.switchMode(organization.id, "live")).toMatchObject(live)
      const invoice = await shop.invoices.create({ amount: 1500 })
      expect(invoice.status).toBe("pending")
      const [payment] = bank.control.payments(Date.now())
      bank.control.act(payment!.reference, { does: "pay" }, Date.now())
      await expect.poll(async () => (await shop.invoices.get(invoice.id)).status).toBe("paid")
    } finally {
      await engine.close()
    }
  })
})
