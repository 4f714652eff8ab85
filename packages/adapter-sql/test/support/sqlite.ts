import { DatabaseSync } from "node:sqlite"
import { NodeCrypto } from "@effect/platform-node"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import type { Stores as Ports } from "@tolem/core/engine/Engine"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as Migrations from "../../src/base/Migrations.ts"
import * as Stores from "../../src/Stores.ts"

/** A box with these keys, or one of no use anywhere else. */
export const box = (...keys: ReadonlyArray<string>) => {
  const [first = "a key for tests only, of no use anywhere else", ...rest] = keys
  const redacted = rest.map((key) => Redacted.make(key))
  return SecretBox.layer([Redacted.make(first), ...redacted]).pipe(Layer.provide(NodeCrypto.layer))
}

const opened = Effect.acquireRelease(
  Effect.sync(() => new DatabaseSync(":memory:", { enableForeignKeyConstraints: true })),
  (db) => Effect.sync(() => db.close())
)
const clientOf = (db: DatabaseSync) =>
  Layer.effect(
    SqlClient.SqlClient,
    SqliteClient.fromDatabase(db, { filename: ":memory:", prepareCacheSize: 1000 })
  ).pipe(Layer.provide(Reactivity.layer))

let image: Uint8Array | undefined

const migrated = Effect.gen(function* () {
  const db = yield* opened
  yield* Effect.provide(Migrations.migrate(), clientOf(db))
  return db.serialize()
})

/** A database in memory that all migrations have run in: once for all tests of a process. */
export const memory: Layer.Layer<SqlClient.SqlClient> = Layer.unwrap(
  Effect.gen(function* () {
    image ??= yield* Effect.orDie(Effect.scoped(migrated))
    const db = yield* opened
    db.deserialize(image)
    return clientOf(db)
  })
)

/** Stores on SQLite in memory, with the client beside them, for tests that look or reach behind the ports. */
export const storesOnSqlite = Stores.layer().pipe(Layer.provideMerge(memory), Layer.provide(box()))

/** Runs a program on stores of its own. */
export const onSqlite = <A, E>(program: Effect.Effect<A, E, Ports | SqlClient.SqlClient>) =>
  Effect.provide(program, Layer.fresh(storesOnSqlite))
