import { it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { defaults, Settings } from "../../../src/engine/Settings.ts"
import { InvoiceChanges } from "../../../src/invoice/changes/InvoiceChanges.ts"
import { InvoiceStore } from "../../../src/invoice/InvoiceStore.ts"
import { Hints } from "../../../src/work/Hints.ts"

const world = (all: number) => {
  const versions = new Map([["inv_1", 1]])
  let looks = 0
  const store = Layer.mock(InvoiceStore, {
    versions: (ids) =>
      Effect.sync(() => {
        looks += 1
        return new Map(ids.flatMap((id) => (versions.has(id) ? [[id, versions.get(id)!] as const] : [])))
      })
  })
  const settings = { ...defaults, watching: { ...defaults.watching, all } }
  const layer = InvoiceChanges.layer.pipe(
    Layer.provideMerge(Hints.layer),
    Layer.provide(store),
    Layer.provide(Layer.succeed(Settings, settings))
  )
  return { versions, layer, looks: () => looks }
}

describe("places to wait for changes of invoices", () => {
  it.effect("tell of a change at once where a hint comes, and soon where none does, and look for nothing else", () => {
    const { versions, layer, looks } = world(10)
    return Effect.gen(function* () {
      const changes = yield* InvoiceChanges
      const hints = yield* Hints
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(looks(), 0)
      for (const hinted of [true, false]) {
        const seat = changes.sit("visitor")!
        const waiting = yield* Effect.forkChild(seat.changed("inv_1", versions.get("inv_1")!))
        yield* TestClock.adjust("1 second")
        versions.set("inv_1", versions.get("inv_1")! + 1)
        if (hinted) yield* hints.deliveriesDue({ organizationId: "org_1", mode: "sandbox" })
        yield* TestClock.adjust(hinted ? defaults.watching.restMs : defaults.watching.pollMs + defaults.watching.restMs)
        assert.isTrue(yield* Fiber.join(waiting))
        seat.leave()
      }
      assert.isTrue(yield* changes.sit("visitor")!.changed("inv_gone", 1))
    }).pipe(Effect.scoped, Effect.provide(layer))
  })

  it.effect("go from those who have most to those who have fewer, when all are taken", () => {
    const { layer } = world(4)
    return Effect.gen(function* () {
      const changes = yield* InvoiceChanges
      const greedy = [1, 2, 3, 4].map(() => changes.sit("greedy", 9)!)
      const lost = yield* Effect.forkChild(greedy[0]!.changed("inv_1", 1))
      yield* Effect.yieldNow
      assert.isNull(changes.sit("greedy", 9))
      assert.isNotNull(changes.sit("other", 9))
      assert.isFalse(yield* Fiber.join(lost))
      assert.isNotNull(changes.sit("other", 9))
      // Two each: no one has more than the other would have.
      assert.isNull(changes.sit("other", 9))
      assert.strictEqual(changes.taken(), 4)
      for (const seat of greedy) {
        seat.leave()
        seat.leave()
      }
      assert.strictEqual(changes.taken(), 2)
      assert.isNull(changes.sit("other", 2))
    }).pipe(Effect.scoped, Effect.provide(layer))
  })
})
