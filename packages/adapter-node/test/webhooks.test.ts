/**
 * The whole way of an event: engine and agents on SQLite in memory, sent by the real sender to a real receiver. The
 * other adapters are imported by their paths: this package does not depend on them.
 */
import { createHmac } from "node:crypto"
import type { ServerResponse } from "node:http"
import { describe, it } from "@effect/vitest"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { verify } from "@tolem/api/WebhookVerifier"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import type { DeliveryStatus } from "@tolem/core/webhook/Webhook"
import { Effect, Layer, Queue, Redacted, Schedule } from "effect"
import { assert } from "vitest"
import { nodePlatform } from "../src/index.ts"
import { http } from "./receivers.ts"

const secretKey = Redacted.make("a key for tests only, of no use anywhere else")

const engineWith = (webhook: Partial<Settings["webhook"]> = {}) => {
  const settings = { ...defaults, webhook: { ...defaults.webhook, pollMs: 20, ...webhook } }
  return Engine.agents.pipe(
    Layer.provideMerge(Engine.layer(settings)),
    Layer.provide(Sqlite.layer({ filename: ":memory:" })),
    Layer.provide(SecretBox.layer([secretKey])),
    Layer.provide(nodePlatform())
  )
}

interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly envelope: {
    readonly event: string
    readonly sequence: number
    readonly late?: boolean
    readonly invoice: { readonly id: string; readonly status: string }
  }
  readonly response: ServerResponse
}

/** An organization, and a receiver whose requests a test takes and answers one by one. */
const given = Effect.gen(function* () {
  const { organizations, invoices, webhooks } = yield* Engine
  const { organization } = yield* organizations.create({ name: "Dastarkhan", ownerPhone: "77001234567" })
  const owner = { organizationId: organization.id, mode: "sandbox" as const }
  const caller = { ...owner, connectionId: null, source: "api" as const }
  const received = yield* Queue.unbounded<Received>()
  const { url } = yield* http((request, response, body) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    Queue.offerUnsafe(received, { headers, body, envelope: JSON.parse(body), response })
  })
  const next = (status = 200) =>
    Effect.tap(Queue.take(received), ({ response }) => Effect.sync(() => void response.writeHead(status).end()))
  const invoice = Effect.map(invoices.create(caller, { body: { amount: 1500 } }), (made) => made.invoice)
  const simulate = (id: string, status: string) => invoices.simulate(caller, id, { status })
  /** Waits until the endpoint's deliveries are such, oldest first. */
  const statuses = (id: string, expected: ReadonlyArray<DeliveryStatus>) =>
    webhooks.deliveries(owner, id, {}).pipe(
      Effect.map((page) => page.deliveries.map(({ status }) => status).reverse()),
      Effect.repeat({
        schedule: Schedule.spaced("5 millis"),
        until: (seen) => JSON.stringify(seen) === JSON.stringify(expected)
      })
    )
  return { owner, caller, invoices, webhooks, received, url, next, invoice, simulate, statuses }
})

describe("webhooks from end to end", () => {
  it.live("announces a payment with a signature that receivers can verify, and keeps the log", () =>
    Effect.gen(function* () {
      const { owner, webhooks, url, next, invoice, simulate, statuses } = yield* given
      const { endpoint, secret } = yield* webhooks.create(owner, { url })
      const { id } = yield* invoice
      yield* simulate(id, "paid")
      const { headers, body, envelope } = yield* next()
      assert.deepInclude(envelope, { event: "invoice.paid", sequence: 2 })
      assert.deepInclude(envelope.invoice, { id, status: "paid" })
      const signed = `${headers["x-webhook-timestamp"]}.${body}`
      const expected = createHmac("sha256", Redacted.value(secret)).update(signed).digest("hex")
      assert.strictEqual(headers["x-webhook-signature"], `sha256=${expected}`)
      const verified = yield* Effect.promise(() => verify({ body, headers, secret: Redacted.value(secret) }))
      assert.strictEqual(verified.event, "invoice.paid")

      yield* statuses(endpoint.id, ["delivered"])
      const { deliveries } = yield* webhooks.deliveries(owner, endpoint.id, {})
      const logged = yield* webhooks.delivery(owner, endpoint.id, deliveries[0]?.id ?? "")
      assert.strictEqual(logged.delivery.id, headers["x-webhook-delivery"])
      assert.lengthOf(logged.attempts, 1)
      assert.deepInclude(logged.attempts[0], { number: 1, url, status: 200, error: null, requestBody: body })
      assert.strictEqual(logged.attempts[0]?.requestHeaders["X-Webhook-Signature"], headers["x-webhook-signature"])
    }).pipe(Effect.scoped, Effect.provide(engineWith()))
  )

  it.live("tries again until it is taken, and tells of the invoice's events in their order", () =>
    Effect.gen(function* () {
      const { owner, webhooks, url, next, invoice, simulate, statuses } = yield* given
      const { endpoint } = yield* webhooks.create(owner, { url })
      const { id } = yield* invoice
      yield* simulate(id, "expired")
      yield* simulate(id, "paid")
      const first = yield* next(500)
      const second = yield* next(302)
      const third = yield* next(204)
      const fourth = yield* next(200)
      const told = [first, second, third, fourth].map(({ envelope }) => `${envelope.event} ${envelope.invoice.status}`)
      const expired = "invoice.expired expired"
      assert.deepStrictEqual(told, [expired, expired, expired, "invoice.paid paid"])
      assert.strictEqual(fourth.envelope.late, true)
      assert.strictEqual(first.headers["x-webhook-delivery"], third.headers["x-webhook-delivery"])
      yield* statuses(endpoint.id, ["delivered", "delivered"])
      const logged = yield* webhooks.delivery(owner, endpoint.id, first.headers["x-webhook-delivery"] ?? "")
      assert.deepStrictEqual(
        logged.attempts.map(({ status }) => status),
        [500, 302, 204]
      )
    }).pipe(Effect.scoped, Effect.provide(engineWith({ retryWaitsMs: [1, 1, 1] })))
  )

  it.live("rests after failures, sends one probe, and then everything that was held", () =>
    Effect.gen(function* () {
      const { owner, webhooks, url, next, received, invoice, simulate, statuses } = yield* given
      const { endpoint } = yield* webhooks.create(owner, { url })
      const count = 6
      for (let i = 0; i < count; i++) yield* simulate((yield* invoice).id, "paid")
      for (let i = 0; i < 5; i++) yield* next(500)
      const probe = yield* next(200)
      assert.isTrue(probe.envelope.event === "invoice.paid")
      const rest = yield* Effect.forEach(Array.from({ length: count - 1 }), () => next(200))
      const told = [probe, ...rest].map(({ envelope }) => envelope.invoice.id)
      assert.strictEqual(new Set(told).size, count)
      yield* statuses(
        endpoint.id,
        Array.from({ length: count }, () => "delivered" as const)
      )
      assert.strictEqual(yield* Queue.size(received), 0)
      assert.deepInclude(yield* webhooks.get(owner, endpoint.id), { failureCount: 0, pauseCount: 0, pausedUntil: null })
    }).pipe(
      Effect.scoped,
      Effect.provide(engineWith({ retryWaitsMs: Array(11).fill(1), pausesMs: [100], concurrencyPerEndpoint: 1 }))
    )
  )

  it.live("holds what waits for an endpoint that was switched off until it is on again", () =>
    Effect.gen(function* () {
      const { owner, webhooks, url, next, received, invoice, simulate, statuses } = yield* given
      const held = (yield* webhooks.create(owner, { url: `${url}/held` })).endpoint
      const other = (yield* webhooks.create(owner, { url: `${url}/other` })).endpoint
      yield* webhooks.patch(owner, held.id, { disabled: true })
      const test = yield* webhooks.test(owner, held.id)
      const { id } = yield* invoice
      yield* simulate(id, "paid")
      yield* next(200)
      yield* statuses(other.id, ["delivered"])
      yield* statuses(held.id, ["pending"])
      assert.strictEqual(yield* Queue.size(received), 0)
      yield* webhooks.patch(owner, held.id, { disabled: false })
      const { headers, envelope } = yield* next(200)
      assert.strictEqual(headers["x-webhook-delivery"], test.id)
      assert.deepInclude(envelope.invoice, { id: "inv_test", status: "new" })
      yield* statuses(held.id, ["delivered"])
    }).pipe(Effect.scoped, Effect.provide(engineWith()))
  )

  it.live("sends an event again when it is asked to, and signs with both secrets after a rotation", () =>
    Effect.gen(function* () {
      const { owner, webhooks, url, next, invoice, simulate, statuses } = yield* given
      const { endpoint, secret } = yield* webhooks.create(owner, { url })
      yield* simulate((yield* invoice).id, "paid")
      const first = yield* next(200)
      yield* statuses(endpoint.id, ["delivered"])
      const rotated = yield* webhooks.rotateSecret(owner, endpoint.id)
      const again = yield* webhooks.resend(owner, endpoint.id, first.headers["x-webhook-delivery"] ?? "")
      const second = yield* next(200)
      assert.strictEqual(second.headers["x-webhook-delivery"], again.id)
      assert.deepStrictEqual(second.envelope.invoice, first.envelope.invoice)
      for (const each of [secret, rotated.secret]) {
        const { body, headers } = second
        const verified = yield* Effect.promise(() => verify({ body, headers, secret: Redacted.value(each) }))
        assert.strictEqual(verified.event, "invoice.paid")
      }
      yield* statuses(endpoint.id, ["delivered", "delivered"])
    }).pipe(Effect.scoped, Effect.provide(engineWith()))
  )

  it.live("a receiver that never answers delays nobody else", () =>
    Effect.gen(function* () {
      const { owner, webhooks, url, next, invoice, simulate, statuses } = yield* given
      const silent = yield* http(() => {})
      const dead = (yield* webhooks.create(owner, { url: silent.url })).endpoint
      const alive = (yield* webhooks.create(owner, { url })).endpoint
      const count = 20
      for (let i = 0; i < count; i++) yield* simulate((yield* invoice).id, "paid")
      for (let i = 0; i < count; i++) yield* next(200)
      yield* statuses(
        alive.id,
        Array.from({ length: count }, () => "delivered" as const)
      )
      yield* statuses(
        dead.id,
        Array.from({ length: count }, () => "pending" as const)
      )
    }).pipe(Effect.scoped, Effect.provide(engineWith()))
  )
})
