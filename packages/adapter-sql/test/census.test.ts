/** What the checks find of whatever may be done to the data with SQL alone, and the document that says so. */
import { describe, it } from "@effect/vitest"
import { Integrity } from "@tolem/core/engine/Integrity"
import { Effect, Layer } from "effect"
import { assert, expect } from "vitest"
import { Database } from "../src/base/Database.ts"
import * as Checks from "../src/integrity/Integrity.ts"
import { keyed, taken, wrong } from "./census/Census.ts"
import { documentOf } from "./census/document.ts"
import { populate } from "./support/population.ts"
import { box, onSqlite } from "./support/sqlite.ts"

describe("a census of damages on SQLite", () => {
  it.live("finds every kind, or says why no stored data can show it, as the document does", () =>
    onSqlite(
      Effect.gen(function* () {
        const found = yield* taken
        assert.deepStrictEqual(wrong(found), [])
        yield* Effect.promise(() => expect(documentOf(found)).toMatchFileSnapshot("../../../docs/integrity.md"))
      })
    )
  )

  it.live("says rightly which rules need the key", () =>
    onSqlite(
      Effect.gen(function* () {
        yield* populate
        const other = box("another key for tests only, of no use anywhere")
        const checks = Checks.layer.pipe(Layer.provide(Database.layer()), Layer.provide(other))
        const report = Integrity.use((integrity) => integrity.report)
        const { findings } = yield* Effect.provide(report, Layer.fresh(checks))
        assert.deepStrictEqual([...new Set(findings.map(({ rule }) => rule))], keyed)
      })
    )
  )
})
