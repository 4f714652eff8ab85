/** What is kept for a time is removed by the janitors, to the millisecond, under a clock that the test moves. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import * as Sqlite from "@tolem/adapter-sqlite/Sqlite"
import { Engine } from "@tolem/core/engine/Engine"
import { Integrity } from "@tolem/core/engine/Integrity"
import * as Janitor from "@tolem/core/engine/Janitor"
import { defaults, Settings, type SettingsPart, withSettings } from "@tolem/core/engine/Settings"
import { StorageError } from "@tolem/core/error/StorageError"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { attemptOf, endpointOf, startAt, testDeliveryOf } from "@tolem/testing/fixtures"
import { Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"

const hour = 60 * 60_000
const day = 24 * hour
const endpoint = endpointOf({ id: "whe_1" })
const shop = { organizationId: "org_shop", mode: "sandbox" } as const

const platform = Layer.mergeAll(NodeCrypto.layer, Logger.layer([]))
const stores = Sqlite.layer({ filename: ":memory:" }).pipe(
  Layer.provide(SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")])),
  Layer.provide(platform)
)
const engine = Engine.layer().pipe(Layer.provideMerge(stores), Layer.provideMerge(platform))

/** Deliveries to one endpoint, the first still to be sent, the others delivered at `startAt`. */
const given = Effect.fnUntraced(function* (delivered: number) {
  const store = yield* WebhookStore
  yield* store.addEndpoint(endpoint, 10)
  for (let n = 0; n < delivered; n++) yield* store.addDelivery(testDeliveryOf(endpoint))
  const jobs = yield* claimDue(store, { now: startAt, until: startAt + 20_000, limit: delivered })
  const attempt = attemptOf({ startedAt: startAt, status: 200 })
  yield* store.settleMany(
    jobs.map((job) => ({ job, attempt, outcome: AttemptOutcome.Delivered() })),
    startAt
  )
  yield* store.addDelivery(testDeliveryOf(endpoint, { createdAt: startAt - 1 }))
  return jobs.map(({ delivery }) => delivery.id)
})

/** The delivered ones that are still there, and those that are to be sent. */
const counts = Effect.gen(function* () {
  const store = yield* WebhookStore
  const totalOf = (status: "delivered" | "pending") =>
    Effect.map(store.deliveries({ endpointId: endpoint.id, status, limit: 1, offset: 0 }), ({ total }) => total)
  return [yield* totalOf("delivered"), yield* totalOf("pending")]
})

type AnyJanitor = Layer.Layer<never, never, WebhookStore | PaymentLinkStore>

/** A janitor that begins to sweep at an instant, and does so for a while. */
const sweeping = (part: SettingsPart["retention"], at: number, forMs = 0, janitor: AnyJanitor = Janitor.deliveries) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(at)
    const settings = Layer.succeed(Settings, withSettings(defaults, { retention: part ?? {} }))
    yield* Layer.build(Layer.fresh(Layer.provide(janitor, settings)))
    yield* TestClock.adjust(forMs)
    yield* Effect.repeat(Effect.yieldNow, { times: 100 })
  }).pipe(Effect.scoped)

/** Visitors who have asked for places of a link at `startAt`. */
const asking = Effect.forEach(Array.from({ length: 300 }), (_, n) =>
  PaymentLinkStore.use((store) =>
    store.takePlace({
      linkId: "lnk_1",
      invoiceId: `inv_${n}`,
      visitor: `10.0.0.${n}`,
      mostBeside: 0,
      restMs: 0,
      now: startAt,
      askedAt: startAt,
      freshMs: 0
    })
  )
)

const kept = 30 * day

describe("the janitors", () => {
  it.effect("remove deliveries a millisecond after they have been kept for as long as is said", () =>
    Effect.gen(function* () {
      yield* given(3)
      yield* sweeping({ deliveriesMs: kept }, startAt + kept)
      assert.deepStrictEqual(yield* counts, [3, 1])
      yield* sweeping({ deliveriesMs: kept }, startAt + kept + 1, hour / 2)
      assert.deepStrictEqual(yield* counts, [0, 1], "and never what is to be sent")
      assert.deepStrictEqual((yield* Integrity.use(({ findings }) => findings)).length, 0)
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )

  it.effect("remove attempts alone, if these are kept for a shorter time", () =>
    Effect.gen(function* () {
      const [id] = yield* given(2)
      const { webhooks } = yield* Engine
      const part = { attemptsMs: kept, deliveriesMs: 2 * kept }
      yield* sweeping(part, startAt + kept)
      assert.strictEqual((yield* webhooks.delivery(shop, endpoint.id, id!)).attempts.length, 1)
      yield* sweeping(part, startAt + kept + 1, hour / 2)
      const { delivery, attempts } = yield* webhooks.delivery(shop, endpoint.id, id!)
      assert.deepStrictEqual([delivery.status, delivery.attemptCount, attempts], ["delivered", 1, []])
      assert.deepStrictEqual(yield* Integrity.use(({ findings }) => findings), [])
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )

  it.effect("have months made ahead, and those dropped that have been kept for as long as is said", () =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const asked: Array<ReadonlyArray<number | null>> = []
      const tendMonths: typeof store.tendMonths = (now, { attempts, deliveries }) =>
        Effect.sync(() => void asked.push([now, attempts, deliveries]))
      const tended = (part: SettingsPart["retention"]) =>
        Effect.provideService(sweeping(part, startAt, hour), WebhookStore, { ...store, tendMonths })
      yield* tended({ attemptsMs: kept })
      yield* tended({})
      yield* tended({ attemptsMs: kept, deliveriesMs: 2 * kept })
      yield* tended({ deliveriesMs: kept })
      const since = (attempts: number | null, deliveries: number | null) =>
        [startAt, startAt + hour].map((now) => [
          now,
          attempts === null ? null : now - attempts,
          deliveries === null ? null : now - deliveries
        ])
      assert.deepStrictEqual(asked, [
        ...since(kept, null),
        ...since(null, null),
        ...since(kept, 2 * kept),
        // Attempts go at the latest when their deliveries do.
        ...since(kept, kept)
      ])
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )

  it.effect("empty the bodies of attempts alone, which are kept for an hour at least", () =>
    Effect.gen(function* () {
      const [id] = yield* given(2)
      const { webhooks } = yield* Engine
      const bodies = Effect.gen(function* () {
        const { attempts } = yield* webhooks.delivery(shop, endpoint.id, id!)
        return attempts.map(({ requestBody, responseBody }) => [requestBody !== null, responseBody !== null])
      })
      const none = { attemptBodiesMs: 0 }
      yield* sweeping(none, startAt + hour)
      assert.deepStrictEqual(yield* bodies, [[true, true]])
      yield* sweeping({ attemptBodiesMs: kept }, startAt + kept)
      assert.deepStrictEqual(yield* bodies, [[true, true]])
      yield* sweeping({ attemptBodiesMs: kept }, startAt + kept + 1, hour / 2)
      assert.deepStrictEqual(yield* bodies, [[false, false]])
      assert.deepStrictEqual(yield* counts, [2, 1])
      assert.deepStrictEqual(yield* Integrity.use(({ findings }) => findings), [])
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )

  it.effect("forget who has asked for a place of a link after two hours", () =>
    Effect.gen(function* () {
      const links = yield* PaymentLinkStore
      yield* asking
      yield* sweeping({}, startAt + 2 * hour, 0, Janitor.takers)
      assert.strictEqual(yield* links.forgetTakers(startAt + 1, 1_000), 300)
      yield* asking
      yield* sweeping({}, startAt + 2 * hour + 1, hour / 2, Janitor.takers)
      assert.strictEqual(yield* links.forgetTakers(startAt + 1, 1_000), 0)
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )

  it.effect("leave everything where nothing is said", () =>
    Effect.gen(function* () {
      yield* given(2)
      yield* sweeping({}, startAt + 9000 * day, day)
      assert.deepStrictEqual(yield* counts, [2, 1])
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )

  it.effect("say that there is no such delivery if one that was removed is to be sent again", () =>
    Effect.gen(function* () {
      const [id] = yield* given(1)
      const { webhooks } = yield* Engine
      yield* sweeping({ deliveriesMs: kept }, startAt + kept + 1, hour / 2)
      const refused = yield* Effect.flip(webhooks.resend(shop, endpoint.id, id!))
      assert.strictEqual(refused._tag, "DeliveryNotFound")
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )

  it.effect("go on after a sweep that ended in the middle, and nothing is amiss between", () =>
    Effect.gen(function* () {
      yield* given(600)
      const store = yield* WebhookStore
      const away = new StorageError({ operation: "x", outcome: "nothing_written", retryable: true, cause: "away" })
      let steps = 0
      const flaky: typeof store.forgetDeliveries = (request) =>
        ++steps === 2 ? Effect.fail(away) : store.forgetDeliveries(request)
      const failing = Effect.provideService(
        sweeping({ deliveriesMs: kept }, startAt + kept + 1, hour / 2),
        WebhookStore,
        { ...store, forgetDeliveries: flaky }
      )
      yield* failing
      const [left] = yield* counts
      assert.strictEqual(left, 350, "a step is 250 deliveries, and is whole")
      assert.deepStrictEqual(yield* Integrity.use(({ findings }) => findings), [])
      yield* sweeping({ deliveriesMs: kept }, startAt + kept + 2 * hour, hour / 2)
      assert.deepStrictEqual(yield* counts, [0, 1])
      assert.deepStrictEqual(yield* Integrity.use(({ findings }) => findings), [])
    }).pipe(Effect.provide(Layer.fresh(engine)))
  )
})
