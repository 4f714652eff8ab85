/** How long a store waits for its database before it takes an answer for lost. */
import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { makeFailures } from "../src/base/Failures.ts"
import { onSqlite } from "./support/sqlite.ts"

/** What a transaction that takes an hour comes to, where ten seconds are given. */
const afterAnHour = (options: { readonly unhurried?: boolean }) =>
  onSqlite(
    Effect.gen(function* () {
      const { transaction } = makeFailures(yield* SqlClient.SqlClient, 10_000)
      const slow = transaction("Slow", Effect.as(Effect.sleep("1 hour"), "done"), options)
      const fiber = yield* Effect.forkChild(Effect.catch(slow, ({ outcome }) => Effect.succeed(outcome)))
      yield* TestClock.adjust("1 hour")
      return yield* Fiber.join(fiber)
    })
  )

describe("a transaction", () => {
  it.effect("is given up at its deadline", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* afterAnHour({}), "nothing_written")
    })
  )

  it.effect("takes its time where that is said", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* afterAnHour({ unhurried: true }), "done")
    })
  )
})
