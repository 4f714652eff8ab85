import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assert } from "vitest"
import { now } from "../../invoice/given.ts"
import { answering, storageAway } from "./fakes.ts"
import { begin, pass, scoped, started, world } from "./world.ts"

/** A world in which an endpoint's pause has ended, so that its next delivery is a probe. */
const resting = () => {
  const made = world()
  made.given("resting", answering(200))
  made.change("resting", { failureCount: 5, pauseCount: 1, pausedUntil: now - 1 })
  return made
}

describe("dispatcher: a probe that cannot be begun while the storage is away", () => {
  it.effect("counts as no start: nothing is given up that was never sent", () =>
    scoped(
      Effect.gen(function* () {
        const { due, trouble, layer, delivery, to } = resting()
        const id = due("resting")
        trouble.takeProbe = Array.from({ length: 6 }, () => Effect.fail(storageAway("takeProbe")))
        yield* begin
        yield* started(layer)
        yield* pass(200)
        assert.lengthOf(to("resting"), 1)
        assert.strictEqual(delivery(id).status, "delivered")
      })
    )
  )

  for (const [starts, count] of [
    [1, 8],
    [2, 1]
  ] as const) {
    it.effect(`leaves all the room to others that have begun ${starts} times`, () =>
      scoped(
        Effect.gen(function* () {
          const { due, lose, given, trouble, layer, delivery, to } = resting()
          given("shop", answering(200))
          for (let i = 0; i < count; i++) lose(due("resting"), starts)
          trouble.takeProbe = [Effect.fail(storageAway("takeProbe"))]
          yield* begin
          yield* started(layer)
          yield* pass(120)
          const id = due("shop")
          lose(id, starts)
          yield* pass(120)
          assert.lengthOf(to("shop"), 1)
          assert.strictEqual(delivery(id).status, "delivered")
        })
      )
    )
  }
})
