/** What every store of this package works with: the client, its dialect, the names of the tables. */
import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type Dialect, make as makeDialect } from "./Dialect.ts"
import { type Naming, type Tables, tables } from "./Tables.ts"

/** See the file's head. */
export class Database extends Context.Service<
  Database,
  {
    readonly sql: SqlClient.SqlClient
    readonly dialect: Dialect
    readonly tables: Tables
  }
>()("@tolem/adapter-sql/Database") {
  /** The database behind the client. Fails where it cannot be asked for its version. */
  static readonly layer = (naming: Naming = {}): Layer.Layer<Database, SqlError.SqlError, SqlClient.SqlClient> =>
    Layer.effect(
      Database,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        return { sql, dialect: yield* makeDialect(sql), tables: tables(sql, naming) }
      })
    )
}
