/** Whatever is done to a column behind the ports is found on PostgreSQL too. */
import { readFileSync } from "node:fs"
import { layer } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Redacted } from "effect"
import { assert } from "vitest"
import { amiss } from "../../adapter-sql/test/census/Census.ts"
import { rulesIn } from "../../adapter-sql/test/census/document.ts"
import { damageCases } from "../../adapter-sql/test/support/damageCases.ts"
import { populated } from "../../adapter-sql/test/support/population.ts"
import * as Connection from "../src/Connection.ts"
import { box } from "./support/stores.ts"

/** What the same census finds on SQLite. */
const document = readFileSync(new URL("../../../docs/integrity.md", import.meta.url), "utf8")

const stores = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* Effect.acquireRelease(Effect.promise(createMigrated), ({ drop }) => Effect.promise(drop))
    return Layer.provideMerge(Layer.provide(Stores.layer(), box), Connection.layer({ url: Redacted.make(url) }))
  })
)

layer(populated(stores), { excludeTestServices: true, timeout: "3 minutes" })("on PostgreSQL", (it) => {
  for (const [name, program] of damageCases) it.effect(name, () => program)
  it.effect("every kind of a census is found, or has its reason", () =>
    Effect.map(amiss(rulesIn(document)), (found) => assert.deepStrictEqual(found, []))
  )
})
