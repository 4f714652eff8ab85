import { assert, describe, it } from "@effect/vitest"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { endpointOf, startAt, testDeliveryOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { memory } from "./support/stores.ts"

describe("a claim of deliveries whose endpoints cannot be read", () => {
  it.effect("counts as no start, whether of new ones or of lost ones", () => {
    let fails = false
    const failing = Layer.succeed(Statement.CurrentTransformer, (statement, sql) => {
      const isRead = statement.compile()[0].includes("select e.* from")
      return Effect.succeed(fails && isRead ? sql`select * from no_such_table` : statement)
    })
    return Effect.gen(function* () {
      const store = yield* WebhookStore
      const endpoint = endpointOf()
      const delivery = testDeliveryOf(endpoint)
      yield* store.addEndpoint(endpoint, 10)
      yield* store.addDelivery(delivery)
      let now = startAt + 3_600_000
      const claim = (lease: string) => {
        now += 20_000
        return store.claim({ now, until: now + 20_000, lease, asideMs: 1, endpoints: [endpoint.id], each: 1 })
      }
      fails = true
      for (const lease of ["att_1", "att_2", "att_3"]) {
        assert.strictEqual((yield* Effect.flip(claim(lease)))._tag, "StorageError")
      }
      fails = false
      const [job] = yield* claim("att_4")
      assert.deepStrictEqual([job?.delivery.id, job?.starts], [delivery.id, 1])

      // This start is lost. It counts, and those that fail behind it do not.
      const reclaim = (lease: string) => {
        now += 20_000
        return store.reclaim({ now, until: now + 20_000, lease, asideMs: 1, limits: [8, 1] })
      }
      fails = true
      for (const lease of ["att_5", "att_6", "att_7"]) {
        assert.strictEqual((yield* Effect.flip(reclaim(lease)))._tag, "StorageError")
      }
      fails = false
      const [again] = yield* reclaim("att_8")
      assert.deepStrictEqual([again?.delivery.id, again?.starts], [delivery.id, 2])
    }).pipe(Effect.provide(Layer.fresh(Layer.provideMerge(memory, failing))))
  })
})
