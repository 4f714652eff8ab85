/** The typed clients drive every endpoint of the contract. */
import { createServer } from "node:http"
import { Api } from "@tolem/api/Api"
import * as Client from "@tolem/api/Client"
import { ApiError, makePromise, type PromiseClient } from "@tolem/api/PromiseClient"
import { Effect, type Redacted, Redacted as Secret } from "effect"
import { FetchHttpClient } from "effect/http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Key, type Service, start } from "./support/service.ts"

let service: Service
let key: Key
let client: PromiseClient

beforeAll(async () => {
  service = await start()
  key = await service.key()
  client = makePromise({ baseUrl: service.url, apiKey: key.apiKey })
})
afterAll(() => service.stop())

const failureOf = (attempt: Promise<unknown>): Promise<ApiError> =>
  attempt.then(
    () => Promise.reject(new Error("it succeeded")),
    (error: unknown) => (error instanceof ApiError ? error : Promise.reject(error))
  )

describe("the client for promises", () => {
  it("has a method for every endpoint", () => {
    const methods = (object: object) =>
      Object.entries(object).map(([name, group]) => [name, Object.keys(group).toSorted()])
    const endpoints = Object.entries(Api.groups).map(([name, group]) => [name, Object.keys(group.endpoints).toSorted()])
    expect(methods(client)).toEqual(endpoints)
  })

  it("takes an invoice through its life", async () => {
    const { invoices } = client
    const payload = { amount: 1500, externalOrderId: "A-1", metadata: { a: [1, { b: null }] } }
    const headers = { "idempotency-key": "client-1" }
    const made = await invoices.create({ payload, headers })
    expect(made).toMatchObject({ status: "pending", amount: 1500, metadata: payload.metadata })
    expect(await invoices.create({ payload, headers })).toMatchObject({ id: made.id, idempotentReplay: true })
    const params = { id: made.id }
    expect((await invoices.simulate({ params, payload: { status: "paid" } })).status).toBe("paid")
    expect((await invoices.refund({ params, payload: { amount: 500 } })).refundedAmount).toBe(500)
    expect((await invoices.refund({ params })).status).toBe("refunded")
    const detail = await invoices.get({ params, query: { live: 1 } })
    expect(detail.events).toHaveLength(4)
    expect(detail.refunds.map((refund) => refund.amount)).toEqual([500, 1000])
    const other = await invoices.create({ payload: { amount: 5 } })
    const cancelled = await invoices.cancel({ params: { id: other.id } })
    expect(cancelled.status).toBe("cancelled")
    expect(cancelled.stillPayableUntil).toBe(other.expiresAt)
    const bulk = await invoices.bulk({ payload: { invoices: [{ amount: 1 }, { amount: 0 }] } })
    expect(bulk.results.map((result) => result.error)).toEqual([undefined, "amount_too_small"])
    const page = await invoices.list({ query: { status: ["refunded", "cancelled"], limit: 1, from: "2020-01-01" } })
    expect(page).toMatchObject({ total: 2, limit: 1 })
    expect((await invoices.list()).total).toBe(3)
  })

  it("takes a subscription through its life", async () => {
    const { subscriptions } = client
    const payload = { amount: 1500, interval: "week", every: 2, metadata: { plan: "A" }, retry: [1, 24] } as const
    const headers = { "idempotency-key": "client-subscription-1" }
    const made = await subscriptions.create({ payload, headers })
    expect(made).toMatchObject({ status: "active", amount: 1500, every: 2, retry: [1, 24], misfire: "run_once" })
    expect((await subscriptions.create({ payload, headers })).id).toBe(made.id)
    const params = { id: made.id }
    expect((await subscriptions.pause({ params })).status).toBe("paused")
    expect((await subscriptions.patch({ params, payload: { amount: 2000, maxRuns: 5 } })).maxRuns).toBe(5)
    const invoice = await subscriptions.run({ params })
    expect(invoice).toMatchObject({ amount: 2000, metadata: { plan: "A", subscriptionId: made.id, run: 1 } })
    expect((await subscriptions.resume({ params })).status).toBe("active")
    expect(await subscriptions.get({ params })).toMatchObject({ runs: 1, lastInvoiceId: invoice.id })
    expect((await subscriptions.cancel({ params })).status).toBe("cancelled")
    expect((await subscriptions.list({ query: { status: "cancelled" } })).total).toBe(1)
    const closed = await failureOf(subscriptions.resume({ params }))
    expect([closed.error, closed.status]).toEqual(["subscription_closed", 409])
  })

  it("reads the account of its key", async () => {
    const { organization, mode, tariff, connections } = await client.account.get()
    expect([organization.id, mode, connections]).toEqual([key.organizationId, "sandbox", []])
    expect(tariff).toMatchObject({ code: "scale", active: true, monthlyUsed: 0 })
  })

  it("reads metadata that no number can hold", async () => {
    const body = '{"amount":1,"metadata":{"n":12345678901234567890,"e":1e400,"__proto__":{"a":1},"s":"\\ud800"}}'
    const headers = { "x-api-key": key.apiKey, "content-type": "application/json" }
    const response = await fetch(`${service.url}/api/v1/invoices`, { method: "POST", body, headers })
    const { id } = await response.json()
    expect((await client.invoices.get({ params: { id } })).metadata).toMatchObject({
      n: Number("12345678901234567890"),
      s: "\ud800"
    })
  })

  it("takes a payment link and a form hook through their lives", async () => {
    const { formHooks, paymentLinks } = client
    const link = await paymentLinks.create({ payload: { title: "Шай", slug: "client-tea", amount: 1500 } })
    expect(link).toMatchObject({ slug: "client-tea", amount: 1500, status: "active" })
    const params = { id: link.id }
    expect((await paymentLinks.get({ params })).title).toBe("Шай")
    const paused = await paymentLinks.patch({ params, payload: { amount: null, status: "paused" } })
    expect(paused).toMatchObject({ amount: null, status: "paused" })
    expect((await paymentLinks.list()).links).toEqual([paused])
    const taken = await failureOf(paymentLinks.create({ payload: { title: "x", slug: "client-tea" } }))
    expect([taken.error, taken.status]).toEqual(["slug_taken", 409])
    await paymentLinks.remove({ params })
    expect((await failureOf(paymentLinks.get({ params }))).error).toBe("link_not_found")

    const hook = await formHooks.create({ payload: { name: "Order form" } })
    const ofHook = { params: { id: hook.id } }
    expect((await formHooks.patch({ ...ofHook, payload: { status: "paused" } })).status).toBe("paused")
    expect(await formHooks.get(ofHook)).toEqual((await formHooks.list()).hooks[0])
    await formHooks.remove(ofHook)
    expect((await failureOf(formHooks.get(ofHook))).error).toBe("hook_not_found")
  })

  it("takes a webhook endpoint through its life", async () => {
    const { webhookEndpoints } = client
    const made = await webhookEndpoints.create({
      payload: { url: "http://localhost:9/hook", events: ["invoice.paid"] }
    })
    expect(made.secret).toMatch(/^whsec_/)
    const params = { id: made.id }
    expect((await webhookEndpoints.get({ params })).events).toEqual(["invoice.paid"])
    expect((await webhookEndpoints.list()).endpoints).toHaveLength(1)
    expect((await webhookEndpoints.patch({ params, payload: { disabled: true } })).disabled).toBe(true)
    expect((await webhookEndpoints.patch({ params, payload: { disabled: false } })).disabled).toBe(false)
    expect((await webhookEndpoints.rotateSecret({ params })).secret).not.toBe(made.secret)
    const tested = await webhookEndpoints.test({ params })
    expect(tested.event).toBe("webhook.test")
    const one = { id: made.id, deliveryId: tested.id }
    expect((await webhookEndpoints.delivery({ params: one })).attempts).toEqual([])
    expect((await webhookEndpoints.resend({ params: one })).id).not.toBe(tested.id)
    expect((await webhookEndpoints.deliveries({ params, query: { status: "pending" } })).total).toBe(2)
    await webhookEndpoints.remove({ params })
    expect((await failureOf(webhookEndpoints.get({ params }))).error).toBe("endpoint_not_found")
  })

  it("rejects with the code, the text, the status and the name of the request", async () => {
    const failure = await failureOf(client.invoices.get({ params: { id: "inv_nobody" } }))
    expect(failure).toMatchObject({ error: "invoice_not_found", status: 404, retryAfterSeconds: null })
    expect(failure.requestId).toBeTruthy()
    expect(failure.message).not.toBe("")
    expect(failure.stack).not.toContain(key.apiKey)
  })

  it("has the service judge a request that does not fit, and says so, not that the service is away", async () => {
    const failure = await failureOf(client.invoices.create({ payload: { amount: "much" as never } }))
    expect(failure).toMatchObject({ error: "invalid_amount", status: 422 })
  })

  it("gives a call up when it is told to", async () => {
    const signal = AbortSignal.abort()
    expect(await failureOf(client.invoices.list({ signal }))).toMatchObject({ error: "unreachable", status: null })
  })

  it("tells how long to wait", async () => {
    const limited = await start({ settings: { readsPerMinute: 0 } })
    try {
      const { apiKey } = await limited.key()
      const failure = await failureOf(makePromise({ baseUrl: limited.url, apiKey }).invoices.list())
      expect(failure.error).toBe("request_rate_limited")
      expect(failure.retryAfterSeconds).toBeGreaterThanOrEqual(1)
      expect(failure.retryAfterSeconds).toBeLessThanOrEqual(60)
    } finally {
      await limited.stop()
    }
  })

  it("says `unreachable` without an answer, or with one of another service", async () => {
    const stranger = createServer((_request, response) => response.writeHead(502).end("<html>Bad Gateway</html>"))
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve))
    const address = stranger.address()
    const port = typeof address === "object" ? address?.port : 0
    const elsewhere = makePromise({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "x" })
    expect(await failureOf(elsewhere.invoices.list())).toMatchObject({ error: "unreachable", status: 502 })
    await new Promise((resolve) => stranger.close(resolve))
    expect(await failureOf(elsewhere.invoices.list())).toMatchObject({ error: "unreachable", status: null })
  })
})

describe("the client for Effect", () => {
  const run = <A, E>(use: (client: Effect.Success<ReturnType<typeof Client.make>>) => Effect.Effect<A, E>) => {
    const apiKey: Redacted.Redacted = Secret.make(key.apiKey)
    const made = Client.make({ baseUrl: service.url, apiKey })
    return Effect.runPromise(Effect.flatMap(made, use).pipe(Effect.provide(FetchHttpClient.layer)))
  }

  it("has the errors of the contract in its types, each with its code", async () => {
    const id = await run(({ invoices }) =>
      Effect.map(invoices.create({ headers: {}, payload: { amount: 1 } }), (invoice) => invoice.id)
    )
    const code = await run(({ invoices }) =>
      invoices.refund({ params: { id }, headers: {}, payload: {} }).pipe(
        Effect.as("refunded"),
        Effect.catch((failure) => Effect.succeed("error" in failure ? failure.error : failure._tag))
      )
    )
    expect(code).toBe("invoice_not_refundable")
  })
})
