/** However much one organization writes, another's invoice waits for the write under way and for its own. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { type Creation, InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Deferred, Effect, Fiber, Layer, Result } from "effect"
import { assert } from "vitest"
import { world } from "../subscriptions/world.ts"

const settled = Effect.repeat(Effect.yieldNow, { times: 500 })

const callerOf = (organizationId: string): Caller => ({
  organizationId,
  mode: "sandbox",
  connectionId: null,
  source: "api"
})

const bodies = (count: number, body: object = {}) =>
  Array.from({ length: count }, () => ({ body: { amount: 1500, ...body } }))

/** An engine whose first write of invoices waits for the gate, and what each write held. */
const gated = () => {
  const gate = Deferred.makeUnsafe<void>()
  const writes: Array<ReadonlyArray<Creation>> = []
  const stores = Layer.effect(
    InvoiceStore,
    Effect.map(InvoiceStore, (store) => ({
      ...store,
      insertMany: (creations: ReadonlyArray<Creation>) =>
        Effect.suspend(() => {
          writes.push(creations)
          return Effect.andThen(Deferred.await(gate), store.insertMany(creations))
        })
    }))
  )
  return { gate, writes, stores }
}

describe("creates", () => {
  it.effect("of one organization are in the next write, whatever bulks of another wait", () => {
    const { gate, writes, stores } = gated()
    const { engine } = world(600_000, { stores })
    return Effect.gen(function* () {
      const { invoices } = yield* Engine
      const hogs = yield* Effect.forEach(Array.from({ length: 30 }), () =>
        Effect.forkChild(invoices.bulk(callerOf("org_hog"), bodies(100)))
      )
      yield* settled
      const victim = yield* Effect.forkChild(invoices.create(callerOf("org_victim"), bodies(1)[0]!))
      yield* settled
      assert.lengthOf(writes, 1, "one write is under way")
      yield* Deferred.succeed(gate, undefined)
      const { invoice } = yield* Fiber.join(victim)
      yield* Fiber.joinAll(hogs)
      assert.isTrue(
        writes[1]?.some((creation) => creation.invoice.id === invoice.id),
        "it is in the next one"
      )
      assert.isTrue(writes.every(({ length }) => length <= 128))
      assert.strictEqual(writes.flat().length, 3001)
    }).pipe(Effect.ensuring(Deferred.succeed(gate, undefined)), Effect.scoped, Effect.provide(engine))
  })

  it.effect("are refused where too many of the same organization wait, a bulk as a whole, and no one else's", () => {
    const { gate, writes, stores } = gated()
    const small = { maxSize: 10, maxBytes: 1_000, writers: 1, capacity: 200 }
    const { engine } = world(600_000, { stores, settings: (settings) => ({ ...settings, batch: small }) })
    return Effect.gen(function* () {
      const { invoices } = yield* Engine
      const hog = callerOf("org_hog")
      const first = yield* Effect.forkChild(invoices.bulk(hog, bodies(100)))
      yield* settled
      const error = yield* Effect.flip(invoices.bulk(hog, bodies(21)))
      assert.strictEqual(error.code, "service_unavailable")
      const victim = yield* Effect.forkChild(invoices.bulk(callerOf("org_victim"), bodies(50)))
      yield* settled
      yield* Deferred.succeed(gate, undefined)
      assert.isTrue((yield* Fiber.join(victim)).every(Result.isSuccess))
      assert.isTrue((yield* Fiber.join(first)).every(Result.isSuccess))
      assert.strictEqual(writes.flat().length, 150, "nothing of what was refused")
    }).pipe(Effect.ensuring(Deferred.succeed(gate, undefined)), Effect.scoped, Effect.provide(engine))
  })

  it.effect("with large metadata are prepared with pauses, and written in parts", () => {
    const { gate, writes, stores } = gated()
    const { engine } = world(600_000, {
      stores,
      settings: (settings) => ({ ...settings, batch: { ...settings.batch, maxBytes: 3_000 } })
    })
    return Effect.gen(function* () {
      const { invoices } = yield* Engine
      const rawMetadata = JSON.stringify({ text: "x".repeat(1_000) })
      const requests = bodies(100, { metadata: {} }).map((request) => ({ ...request, rawMetadata }))
      const bulk = yield* Effect.forkChild(invoices.bulk(callerOf("org_shop"), requests))
      let turns = 0
      const others = Effect.sync(() => void turns++).pipe(Effect.andThen(Effect.yieldNow))
      yield* Effect.repeat(others, { until: () => writes.length > 0 })
      yield* Deferred.succeed(gate, undefined)
      assert.isTrue((yield* Fiber.join(bulk)).every(Result.isSuccess))
      assert.isAtLeast(turns, 30, "others run each time three have been prepared")
      assert.deepStrictEqual(
        writes.map(({ length }) => length),
        [...Array.from({ length: 33 }, () => 3), 1]
      )
    }).pipe(Effect.ensuring(Deferred.succeed(gate, undefined)), Effect.scoped, Effect.provide(engine))
  })

  it.effect("of one bulk request with one key make one invoice, however they are written", () => {
    const { engine } = world(600_000, {
      settings: (settings) => ({ ...settings, batch: { ...settings.batch, maxSize: 2, writers: 3, capacity: 200 } })
    })
    return Effect.gen(function* () {
      const { invoices } = yield* Engine
      const same = bodies(6, { idempotencyKey: "one" })
      const others = bodies(4)
      const results = yield* invoices.bulk(callerOf("org_shop"), [...same, ...others, ...same])
      const made = results.map((result) => Result.getOrThrow(result))
      assert.deepStrictEqual(
        made.map(({ replayed }) => replayed),
        made.map((_, index) => index !== 0 && (index < 6 || index >= 10))
      )
      assert.strictEqual(new Set(made.map(({ invoice }) => invoice.id)).size, 5)
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
