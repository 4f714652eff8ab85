/** The audit log: who did what, when, and from where; one record of each deed, and none of what was not done. */
import type { AuditRecord } from "@tolem/core/audit/Audit"
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
beforeAll(async () => {
  service = await start()
})
afterAll(() => service.stop())

/** The records of an organization, oldest first. */
const log = async (organizationId: string): Promise<ReadonlyArray<AuditRecord>> => {
  const { audit } = await service.run(Engine)
  return (await service.run(audit.list({ organizationId, before: null, limit: 100 }))).toReversed()
}

/** Sorted: those of one millisecond have no order. */
const told = (records: ReadonlyArray<AuditRecord>) =>
  records.map(({ action, subject }) => `${action} ${subject}`).toSorted()

describe("the audit log", () => {
  it("tells of endpoints, with the key and the address", async () => {
    const key = await service.key()
    const path = "/api/v1/webhook-endpoints"
    const made = await call(service, "POST", path, { key, body: { url: "http://localhost:9/hook" } })
    const one = `${path}/${made.body["id"]}`
    await call(service, "PATCH", one, { key, body: { disabled: true } })
    await call(service, "PATCH", one, { key, body: {} })
    await call(service, "POST", `${one}/rotate-secret`, { key })
    await call(service, "DELETE", one, { key })
    await call(service, "DELETE", one, { key })
    await call(service, "POST", path, { key, body: { url: "nowhere" } })
    const records = (await log(key.organizationId)).filter(({ action }) => action.startsWith("endpoint."))
    expect(told(records)).toEqual(
      ["changed", "created", "deleted", "secret_rotated"].map((what) => `endpoint.${what} ${made.body["id"]}`)
    )
    for (const { actor, createdAt } of records) {
      expect(actor).toEqual({ kind: "key", id: key.keyId, origin: "127.0.0.1" })
      expect(Math.abs(createdAt - Date.now())).toBeLessThan(60_000)
    }
    expect(JSON.stringify(records)).not.toContain("whsec_")
  })

  it("tells of refunds once, however often the request is repeated", async () => {
    const key = await service.key()
    const { body } = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 100 } })
    const invoice = `/api/v1/invoices/${body["id"]}`
    const refund = (headers: Record<string, string>, amount = 10) =>
      call(service, "POST", `${invoice}/refund`, { key, body: { amount }, headers })
    await refund({})
    await call(service, "POST", `${invoice}/simulate`, { key, body: { status: "paid" } })
    await refund({ "idempotency-key": "once" })
    await refund({ "idempotency-key": "once" })
    await refund({}, 1_000)
    const records = (await log(key.organizationId)).filter(({ action }) => action.startsWith("refund."))
    expect(told(records)).toEqual([`refund.requested ${body["id"]}`])
    expect(JSON.parse(records[0]?.detail ?? "")).toMatchObject({ amount: 10 })
  })

  it("tells of keys and modes, without the key's text", async () => {
    const { organizations } = await service.run(Engine)
    const { id } = await service.organization()
    const key = await service.key({ organizationId: id })
    await service.run(organizations.bindKey(id, key.keyId, null))
    await service.run(Engine.use(({ modes }) => modes.switchTo(id, "sandbox")))
    await service.run(organizations.deleteKey(key.keyId))
    await service.run(organizations.deleteKey(key.keyId))
    const own = await log(id)
    expect(told(own)).toEqual([
      `key.bound ${key.keyId}`,
      `key.created ${key.keyId}`,
      `key.deleted ${key.keyId}`,
      `organization.opened ${id}`
    ])
    expect(JSON.stringify(own)).not.toContain(key.apiKey)
    for (const { actor } of own) expect(actor).toEqual({ kind: "application", id: null, origin: null })
  })
})
