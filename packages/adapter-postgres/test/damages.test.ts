/** Whatever is done to a column behind the ports is found on PostgreSQL too. */
import { describe, it } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Redacted } from "effect"
import { assert } from "vitest"
import { taken, wrong } from "../../adapter-sql/test/census/Census.ts"
import { damageCases } from "../../adapter-sql/test/support/damageCases.ts"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { box } from "./support/stores.ts"

const census = Effect.map(taken, (found) => assert.deepStrictEqual(wrong(found), []))

describe("on PostgreSQL", () => {
  for (const [name, program] of [
    ...damageCases,
    ["every kind of a census is found, or has its reason", census] as const
  ]) {
    const onPostgres = Effect.gen(function* () {
      const { url } = yield* Effect.acquireRelease(Effect.promise(createDatabase), ({ drop }) => Effect.promise(drop))
      const stores = Layer.provide(Stores.layer(), box)
      const options = { url: Redacted.make(url) }
      yield* Postgres.migrate(options)
      yield* Effect.provide(program, Layer.fresh(Layer.provideMerge(stores, Connection.layer(options))))
    })
    it.live(name, () => Effect.scoped(onPostgres), { timeout: timeoutMs })
  }
})

/** Some hundred damages, and as many times all checks. */
const timeoutMs = 180_000
