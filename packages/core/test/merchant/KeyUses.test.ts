/** Uses of keys: remembered by requests, written by an agent. */
import { describe, it } from "@effect/vitest"
import { apiKeyOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { KeyUses } from "../../src/merchant/KeyUses.ts"
import type { KeyUse } from "../../src/merchant/Merchant.ts"
import { MerchantStore } from "../../src/merchant/MerchantStore.ts"

describe("the agent", () => {
  it.effect("writes a while after a use, once for many of a minute, and not at all without one", () => {
    const written: Array<ReadonlyArray<KeyUse>> = []
    const store = Layer.mock(MerchantStore, { noteUses: (uses) => Effect.sync(() => void written.push(uses)) })
    const key = apiKeyOf("org_shop", { id: "key_1" })
    return Effect.gen(function* () {
      const { note } = yield* KeyUses
      const pass = (ms: number) => Effect.andThen(TestClock.adjust(ms), Effect.repeat(Effect.yieldNow, { times: 20 }))
      yield* pass(60_000)
      assert.deepStrictEqual(written, [])
      for (const at of [60_001, 61_000, 62_000]) note(key, at)
      yield* pass(9_000)
      assert.deepStrictEqual(written, [], "no request waits for it")
      yield* pass(2_000)
      assert.deepStrictEqual(written, [[{ keyId: "key_1", usedAt: 60_000 }]])
      note({ ...key, lastUsedAt: 60_000 }, 65_000)
      yield* pass(60_000)
      assert.strictEqual(written.length, 1, "a minute is written once")
    }).pipe(
      Effect.scoped,
      Effect.provide(Layer.fresh(KeyUses.agent.pipe(Layer.provideMerge(KeyUses.layer), Layer.provide(store))))
    )
  })
})
