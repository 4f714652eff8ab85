/** A row that cannot be read is set aside and shown on PostgreSQL too; the others go on. */
import { describe, it } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { poisonedCases } from "../../adapter-sql/test/support/poisonedCases.ts"
import * as Connection from "../src/Connection.ts"
import { box } from "./support/stores.ts"

describe("a poisoned row holds up no other one, is kept, and is found", () => {
  // Each third one: SQLite has all, and `npm run test:slow` has them here.
  const cases = poisonedCases.filter((_, index) => inject("isWhole") || index % 3 === 0)
  for (const [name, program] of cases) {
    const onPostgres = Effect.gen(function* () {
      const { url } = yield* Effect.acquireRelease(Effect.promise(createMigrated), ({ drop }) => Effect.promise(drop))
      const stores = Layer.provide(Stores.layer(), box)
      const client = Connection.layer({ url: Redacted.make(url) })
      yield* Effect.provide(program, Layer.fresh(Layer.provideMerge(stores, client)))
    })
    it.effect(name, () => Effect.scoped(onPostgres), { timeout: timeoutMs })
  }
})

/** A database of its own, with all migrations. */
const timeoutMs = 60_000
