/** What nobody has touched in a sandbox for ninety days is gone; live invoices and what was done by hand stay. */
import { describe, it } from "@effect/vitest"
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { ClockStore } from "@tolem/core/time/ClockStore"
import { Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { merchant, pass, world } from "../subscriptions/world.ts"

const day = 86_400_000

const made = (keptMs: number | null) =>
  world(3_600_000, { settings: (settings) => ({ ...settings, sandbox: { ...settings.sandbox, keptMs } }) })

const totalOf = Effect.fnUntraced(function* (caller: Caller) {
  const { invoices } = yield* Engine
  return (yield* invoices.list(caller, {})).total
})

const bulk = (caller: Caller, count: number) =>
  Effect.gen(function* () {
    const { invoices } = yield* Engine
    const results = yield* invoices.bulk(
      caller,
      Array.from({ length: count }, () => ({ body: { amount: 10 } }))
    )
    assert.isTrue(results.every(Result.isSuccess))
  })

/** Lets agents work for some hours, and stops them. */
const hours = (agents: ReturnType<typeof made>["agents"], count: number) =>
  Effect.scoped(Effect.andThen(agents, pass(`${count} hours`, "1 hour")))

describe("the janitor of sandboxes", () => {
  it.effect("removes what has not changed for as long as it is kept, in small steps, and nothing live", () => {
    const { engine, agents } = made(90 * day)
    return Effect.gen(function* () {
      const { caller: live, logIn } = yield* merchant("live")
      const test: Caller = { ...live, mode: "sandbox" }
      const { subscriptions, integrity } = yield* Engine
      yield* bulk(test, 100)
      yield* bulk(test, 100)
      yield* logIn
      yield* MerchantStore.use((store) => store.setMode(live.organizationId, "live"))
      yield* bulk(live, 3)
      yield* subscriptions.create(test, { body: { amount: 10, interval: "day", maxRuns: 1 } })
      const audits = AuditStore.use((store) => store.list({ organizationId: null, before: null, limit: 99 }))
      const audited = yield* audits
      yield* hours(agents, 4)
      // A run's invoice waits for its customer, and then expires.
      yield* TestClock.adjust("8 days")
      yield* hours(agents, 2)
      assert.strictEqual(yield* totalOf(test), 201)
      yield* TestClock.adjust("81 days")
      yield* bulk(test, 5)
      yield* hours(agents, 2)
      assert.strictEqual(yield* totalOf(test), 206, "not before its time")
      yield* TestClock.adjust("1 day")
      yield* hours(agents, 3)
      assert.strictEqual(yield* totalOf(test), 6, "what is young stays, and a run with its subscription")
      assert.strictEqual((yield* subscriptions.list(test, {})).total, 1)
      assert.deepStrictEqual(yield* integrity.findings, [])
      yield* TestClock.adjust("8 days")
      yield* hours(agents, 3)
      assert.strictEqual(yield* totalOf(test), 5)
      assert.strictEqual((yield* subscriptions.list(test, {})).total, 0)
      assert.strictEqual(yield* totalOf(live), 3)
      assert.deepStrictEqual((yield* audits).slice(-audited.length), audited)
      assert.deepStrictEqual(yield* integrity.findings, [])
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("leaves what today has used of a limit to a sandbox that is ahead", () => {
    const { engine, agents } = world(3_600_000, {
      settings: (settings) => ({
        ...settings,
        sandbox: { ...settings.sandbox, keptMs: 90 * day, invoicesPerDay: 5 }
      })
    })
    return Effect.gen(function* () {
      const { caller } = yield* merchant("sandbox")
      const { invoices } = yield* Engine
      yield* bulk(caller, 5)
      // They expire, and do not change after that.
      yield* hours(agents, 2)
      yield* ClockStore.use((store) => store.advance(caller.organizationId, 100 * day))
      yield* hours(agents, 2)
      const total = yield* invoices.list(caller, {})
      assert.strictEqual(total.total, 0, "they are old there")
      const refused = yield* Effect.flip(invoices.create(caller, { body: { amount: 10 } }))
      assert.strictEqual(refused.code, "sandbox_limit")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("removes nothing where nothing is said", () => {
    const { engine, agents } = made(null)
    return Effect.gen(function* () {
      const { caller } = yield* merchant("sandbox")
      yield* bulk(caller, 3)
      yield* hours(agents, 2)
      yield* TestClock.adjust("400 days")
      yield* hours(agents, 2)
      assert.strictEqual(yield* totalOf(caller), 3)
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
