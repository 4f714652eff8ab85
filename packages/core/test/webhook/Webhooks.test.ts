import { describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import { Ids } from "../../src/value/Ids.ts"
import type { Mode } from "../../src/value/Mode.ts"
import {
  attemptJson,
  endpointJson,
  endpointWithSecretJson,
  loggedDeliveryJson
} from "../../src/webhook/EndpointJson.ts"
import { WebhookStore } from "../../src/webhook/WebhookStore.ts"
import { Webhooks } from "../../src/webhook/Webhooks.ts"
import { Hints } from "../../src/work/Hints.ts"
import { now } from "../invoice/given.ts"
import { cryptoLayer } from "./sending/crypto.ts"
import { makeStore } from "./sending/fakes.ts"
import { delivery, event } from "./sending/given.ts"

const shop = { organizationId: "org_1", mode: "sandbox" as const }
const others = [
  { organizationId: "org_2", mode: "sandbox" as const },
  { organizationId: "org_1", mode: "live" as const }
]
const url = "http://localhost:9999/hook"

const withWebhooks = <E>(
  body: (webhooks: Webhooks["Service"], fake: ReturnType<typeof makeStore>) => Effect.Effect<void, E, Hints>,
  storeOf = ({ store }: ReturnType<typeof makeStore>): WebhookStore["Service"] => store
) =>
  Effect.suspend(() => {
    const fake = makeStore()
    const layer = Webhooks.layer.pipe(
      Layer.provide(Layer.succeed(WebhookStore, storeOf(fake))),
      Layer.provideMerge(Layer.merge(Ids.layer, Hints.layer)),
      Layer.provide(cryptoLayer)
    )
    return Effect.andThen(
      TestClock.setTime(now),
      Webhooks.use((webhooks) => body(webhooks, fake)).pipe(Effect.provide(layer))
    )
  })

const codeOf = <A, E extends { readonly code: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isSuccess(result) ? "accepted" : result.failure.code))

describe("webhook endpoints", () => {
  it.effect("are made with a secret that only that answer shows", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        const events = ["invoice.refunded", "invoice.paid", "invoice.paid"]
        const { endpoint, secret } = yield* webhooks.create(shop, { url, events, id: "ignored" })
        assert.match(Redacted.value(secret), /^whsec_/)
        assert.deepStrictEqual(yield* webhooks.list(shop), [endpoint])
        assert.deepStrictEqual(yield* webhooks.get(shop, endpoint.id), endpoint)
        assert.deepStrictEqual(endpointJson(endpoint), {
          id: endpoint.id,
          mode: "sandbox",
          url,
          events: ["invoice.paid", "invoice.refunded"],
          disabled: false,
          failureCount: 0,
          pausedUntil: null,
          createdAt: "2026-01-01T00:00:00.000Z",
          updatedAt: "2026-01-01T00:00:00.000Z",
          connectionId: null
        })
        assert.strictEqual(endpointWithSecretJson({ endpoint, secret }).secret, Redacted.value(secret))
        assert.notInclude(JSON.stringify(endpoint), Redacted.value(secret))
      })
    )
  )

  it.effect("are refused with the code of the rule that they break", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        const create = (mode: Mode, body: unknown) => codeOf(webhooks.create({ ...shop, mode }, body))
        for (const body of [null, [], "x", 1, undefined])
          assert.strictEqual(yield* create("live", body), "invalid_json")
        for (const body of [{}, { url: null }, { url: 1 }])
          assert.strictEqual(yield* create("live", body), "invalid_url")
        assert.strictEqual(yield* create("live", { url }), "webhook_url_requires_https")
        assert.strictEqual(yield* create("live", { url: "https://127.0.0.1/" }), "webhook_url_requires_domain")
        assert.strictEqual(yield* create("live", { url: "https://a.ngrok.io/" }), "webhook_url_tunnel_forbidden")
        for (const events of [
          "invoice.paid",
          {},
          ["invoice.unknown"],
          [1],
          [["invoice.paid"]],
          ["invoice.paid", null]
        ]) {
          assert.strictEqual(yield* create("sandbox", { url, events }), "invalid_events")
        }
        for (const events of [undefined, null, [], ["webhook.test"]]) {
          assert.strictEqual(yield* create("sandbox", { url, events }), "accepted")
        }
      })
    )
  )

  it.effect("are ten at most, in each mode", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        for (let i = 0; i < defaults.webhook.maxEndpoints; i++) yield* webhooks.create(shop, { url })
        assert.strictEqual(yield* codeOf(webhooks.create(shop, { url })), "too_many_endpoints")
        assert.strictEqual(yield* codeOf(webhooks.create(others[1]!, { url: "https://shop.kz/" })), "accepted")
      })
    )
  )

  it.effect("change only in what is asked for", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        const { endpoint } = yield* webhooks.create(shop, { url, events: ["invoice.paid"] })
        const patch = (body: unknown) => webhooks.patch(shop, endpoint.id, body)
        assert.strictEqual((yield* patch({ disabled: true })).disabled, true)
        assert.strictEqual((yield* patch({ disabled: null, events: null, url: null })).disabled, true)
        assert.deepStrictEqual((yield* patch({ events: [] })).events, [])
        const changed = yield* patch({ url: "http://127.0.0.1/" })
        assert.deepInclude(changed, { url: "http://127.0.0.1/", disabled: true, events: [] })
        assert.strictEqual(yield* codeOf(patch({ url: "ftp://a.kz/" })), "invalid_url")
        assert.strictEqual(yield* codeOf(patch({ events: ["no"] })), "invalid_events")
        for (const disabled of ["true", 1, {}])
          assert.strictEqual(yield* codeOf(patch({ disabled })), "invalid_disabled")
        assert.strictEqual(yield* codeOf(patch([])), "invalid_json")
        assert.deepStrictEqual(yield* webhooks.get(shop, endpoint.id), changed)
      })
    )
  )

  it.effect("are unknown to everybody but their owner in their mode", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        const { endpoint } = yield* webhooks.create(shop, { url })
        const { id } = endpoint
        const { id: deliveryId } = yield* webhooks.test(shop, id)
        for (const owner of others) {
          const calls: ReadonlyArray<Effect.Effect<unknown, { readonly code: string }>> = [
            webhooks.get(owner, id),
            webhooks.patch(owner, id, { url: 1 }),
            webhooks.remove(owner, id),
            webhooks.rotateSecret(owner, id),
            webhooks.test(owner, id),
            webhooks.deliveries(owner, id, {}),
            webhooks.delivery(owner, id, deliveryId),
            webhooks.resend(owner, id, deliveryId)
          ]
          const code = owner.organizationId === shop.organizationId ? "endpoint_not_found" : "forbidden"
          for (const call of calls) assert.strictEqual(yield* codeOf(call), code)
          assert.deepStrictEqual(yield* webhooks.list(owner), [])
        }
        yield* webhooks.remove(shop, id)
        assert.strictEqual(yield* codeOf(webhooks.get(shop, id)), "endpoint_not_found")
      })
    )
  )

  it.effect("sign with the old secret too for a day after a rotation", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        const made = yield* webhooks.create(shop, { url })
        const first = yield* webhooks.rotateSecret(shop, made.endpoint.id)
        assert.notStrictEqual(Redacted.value(first.secret), Redacted.value(made.secret))
        assert.strictEqual(Redacted.value(first.endpoint.secret), Redacted.value(first.secret))
        assert.strictEqual(Redacted.value(first.endpoint.previousSecret!.secret), Redacted.value(made.secret))
        assert.strictEqual(first.endpoint.previousSecret!.until, now + 24 * 3_600_000)
        const second = yield* webhooks.rotateSecret(shop, made.endpoint.id)
        assert.strictEqual(Redacted.value(second.endpoint.previousSecret!.secret), Redacted.value(first.secret))
      })
    )
  )
})

describe("webhook deliveries", () => {
  it.effect("a test is a delivery of its own, and is told to the dispatcher", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        const { endpoint } = yield* webhooks.create(shop, { url, events: ["invoice.paid"] })
        const first = yield* webhooks.test(shop, endpoint.id)
        yield* Hints.use((hints) => hints.awaitNamed)
        const second = yield* webhooks.test(shop, endpoint.id)
        assert.match(first.id, /^dlv_/)
        assert.notStrictEqual(first.id, second.id)
        assert.notStrictEqual(first.eventId, second.eventId)
        assert.deepInclude(first, { kind: "webhook.test", invoiceId: "inv_test", status: "pending", dueAt: now })
        const shown = loggedDeliveryJson(yield* webhooks.delivery(shop, endpoint.id, first.id))
        assert.deepInclude(shown, { event: "webhook.test", nextAttemptAt: "2026-01-01T00:00:00.000Z", attempts: [] })
      })
    )
  )

  it.effect("are sent again as new ones with the event's own id, whatever became of the first", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks, fake) {
        const { endpoint } = yield* webhooks.create(shop, { url })
        for (const status of ["pending", "delivered", "failed"] as const) {
          const earlier = delivery({ id: `dlv_${status}`, endpointId: endpoint.id, status, attemptCount: 12 })
          fake.add(earlier, event())
          const again = yield* webhooks.resend(shop, endpoint.id, earlier.id)
          assert.notStrictEqual(again.id, earlier.id)
          const { kind, invoiceId, eventId, sequence } = earlier
          assert.deepInclude(again, {
            kind,
            invoiceId,
            eventId,
            sequence,
            status: "pending",
            attemptCount: 0,
            dueAt: now
          })
          assert.strictEqual(fake.delivery(earlier.id).status, status)
        }
      })
    )
  )

  it.effect("are not sent to an endpoint that is removed in that moment, which is not found", () => {
    let isRemoving = false
    const removing = ({ store }: ReturnType<typeof makeStore>): WebhookStore["Service"] => ({
      ...store,
      addDelivery: (added) =>
        Effect.gen(function* () {
          if (isRemoving) yield* Effect.orDie(store.removeEndpoint(shop, added.endpointId, now))
          return yield* store.addDelivery(added)
        })
    })
    const body = Effect.fnUntraced(function* (
      webhooks: Webhooks["Service"],
      fake: Parameters<Parameters<typeof withWebhooks>[0]>[1]
    ) {
      for (const verb of ["test", "resend"] as const) {
        isRemoving = false
        const { endpoint } = yield* webhooks.create(shop, { url })
        const earlier = delivery({ id: `dlv_${verb}`, endpointId: endpoint.id, status: "failed" })
        fake.add(earlier, event())
        isRemoving = true
        const sent = verb === "test" ? webhooks.test(shop, endpoint.id) : webhooks.resend(shop, endpoint.id, earlier.id)
        assert.strictEqual(yield* codeOf(sent), "endpoint_not_found", verb)
      }
    })
    return withWebhooks(body, removing)
  })

  it.effect("are shown in pages, newest first", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks, fake) {
        const { endpoint } = yield* webhooks.create(shop, { url })
        for (let i = 1; i <= 5; i++) {
          const status = i === 3 ? "failed" : "delivered"
          fake.add(delivery({ id: `dlv_${i}`, endpointId: endpoint.id, status }), event())
        }
        const page = (request: object) => webhooks.deliveries(shop, endpoint.id, request)
        const ids = (request: object) => Effect.map(page(request), ({ deliveries }) => deliveries.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids({ limit: "2", offset: "1" }), ["dlv_4", "dlv_3"])
        assert.deepStrictEqual(yield* ids({ status: "failed" }), ["dlv_3"])
        assert.deepInclude(yield* page({ limit: "0", offset: "-7" }), { total: 5, limit: 1, offset: 0 })
        assert.deepInclude(yield* page({ limit: "100000" }), { limit: 200 })
        assert.deepInclude(yield* page({ status: "", limit: null }), { limit: 50, total: 5 })
        const codes = yield* Effect.forEach(
          [{ status: "sent" }, { status: ["failed"] }, { limit: "1.5" }, { limit: ["1", "2"] }, { offset: "x" }],
          (request) => codeOf(page(request))
        )
        assert.deepStrictEqual(codes, [
          "invalid_status",
          "invalid_status",
          "invalid_limit",
          "invalid_limit",
          "invalid_offset"
        ])
      })
    )
  )

  it.effect("that nobody knows are not found, whatever their name", () =>
    withWebhooks(
      Effect.fnUntraced(function* (webhooks) {
        const { endpoint } = yield* webhooks.create(shop, { url })
        for (const id of ["dlv_1", "", "a\u0000b", "\ud800"]) {
          assert.strictEqual(yield* codeOf(webhooks.delivery(shop, endpoint.id, id)), "delivery_not_found")
          assert.strictEqual(yield* codeOf(webhooks.resend(shop, endpoint.id, id)), "delivery_not_found")
        }
      })
    )
  )

  it("show what was sent and what came back", () => {
    const attempt = {
      number: 1,
      startedAt: now,
      durationMs: 12,
      url,
      requestHeaders: { "X-Webhook-Event": "invoice.paid" },
      requestBody: "{}",
      status: 500,
      responseBody: "sorry",
      error: null
    }
    assert.deepStrictEqual(attemptJson(attempt), { ...attempt, startedAt: "2026-01-01T00:00:00.000Z" })
    const done = delivery({ status: "delivered", completedAt: now + 1 })
    assert.deepInclude(loggedDeliveryJson({ delivery: done, attempts: [attempt] }), {
      nextAttemptAt: null,
      completedAt: "2026-01-01T00:00:00.001Z"
    })
  })
})
