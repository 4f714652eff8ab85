/** What is claimed when: ahead of what is sent, beside a claim that takes long, and not twice. */
import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { assert } from "vitest"
import { answering } from "./fakes.ts"
import { begin, pass, scoped, started, told, world } from "./world.ts"

describe("dispatcher: claims", () => {
  it.effect("sends to a newcomer that it is told of while a claim for another one takes long", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        here.given("busy", answering(200))
        here.given("shop", answering(200))
        here.change("shop", { organizationId: "org_victim" })
        const other = here.due("busy")
        here.trouble.claim = [Effect.sleep("5 seconds")]
        yield* begin
        const context = yield* started(here.layer)
        yield* pass(1)
        const id = here.due("shop")
        yield* Effect.provide(told("org_victim"), context)
        yield* pass(0.1)
        assert.strictEqual(here.delivery(id).status, "delivered")
        assert.strictEqual(here.delivery(other).status, "pending")
        yield* pass(5)
        assert.strictEqual(here.delivery(other).status, "delivered")
      })
    )
  )

  it.effect("does not claim for an endpoint again while a claim for it is under way, but looks there after it", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        here.given("shop", answering(200))
        here.change("shop", { organizationId: "org_shop" })
        here.due("shop")
        here.trouble.heardClaim = [Effect.sleep("5 seconds")]
        yield* begin
        const context = yield* started(here.layer, { pollMs: 60_000 })
        yield* pass(1)
        const id = here.due("shop")
        yield* Effect.provide(told("org_shop"), context)
        yield* pass(1)
        assert.strictEqual(here.calls.dueOf, 1)
        assert.strictEqual(here.calls.claim, 1)
        yield* pass(3.5)
        assert.strictEqual(here.delivery(id).status, "delivered")
      })
    )
  )

  it.effect("claims more of what is due at an endpoint before it has sent all that it has claimed", () =>
    scoped(
      Effect.gen(function* () {
        const here = world()
        here.given("shop", (request) => Effect.andThen(Effect.sleep("50 millis"), answering(200)(request)))
        for (let n = 0; n < 200; n++) here.due("shop")
        yield* begin
        yield* started(here.layer, { pollMs: 60_000 })
        for (let n = 0; n < 10; n++) yield* pass(0.05)
        // From now on a claim takes as long as four attempts.
        here.trouble.claim = Array.from({ length: 3 }, () => Effect.sleep("200 millis"))
        const before = here.to("shop").length
        for (let n = 0; n < 20; n++) yield* pass(0.05)
        assert.isAtLeast(here.to("shop").length - before, 76, "four at a time all the while")
        assert.isAtMost(here.mostRunning.get("shop.kz") ?? 0, 4)
      })
    )
  )
})
