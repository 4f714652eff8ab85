import { NodeCrypto } from "@effect/platform-node"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import type { Stores as Ports } from "@tolem/core/engine/Engine"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import * as Migrations from "../../src/base/Migrations.ts"
import * as Stores from "../../src/Stores.ts"

/** A box with these keys, or one of no use anywhere else. */
export const box = (...keys: ReadonlyArray<string>) => {
  const [first = "a key for tests only, of no use anywhere else", ...rest] = keys
  const redacted = rest.map((key) => Redacted.make(key))
  return SecretBox.layer([Redacted.make(first), ...redacted]).pipe(Layer.provide(NodeCrypto.layer))
}

/** Stores on SQLite in memory, with the client beside them, for tests that look or reach behind the ports. */
export const storesOnSqlite = Stores.layer().pipe(
  Layer.provide(Migrations.layer()),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.provide(box())
)

/** Runs a program on stores of its own. */
export const onSqlite = <A, E>(program: Effect.Effect<A, E, Ports | SqlClient.SqlClient>) =>
  Effect.provide(program, Layer.fresh(storesOnSqlite))
