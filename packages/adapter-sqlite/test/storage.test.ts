/** The storage suite of the core, on SQLite. */
import { it } from "@effect/vitest"
import { storageSuite } from "@tolem/testing/storage/StorageSuite"
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { describe } from "vitest"
import { clientCases } from "../../adapter-sql/test/support/clientCases.ts"
import { memory } from "./support/stores.ts"

describe("on this SQLite", () => {
  for (const { name, run } of storageSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(memory)))
})

// The oldest Node that the packages allow has a SQLite without jsonb_each.
const older = Layer.succeed(Statement.CurrentTransformer, (statement, sql) => {
  const [text] = statement.compile()
  return Effect.succeed(
    text.includes("sqlite_version()") ? sql`select '3.50.4' as version, 2 as synchronous` : statement
  )
})

describe("on an older SQLite", () => {
  const stores = memory.pipe(Layer.provide(older))
  for (const { name, run } of clientCases) it.effect(name, () => Effect.provide(run, Layer.fresh(stores)))
})
