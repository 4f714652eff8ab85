/** However much of one organization is due, another's first waits for no more than what is under way. */
import { describe, it } from "@effect/vitest"
import { Engine } from "@tolem/core/engine/Engine"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { InvoiceStore, type Write } from "@tolem/core/invoice/InvoiceStore"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { pass, startAt, world } from "../subscriptions/world.ts"

const callerOf = (organizationId: string): Caller => ({
  organizationId,
  mode: "sandbox",
  connectionId: null,
  source: "api"
})

/** Notes who was claimed and whose changes were written, in their order. */
const noting = () => {
  const claims: Array<ReadonlyArray<Invoice>> = []
  const written: Array<string> = []
  const stores = Layer.effect(
    InvoiceStore,
    Effect.map(InvoiceStore, (store) => ({
      ...store,
      claim: (...asked: Parameters<typeof store.claim>) =>
        Effect.tap(store.claim(...asked), (found) => Effect.sync(() => found.length > 0 && claims.push(found))),
      commitMany: (writes: ReadonlyArray<Write>) => {
        written.push(...writes.map(({ next }) => next.organizationId))
        return store.commitMany(writes)
      }
    }))
  )
  return { claims, written, stores }
}

const bulk = Effect.fnUntraced(function* (organizationId: string, count: number) {
  const { invoices } = yield* Engine
  for (let left = count; left > 0; left -= 100) {
    yield* invoices.bulk(
      callerOf(organizationId),
      Array.from({ length: Math.min(left, 100) }, () => ({ body: { amount: 10 } }))
    )
  }
})

describe("what is due", () => {
  it.effect("of one organization is claimed in turn with another's backlog, which is worked off all the same", () => {
    const { claims, written, stores } = noting()
    const { engine, agents } = world(1000, {
      stores,
      settings: (settings) => ({ ...settings, watcher: { ...settings.watcher, batchSize: 20, pollMs: 1000 } })
    })
    return Effect.gen(function* () {
      yield* TestClock.setTime(startAt)
      yield* bulk("org_hog", 2_000)
      yield* TestClock.adjust("1 second")
      // Due after all of the others'.
      yield* bulk("org_victim", 3)
      yield* pass("4 minutes", "1 minute")
      yield* agents
      yield* pass("1 minute", "1 second")
      const first = claims.findIndex((claim) => claim.some(({ organizationId }) => organizationId === "org_victim"))
      assert.strictEqual(first, 1, "in the first claim after the one that found more than it could take")
      assert.strictEqual(claims[first]!.filter(({ organizationId }) => organizationId === "org_victim").length, 3)
      assert.isBelow(written.indexOf("org_victim"), 60, "and written with what was under way then")
      assert.strictEqual(written.filter((organizationId) => organizationId === "org_hog").length, 2_000)
      assert.strictEqual(new Set(claims.flat().map(({ id }) => id)).size, claims.flat().length, "each once")
    }).pipe(Effect.scoped, Effect.provide(engine))
  })

  it.effect("of a sandbox that is ahead of time leaves as much to everybody else", () => {
    const { claims, stores } = noting()
    const { engine, agents } = world(1000, {
      stores,
      settings: (settings) => ({ ...settings, watcher: { ...settings.watcher, batchSize: 20, pollMs: 1000 } })
    })
    return Effect.gen(function* () {
      yield* TestClock.setTime(startAt)
      const { organizations, sandboxTime } = yield* Engine
      const { organization } = yield* organizations.create({ name: "Hog", ownerPhone: "77001234567" })
      yield* sandboxTime.advance(organization.id, 3_600_000)
      yield* bulk(organization.id, 500)
      yield* bulk("org_victim", 3)
      yield* pass("4 minutes", "1 minute")
      yield* agents
      yield* pass("1 minute", "1 second")
      const before = claims.slice(
        0,
        claims.findIndex((claim) => claim.some(({ organizationId }) => organizationId === "org_victim"))
      )
      assert.isAtMost(before.flat().length, 10, "half of one claim")
      assert.strictEqual(claims.flat().length, 503)
    }).pipe(Effect.scoped, Effect.provide(engine))
  })
})
