import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import type { Choice } from "../../../src/webhook/sending/Lanes.ts"
import * as Looks from "../../../src/webhook/sending/Looks.ts"
import { makeStore } from "./fakes.ts"
import { endpoint, job } from "./given.ts"

const nothing: Choice = { roomy: [], pressed: [], dropped: [], leftOut: [] }

/** Claims over a store in which nothing is due, for the choices that each look is to make. */
const claimsOf = (choices: ReadonlyArray<Choice>, placeFor: string) => {
  const left = [...choices]
  return Looks.claims({
    store: makeStore().store,
    policy: defaults.webhook,
    lanes: {
      choose: () => left.shift() ?? nothing,
      claimed: () => {},
      hasPlaceFor: ({ id }) => id === placeFor,
      isSound: () => false
    },
    release: () => Effect.void,
    admit: () => Effect.void,
    term: () => Effect.succeed({ now: 0, until: 1, lease: "att_1", asideMs: 1 }),
    isStopping: () => false
  })
}

describe("looks for due endpoints", () => {
  it.effect("remember an endpoint that found no place, however many jobs of another one were dropped", () =>
    Effect.gen(function* () {
      const dropped = Array.from({ length: 64 }, () => ({
        job: job({ endpoint: endpoint({ id: "whe_a" }) }),
        until: 1
      }))
      const leftOut = [endpoint({ id: "whe_b" })]
      const claims = claimsOf(
        [
          { ...nothing, dropped },
          { ...nothing, leftOut }
        ],
        "whe_b"
      )
      yield* claims.next
      assert.isFalse(claims.isPlaceFree())
      yield* claims.named([], Effect.void)
      assert.isTrue(claims.isPlaceFree())
      yield* claims.next
      assert.isFalse(claims.isPlaceFree(), "a new walk finds out anew")
    })
  )

  for (const [isSound, gatherMs] of [
    [true, 10],
    [false, 100]
  ] as const) {
    it.effect(
      `fill four places of ${isSound ? "sound" : "other"} endpoints at once after news, then some together`,
      () =>
        Effect.gen(function* () {
          const looks = yield* Looks.times(defaults.webhook)
          yield* looks.told
          yield* looks.next
          for (let n = 0; n < 4; n++) {
            yield* looks.freed(isSound)
            const look = yield* Effect.forkChild(looks.next)
            yield* TestClock.adjust(0)
            assert.isDefined(look.pollUnsafe())
          }
          yield* looks.freed(isSound)
          const look = yield* Effect.forkChild(looks.next)
          yield* TestClock.adjust(gatherMs - 1)
          assert.isUndefined(look.pollUnsafe())
          yield* TestClock.adjust(1)
          assert.isDefined(look.pollUnsafe())
        })
    )
  }
})
