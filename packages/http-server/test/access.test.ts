import { Engine } from "@tolem/core/engine/Engine"
import { type KeyScope, KeyScope as KeyScopes } from "@tolem/core/merchant/Merchant"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, type Sent } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

let service: Service
let key: Key

beforeAll(async () => {
  service = await start()
  key = await service.key()
})
afterAll(() => service.stop())

const invoices = "/api/v1/invoices"
const codeOf = async (method: string, path: string, sent: Sent = {}, of = service) => {
  const answer = await call(of, method, path, sent)
  return answer.status < 400 ? answer.status : String(answer.body["error"])
}

describe("keys", () => {
  it("are taken from either header, X-API-Key first", async () => {
    const bearer = (text: string) => ({ headers: { authorization: text } })
    expect(await codeOf("GET", invoices, { key })).toBe(200)
    expect(await codeOf("GET", invoices, bearer(`Bearer ${key.apiKey}`))).toBe(200)
    expect(await codeOf("GET", invoices, bearer(`bearer   ${key.apiKey}`))).toBe(200)
    expect(await codeOf("GET", invoices, { key, ...bearer("Bearer nonsense") })).toBe(200)
    expect(await codeOf("GET", invoices, { key: "nonsense", ...bearer(`Bearer ${key.apiKey}`) })).toBe(
      "invalid_api_key"
    )
    expect(await codeOf("GET", invoices, { key: "", ...bearer(`Bearer ${key.apiKey}`) })).toBe(200)
  })

  it("that are missing are 401, malformed 422, unknown 401", async () => {
    expect(await codeOf("GET", invoices)).toBe("unauthorized")
    expect(await codeOf("GET", invoices, { headers: { authorization: "Basic eDp5" } })).toBe("unauthorized")
    expect(await codeOf("GET", invoices, { headers: { authorization: "Bearer" } })).toBe("unauthorized")
    const { apiKey } = key
    const changed = apiKey.slice(0, -1) + (apiKey.endsWith("a") ? "b" : "a")
    const forms = [
      "x",
      "svc_live_",
      apiKey.slice(0, -1),
      changed,
      apiKey.replace("test", "live"),
      `${apiKey}, ${apiKey}`
    ]
    for (const text of forms) expect(await codeOf("GET", invoices, { key: text })).toBe("invalid_api_key")
    expect(await codeOf("GET", invoices, { key: (await foreignKey()).apiKey })).toBe("unauthorized")
  })

  it("stop working the moment they are deleted, while the invoices stay", async () => {
    const doomed = await service.key({ organizationId: key.organizationId })
    const made = await call(service, "POST", invoices, { key: doomed, body: { amount: 1 } })
    await service.run(Engine.use((engine) => engine.organizations.deleteKey(doomed.keyId)))
    expect(await codeOf("GET", invoices, { key: doomed })).toBe("unauthorized")
    expect(await codeOf("GET", `${invoices}/${made.body["id"]}`, { key })).toBe(200)
  })

  it("say how to authenticate where they are missing", async () => {
    const answer = await call(service, "GET", invoices)
    expect(answer.headers.get("www-authenticate")).toBe("Bearer")
    expect(answer.headers.get("x-ratelimit-remaining")).toBeNull()
  })
})

describe("accounts and organizations", () => {
  it("that are blocked or archived open no session, and consume nothing", async () => {
    const limited = await start({ settings: { readsPerMinute: 2, writesPerMinute: 2 }, now: minute })
    try {
      const { id, ownerId } = await limited.organization()
      const own = await limited.key({ organizationId: id })
      const set = (subject: Parameters<MerchantStore["Service"]["setStatus"]>[0]) =>
        limited.run(MerchantStore.use((store) => store.setStatus(subject, Date.now())))
      await set({ account: ownerId, status: "blocked" })
      for (let i = 0; i < 4; i++) expect(await codeOf("GET", invoices, { key: own }, limited)).toBe("account_blocked")
      await set({ account: ownerId, status: "active" })
      await set({ organization: id, status: "archived" })
      for (let i = 0; i < 4; i++)
        expect(await codeOf("GET", invoices, { key: own }, limited)).toBe("organization_inactive")
      await set({ organization: id, status: "active" })
      const answer = await call(limited, "GET", invoices, { key: own })
      expect(answer.headers.get("x-ratelimit-remaining")).toBe("1")
    } finally {
      await limited.stop()
    }
  })
})

describe("scopes", () => {
  const endpoints: ReadonlyArray<readonly [KeyScope, string, string]> = [
    ["invoices:read", "GET", invoices],
    ["invoices:read", "GET", `${invoices}/inv_1`],
    ["invoices:write", "POST", invoices],
    ["invoices:write", "POST", `${invoices}/bulk`],
    ["invoices:write", "POST", `${invoices}/inv_1/cancel`],
    ["invoices:write", "POST", `${invoices}/inv_1/simulate`],
    ["refunds:write", "POST", `${invoices}/inv_1/refund`],
    ["webhooks:manage", "GET", "/api/v1/webhook-endpoints"],
    ["webhooks:manage", "POST", "/api/v1/webhook-endpoints"],
    ["webhooks:manage", "GET", "/api/v1/webhook-endpoints/whe_1"],
    ["webhooks:manage", "PATCH", "/api/v1/webhook-endpoints/whe_1"],
    ["webhooks:manage", "DELETE", "/api/v1/webhook-endpoints/whe_1"],
    ["webhooks:manage", "POST", "/api/v1/webhook-endpoints/whe_1/rotate-secret"],
    ["webhooks:manage", "POST", "/api/v1/webhook-endpoints/whe_1/test"],
    ["webhooks:manage", "GET", "/api/v1/webhook-endpoints/whe_1/deliveries"],
    ["webhooks:manage", "GET", "/api/v1/webhook-endpoints/whe_1/deliveries/dlv_1"],
    ["webhooks:manage", "POST", "/api/v1/webhook-endpoints/whe_1/deliveries/dlv_1/resend"]
  ]

  it("each endpoint needs its own, and no other one will do", async () => {
    for (const [scope, method, path] of endpoints) {
      const others = KeyScopes.literals.filter((other) => other !== scope)
      const without = await service.key({ scopes: others })
      const body = method === "GET" ? undefined : "not json"
      expect(await codeOf(method, path, { key: without, body }), `${method} ${path}`).toBe("insufficient_scope")
      const only = await service.key({ scopes: [scope] })
      expect(await codeOf(method, path, { key: only }), `${method} ${path}`).not.toBe("insufficient_scope")
    }
  })
})

const minute = Date.UTC(2026, 0, 2, 3, 4, 0)

describe("request rates", () => {
  it("are 600 reads and 200 writes a minute and key, counted apart, and start anew each UTC minute", async () => {
    const settings = { readsPerMinute: 600, writesPerMinute: 200 }
    const limited = await start({ settings, now: minute + 15_000 })
    try {
      const own = await limited.key()
      const neighbour = await limited.key({ organizationId: own.organizationId })
      const remaining: Array<number> = []
      for (let i = 0; i < 12; i++) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => call(limited, "GET", invoices, { key: own }))
        )
        for (const { status, headers } of answers) {
          expect(status).toBe(200)
          expect(headers.get("x-ratelimit-limit")).toBe("600")
          expect(headers.get("x-ratelimit-reset")).toBe(String(minute / 1000 + 60))
          remaining.push(Number(headers.get("x-ratelimit-remaining")))
        }
      }
      expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 600 }, (_, i) => i))
      const refused = await call(limited, "GET", `${invoices}/inv_1`, { key: own })
      expect(refused.body["error"]).toBe("request_rate_limited")
      expect(refused.headers.get("retry-after")).toBe("45")
      expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
      expect((await call(limited, "HEAD", invoices, { key: own })).status).toBe(429)

      const write = (of: Key) => call(limited, "POST", invoices, { key: of, body: { amount: "no" } })
      const writes = await Promise.all(Array.from({ length: 200 }, () => write(own)))
      expect(writes.every((answer) => answer.body["error"] === "invalid_amount")).toBe(true)
      expect(writes.every((answer) => answer.headers.get("x-ratelimit-limit") === "200")).toBe(true)
      expect((await write(own)).body["error"]).toBe("request_rate_limited")
      expect((await write(neighbour)).body["error"]).toBe("invalid_amount")

      limited.time.now = minute + 59_999
      expect((await write(own)).headers.get("retry-after")).toBe("1")
      limited.time.now = minute + 60_000
      expect((await write(own)).headers.get("x-ratelimit-remaining")).toBe("199")
      expect(await codeOf("GET", invoices, { key: own }, limited)).toBe(200)
    } finally {
      await limited.stop()
    }
  })

  it("count a bulk request once, and let a refused one do nothing", async () => {
    const limited = await start({ settings: { writesPerMinute: 2 }, now: minute })
    try {
      const own = await limited.key()
      const body = { invoices: Array.from({ length: 10 }, () => ({ amount: 1 })) }
      expect(
        (await call(limited, "POST", `${invoices}/bulk`, { key: own, body })).headers.get("x-ratelimit-remaining")
      ).toBe("1")
      expect(await codeOf("POST", invoices, { key: own, body: { amount: 1 } }, limited)).toBe(201)
      expect(await codeOf("POST", invoices, { key: own, body: { amount: 1 } }, limited)).toBe("request_rate_limited")
      expect((await call(limited, "GET", invoices, { key: own })).body["total"]).toBe(11)
    } finally {
      await limited.stop()
    }
  })
})

describe("the order of checks", () => {
  it("is key, form, known, rate, scope, body, state", async () => {
    const limited = await start({ settings: { writesPerMinute: 1 }, now: minute })
    try {
      const readers = await limited.key({ scopes: ["invoices:read"] })
      const sent = { key: readers, body: "not json" }
      expect(await codeOf("POST", invoices, { ...sent, key: undefined }, limited)).toBe("unauthorized")
      expect(await codeOf("POST", invoices, { ...sent, key: "x" }, limited)).toBe("invalid_api_key")
      expect(await codeOf("POST", invoices, { ...sent, key: await foreignKey() }, limited)).toBe("unauthorized")
      expect(await codeOf("POST", invoices, sent, limited)).toBe("insufficient_scope")
      expect(await codeOf("POST", invoices, sent, limited)).toBe("request_rate_limited")
    } finally {
      await limited.stop()
    }
    expect(await codeOf("POST", `${invoices}/inv_1/simulate`, { key, body: "not json" })).toBe("invalid_json")
    expect(await codeOf("POST", `${invoices}/inv_1/simulate`, { key, body: { status: "new" } })).toBe("invalid_status")
    expect(await codeOf("POST", `${invoices}/inv_1/simulate`, { key, body: { status: "paid" } })).toBe(
      "invoice_not_found"
    )
  })
})

describe("modes and organizations", () => {
  it("never mix", async () => {
    const live = await service.key({ mode: "live", organizationId: key.organizationId })
    const stranger = await service.key()
    const made = await call(service, "POST", invoices, { key, body: { amount: 10 } })
    const path = `${invoices}/${made.body["id"]}`
    for (const [method, suffix, body] of [
      ["GET", "", undefined],
      ["POST", "/cancel", undefined],
      ["POST", "/refund", undefined],
      ["POST", "/simulate", { status: "paid" }]
    ] as const) {
      expect(await codeOf(method, path + suffix, { key: stranger, body })).toBe("forbidden")
      const seenLive = await codeOf(method, path + suffix, { key: live, body })
      expect(seenLive).toBe(suffix === "/simulate" ? "not_sandbox" : "invoice_not_found")
    }
    expect((await call(service, "GET", `${invoices}`, { key: stranger })).body["total"]).toBe(0)
    expect((await call(service, "GET", `${invoices}`, { key: live })).body["total"]).toBe(0)
    expect((await call(service, "GET", `${invoices}?mode=live`, { key })).body["total"]).toBe(0)
    expect((await call(service, "GET", path, { key })).body["status"]).toBe("pending")
  })

  it("let no live invoice be made without a cashier", async () => {
    const live = await service.key({ mode: "live" })
    expect(await codeOf("POST", invoices, { key: live, body: { amount: 10 } })).toBe("provider_session_not_configured")
    expect(await codeOf("POST", invoices, { key: live, body: { amount: -10 } })).toBe("amount_too_small")
  })

  it("show sandbox invoices to a key that is bound to a cashier as well", async () => {
    const { organizationId } = key
    const { connections } = await service.run(Engine)
    const { id: connectionId } = await service.run(connections.create(organizationId, { name: "Till" }))
    const bound = await service.key({ organizationId, connectionId })
    const made = await call(service, "POST", invoices, { key, body: { amount: 10 } })
    expect(await codeOf("GET", `${invoices}/${made.body["id"]}`, { key: bound })).toBe(200)
  })
})

/** A well formed key that this service does not know. */
const foreignKey = async (): Promise<Key> => {
  const other = await start()
  try {
    return await other.key()
  } finally {
    await other.stop()
  }
}
