/** Keys can be replaced for good: whatever an old one has sealed is sealed with the new one. */
import { describe, it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { sealedColumns, sealOneOfEach } from "./support/sealed.ts"
import { box } from "./support/sqlite.ts"

const client = SqliteClient.layer({ filename: ":memory:" })
const [oldKey, newKey] = ["the first key of the tests, of no use", "the second key of the tests, of no use"]

const withKeys = <A, E, R>(keys: ReadonlyArray<string>, program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, Layer.fresh(Stores.layer()).pipe(Layer.provideMerge(Layer.fresh(box(...keys)))))

const onOneDatabase = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(Effect.andThen(Migrations.migrate(), program), Layer.fresh(client))

const reseal = Effect.flatMap(SealedTexts, (texts) => texts.sealAnew)

describe("sealing anew", () => {
  it.effect("leaves nothing to the old key, and everything as it was", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const check = yield* withKeys([oldKey], sealOneOfEach)
        assert.deepStrictEqual(yield* withKeys([newKey, oldKey], reseal), { count: 6, unreadable: [] })
        yield* withKeys([newKey], check)
        assert.deepStrictEqual(yield* withKeys([newKey], reseal), { count: 0, unreadable: [] })
      })
    )
  )

  it.effect("goes through more rows than one page", () =>
    onOneDatabase(
      Effect.gen(function* () {
        yield* withKeys(
          [oldKey],
          Effect.forEach(Array.from({ length: 201 }), () => sealOneOfEach)
        )
        assert.deepStrictEqual(yield* withKeys([newKey, oldKey], reseal), { count: 1006, unreadable: [] })
      })
    )
  )

  it.effect("leaves alone what no key opens, and names it", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* withKeys([oldKey], sealOneOfEach)
        yield* sql`update tolem_connections set session = 'v1.000000000000.AAAA.AAAA'`
        const { count, unreadable } = yield* withKeys([newKey, oldKey], reseal)
        const [row] = yield* sql<{ readonly id: string; readonly session: string }>`select * from tolem_connections`
        assert.deepStrictEqual([count, unreadable], [5, [row?.id]])
        assert.strictEqual(row?.session, "v1.000000000000.AAAA.AAAA")
      })
    )
  )

  it.effect("knows every column that holds a sealed text", () =>
    onOneDatabase(
      Effect.gen(function* () {
        yield* withKeys([oldKey], sealOneOfEach)
        assert.deepStrictEqual(yield* sealedColumns, [
          "tolem_connections.session",
          "tolem_endpoints.previous_secret",
          "tolem_endpoints.secret",
          "tolem_login_challenges.digest_key",
          // The database's own: each start looks after it.
          "tolem_secret_checks.sealed"
        ])
      })
    )
  )
})
