/** Who waits for events is woken by what they wait for, and others have their turn. */
import { it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { StorageError } from "../../src/error/StorageError.ts"
import { feedDefaults } from "../../src/feed/FeedSettings.ts"
import { FeedStore, type FeedWait } from "../../src/feed/FeedStore.ts"
import * as FeedWatch from "../../src/feed/FeedWatch.ts"
import { Hints } from "../../src/work/Hints.ts"

const shop: FeedWait = { organizationId: "org_shop", mode: "sandbox", connectionId: null, types: [], position: 0 }

/** A store whose answers come at once, as those of SQLite do, and how many waited at each look at it. */
const world = (answers: Partial<FeedStore["Service"]> = {}) => {
  const looks: Array<number> = []
  const store = FeedStore.of({
    read: () => Effect.die("the watch reads no events"),
    arrived: (organizationIds) => Effect.succeed(organizationIds),
    place: () => Effect.succeed(false),
    ready: (waits) => Effect.sync(() => (looks.push(waits.length) > 0 ? waits : [])),
    ...answers
  })
  const layer = Layer.merge(Layer.succeed(FeedStore, store), Layer.succeed(Hints, silence))
  const run = <A, E>(use: (wait: Effect.Success<typeof FeedWatch.make>) => Effect.Effect<A, E>) =>
    Effect.flatMap(FeedWatch.make, use).pipe(Effect.provide(layer), Effect.scoped)
  return { looks, run }
}

const pass = (ms: number) => Effect.repeat(TestClock.adjust(5), { times: ms / 5 })

const silence = Hints.of({
  deliveriesDue: () => Effect.void,
  moreDue: () => Effect.void,
  awaitDeliveries: Effect.never,
  awaitNamed: Effect.never,
  awaitChange: Effect.never
})

describe("the watch of feeds", () => {
  it.effect("looks once for each wait, also for one that waits again at once", () => {
    const { looks, run } = world()
    return run((wait) =>
      Effect.gen(function* () {
        const reader = yield* Effect.forkChild(Effect.forever(wait(shop)))
        yield* pass(1000)
        yield* Fiber.interrupt(reader)
        const { pollMs, restMs } = feedDefaults.feed
        assert.isAtLeast(looks.length, 2)
        assert.isAtMost(looks.length, 1 + 1000 / (pollMs + restMs))
        assert.strictEqual(Math.max(...looks), 1)
      })
    )
  })

  it.effect("goes on for others when the events of one organization cannot be placed", () => {
    const placed: Array<string> = []
    const cause = {
      operation: "FeedStore.place",
      outcome: "nothing_written",
      retryable: true,
      cause: "planted"
    } as const
    const { run } = world({
      place: (organizationId) =>
        organizationId === "org_broken"
          ? Effect.fail(new StorageError(cause))
          : Effect.sync(() => placed.push(organizationId) < 0)
    })
    return run((wait) =>
      Effect.gen(function* () {
        yield* Effect.forkChild(wait({ ...shop, organizationId: "org_broken" }))
        const fine = yield* Effect.forkChild(wait(shop))
        yield* pass(1000)
        yield* Fiber.join(fine)
        assert.deepStrictEqual(placed, ["org_shop"])
      })
    )
  })
})
