/** Keys: how many there may be, who sees them, when they were used, and what those know that are bound to a cashier. */
import * as PromiseClient from "@tolem/api/PromiseClient"
import { Engine } from "@tolem/core/engine/Engine"
import { KeyUses } from "@tolem/core/merchant/KeyUses"
import { Effect, Result } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Live, live } from "./live/cashier.ts"
import { type Answer, call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const codeOf = ({ status, body }: Answer) => (status < 300 ? status : `${status} ${body["error"]}`)

let phones = 77_080_000_000

/** A token of a fresh session. */
const logIn = async (service: Service, phone: string) => {
  const begun = await call(service, "POST", "/panel/login/code", { body: { phone } })
  const body = { challengeId: begun.body["challengeId"], code: service.codes.get(phone) }
  const { headers } = await call(service, "POST", "/panel/login/verify", { body })
  return /tolem_session=([^;]+)/.exec(headers.get("set-cookie") ?? "")?.[1] ?? ""
}

describe("the keys of an organization", () => {
  let service: Service
  beforeAll(async () => {
    service = await start()
  })
  afterAll(() => service.stop())

  const opened = async () => {
    const phone = String(++phones)
    const { organizations } = await service.run(Engine)
    const { organization } = await service.run(organizations.create({ name: "Shop", ownerPhone: phone }))
    return { id: organization.id, phone, organizations }
  }

  it("are twenty of a mode at most, also when many are made at once", async () => {
    const { id, organizations } = await opened()
    const make = (mode: "sandbox" | "live") =>
      organizations.createKey({ organizationId: id, mode, name: "k", scopes: ["invoices:read"] })
    const many = Array.from({ length: 30 }, () => Effect.result(make("sandbox")))
    const results = await service.run(Effect.all(many, { concurrency: "unbounded" }))
    const refused = results.flatMap((one) => (Result.isFailure(one) ? [one.failure.code] : []))
    expect([results.length - refused.length, new Set(refused)]).toEqual([20, new Set(["too_many_keys"])])
    await service.run(make("live"))
    const [first] = await service.run(organizations.keys(id))
    await service.run(organizations.deleteKey(first!.id))
    await service.run(make("sandbox"))
    expect(Result.isFailure(await service.run(Effect.result(make("sandbox"))))).toBe(true)
  })

  it("are listed to members with when they were used, to the minute, and without their texts", async () => {
    const { id, phone } = await opened()
    const used = await service.key({ organizationId: id })
    // Keys of one millisecond have no order.
    const second = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(second)
    const idle = await service.key({ organizationId: id, scopes: ["invoices:read"] })
    const panel = PromiseClient.makePanel({ baseUrl: service.url, token: await logIn(service, phone) })
    const list = () => panel.organizations.keys({ params: { organizationId: id } })
    const made = await call(service, "POST", "/api/v1/invoices", { key: used, body: { amount: 10 } })
    expect(made.status).toBe(201)
    // Requests do not write it: what they leave is written afterwards.
    expect((await list()).keys.map(({ lastUsedAt }) => lastUsedAt)).toEqual([null, null])
    const before = Date.now()
    const { flush } = await service.run(KeyUses)
    await service.run(flush)
    const { keys } = await list()
    expect(keys.map((key) => key.id)).toEqual([used.keyId, idle.keyId])
    const lastUsedAt = Date.parse(String(keys[0]?.lastUsedAt))
    expect([lastUsedAt % 60_000, lastUsedAt <= before, lastUsedAt > before - 180_000]).toEqual([0, true, true])
    expect(keys[1]).toMatchObject({ lastUsedAt: null, scopes: ["invoices:read"], connectionId: null, mode: "sandbox" })
    expect(keys[0]?.lastCharacters).toBe(used.apiKey.slice(-4))
    expect(JSON.stringify(keys)).not.toMatch(/digest|svc_/)
  })

  it("need a session, and one of a member", async () => {
    const { id } = await opened()
    const path = `/panel/orgs/${id}/api-keys`
    expect(codeOf(await call(service, "GET", path))).toBe("401 unauthorized")
    expect(codeOf(await call(service, "GET", path, { key: await service.key({ organizationId: id }) }))).toBe(
      "401 unauthorized"
    )
    const headers = { authorization: `Bearer ${await logIn(service, (await opened()).phone)}` }
    expect(codeOf(await call(service, "GET", path, { headers }))).toBe("403 forbidden")
    expect(codeOf(await call(service, "GET", "/panel/orgs/%00/api-keys", { headers }))).toBe("403 forbidden")
  })

  it("of another organization are refused at every resource that there is by its id", async () => {
    const [own, other] = [await service.key(), await service.key()]
    const made = async (path: string, body: object) =>
      (await call(service, "POST", `/api/v1${path}`, { key: own, body })).body["id"]
    const paths = [
      `/invoices/${await made("/invoices", { amount: 10 })}`,
      `/subscriptions/${await made("/subscriptions", { amount: 10 })}`,
      `/payment-links/${await made("/payment-links", { title: "Tea" })}`,
      `/form-hooks/${await made("/form-hooks", { name: "Form" })}`,
      `/webhook-endpoints/${await made("/webhook-endpoints", { url: "http://localhost:9/" })}`
    ]
    for (const path of paths) {
      expect(codeOf(await call(service, "GET", `/api/v1${path}`, { key: own }))).toBe(200)
      expect([path, codeOf(await call(service, "GET", `/api/v1${path}`, { key: other }))]).toEqual([
        path,
        "403 forbidden"
      ])
    }
    const gone = paths.at(-1)
    expect(codeOf(await call(service, "GET", `/api/v1${gone}/deliveries/dlv_1`, { key: other }))).toBe("403 forbidden")
    await call(service, "DELETE", `/api/v1${gone}`, { key: own })
    expect(codeOf(await call(service, "GET", `/api/v1${gone}`, { key: other }))).toBe("404 endpoint_not_found")
    expect(codeOf(await call(service, "GET", "/api/v1/webhook-endpoints/%00", { key: other }))).toBe(
      "404 endpoint_not_found"
    )
  })
})

describe("a key that is bound to a cashier", () => {
  let shop: Live
  let bound: Key
  beforeEach(async () => {
    shop = await live()
    const { organizationId, cashier } = shop
    bound = await shop.service.key({ organizationId, mode: "live", connectionId: cashier.id })
  })
  afterEach(() => shop.service.stop())

  const path = "/api/v1/webhook-endpoints"
  const send = (method: string, more: string, key: Key, body?: object) =>
    call(shop.service, method, `${path}${more}`, { key, ...(body && { body }) })
  const endpoint = async (key: Key) => (await send("POST", "", key, { url: "https://shop.kz/hook" })).body

  it("knows and manages endpoints of its cashier alone", async () => {
    const [wide, own] = [await endpoint(shop.key), await endpoint(bound)]
    expect([wide["connectionId"], own["connectionId"]]).toEqual([null, shop.cashier.id])
    expect((await send("GET", "", bound)).body["endpoints"]).toMatchObject([{ id: own["id"] }])
    expect((await send("GET", "", shop.key)).body["endpoints"]).toHaveLength(2)
    for (const [method, more, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { disabled: true }],
      ["DELETE", "", undefined],
      ["POST", "/rotate-secret", undefined],
      ["POST", "/test", undefined],
      ["GET", "/deliveries", undefined],
      ["GET", "/deliveries/dlv_1", undefined],
      ["POST", "/deliveries/dlv_1/resend", undefined]
    ] as const) {
      expect(codeOf(await send(method, `/${wide["id"]}${more}`, bound, body))).toBe("404 endpoint_not_found")
    }
    expect(codeOf(await send("PATCH", `/${own["id"]}`, bound, { disabled: true }))).toBe(200)
    expect(codeOf(await send("DELETE", `/${own["id"]}`, bound))).toBe(204)
  })

  it("hears of the invoices of its cashier alone", async () => {
    const other = await shop.service.run(shop.connections.create(shop.organizationId, { name: "Second" }))
    await shop.login(other.id)
    const { organizationId } = shop
    const second = await shop.service.key({ organizationId, mode: "live", connectionId: other.id })
    const [wide, first, ofSecond] = [await endpoint(shop.key), await endpoint(bound), await endpoint(second)]
    const paid = async (key: Key) => {
      const made = await call(shop.service, "POST", "/api/v1/invoices", { key, body: { amount: 10 } })
      shop.pay(made)
      await call(shop.service, "GET", `/api/v1/invoices/${made.body["id"]}?live=1`, { key })
      return made.body["id"]
    }
    const [one, two] = [await paid(bound), await paid(second)]
    const heard = async (of: Answer["body"]) => {
      const { deliveries } = (await send("GET", `/${of["id"]}/deliveries`, shop.key)).body
      return Array.from(deliveries ?? [], ({ invoiceId }) => invoiceId).toSorted()
    }
    expect(await heard(wide)).toEqual([one, two].toSorted())
    expect([await heard(first), await heard(ofSecond)]).toEqual([[one], [two]])
    const { integrity } = await shop.service.run(Engine)
    expect(await shop.service.run(integrity.findings)).toEqual([])
  })

  it("is told nothing of what an idempotency key has made at another cashier", async () => {
    const other = await shop.service.run(shop.connections.create(shop.organizationId, { name: "Second" }))
    await shop.login(other.id)
    const { organizationId } = shop
    const second = await shop.service.key({ organizationId, mode: "live", connectionId: other.id })
    const post = (of: string, key: Key, body: object, headers = {}) =>
      call(shop.service, "POST", `/api/v1/${of}`, { key, body, headers })
    const named = { "idempotency-key": "order-1" }
    const secret = { amount: 10, description: "of the first till", idempotencyKey: "order-1" }
    const refused = (answer: Answer) => {
      expect(codeOf(answer)).toBe("403 forbidden")
      expect(Object.keys(answer.body)).toEqual(["error", "message"])
      expect(answer.headers.get("x-invoice-id")).toBeNull()
    }
    const made = await post("invoices", bound, secret)
    refused(await post("invoices", second, { amount: 10 }, named))
    const { body } = await post("invoices/bulk", second, { invoices: [secret, { amount: 20 }] })
    expect(Array.from(body["results"]!, ({ error, ok }) => error ?? ok)).toEqual(["forbidden", true])
    // Nor is the provider asked about it.
    shop.fault("createQr", { kind: "drop", done: false })
    const unanswered = await post("invoices", bound, { ...secret, idempotencyKey: "order-2" })
    expect(codeOf(unanswered)).toBe("502 provider_error")
    refused(await post("invoices", second, { amount: 10 }, { "idempotency-key": "order-2" }))
    expect(shop.payments()).toHaveLength(2)
    // Nor where nothing new could be made.
    await shop.service.run(shop.connections.change(organizationId, other.id, { _tag: "Disabled" }))
    refused(await post("invoices", second, { amount: 10 }, named))
    for (const key of [bound, shop.key]) {
      expect((await post("invoices", key, secret)).body).toMatchObject({ id: made.body["id"], idempotentReplay: true })
    }

    const subscription = await post("subscriptions", bound, { amount: 10, startAt: "2026-02-01T00:00:00Z" }, named)
    expect(subscription.status).toBe(201)
    const again = await post("subscriptions", second, { amount: 10, startAt: "2026-02-01T00:00:00Z" }, named)
    refused(again)
    const { body: same } = await post("subscriptions", shop.key, { amount: 10 }, named)
    expect(same["id"]).toBe(subscription.body["id"])
  })

  it("is bound to nothing in the sandbox, whose invoices are of no cashier", async () => {
    const { organizationId, cashier } = shop
    const key = await shop.service.key({ organizationId, connectionId: cashier.id })
    const wide = await endpoint(await shop.service.key({ organizationId }))
    expect((await send("GET", "", key)).body["endpoints"]).toMatchObject([{ id: wide["id"], connectionId: null }])
    expect((await endpoint(key))["connectionId"]).toBeNull()
  })
})
