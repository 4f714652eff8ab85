/** What every store of this package works with: the client, its dialect, the names of the tables. */
import type { StorageError } from "@tolem/core/error/StorageError"
import type { RowSealer } from "@tolem/core/secret/RowSeals"
import { SecretBox } from "@tolem/core/secret/SecretBox"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { type Dialect, makeDialect, type RowsOf, type Selects } from "./Dialect.ts"
import { type Failures, makeFailures } from "./Failures.ts"
import { LongReads } from "./LongReads.ts"
import { type TableNaming, type Tables, tables } from "./Tables.ts"

/** Settings of the database. */
export interface DatabaseOptions extends TableNaming {
  /** After which time an answer that has not come is given up for lost. Default: never. */
  readonly deadlineMs?: number | undefined
  /** Only transactions have a limit for how long they wait for locks of others. Default: all statements have. */
  readonly boundedInTransactions?: boolean | undefined
}

/** The connection, the dialect and the tables that every store works with. */
export class Database extends Context.Service<
  Database,
  Failures & {
    readonly sql: SqlClient.SqlClient
    readonly dialect: Dialect
    readonly tables: Tables
    /** What names are made of that are no table's of every database. */
    readonly naming: TableNaming
    /** Whether a statement that may have to wait for others' locks needs a transaction, or it would wait for ever. */
    readonly boundedInTransactions: boolean
    /** Seals rows. */
    readonly sealer: RowSealer
    /**
     * The rows of several selects, as they were at one moment. Whatever is shown together is read with this, or with
     * one statement: a change that is written in between would show in one half only.
     */
    readonly snapshot: <S extends Selects>(operation: string, selects: S) => Effect.Effect<RowsOf<S>, StorageError>
    /** What `decode` makes of the first row of a select. */
    readonly one: <R, A>(
      operation: string,
      select: Effect.Effect<ReadonlyArray<R>, SqlError.SqlError>,
      decode: (row: R) => A
    ) => Effect.Effect<Option.Option<A>, StorageError>
    /** What `decode` makes of each row of a select. */
    readonly all: <R, A>(
      operation: string,
      select: Effect.Effect<ReadonlyArray<R>, SqlError.SqlError>,
      decode: (row: R) => A
    ) => Effect.Effect<ReadonlyArray<A>, StorageError>
    /** One select that may read very many rows of a tenant, whose name is `line`. */
    readonly longRead: <A extends object>(
      operation: string,
      line: string,
      select: Statement.Statement<A>
    ) => Effect.Effect<ReadonlyArray<A>, StorageError>
  }
>()("@tolem/adapter-sql/Database") {
  /** The database behind the client. Fails if it cannot be asked for its version. */
  static readonly layer = (
    options: DatabaseOptions = {}
  ): Layer.Layer<Database, SqlError.SqlError, SqlClient.SqlClient | SecretBox> =>
    Layer.effect(
      Database,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const failures = makeFailures(sql, options.deadlineMs)
        const dialect = yield* makeDialect(sql, options)
        const snapshot = <S extends Selects>(operation: string, selects: S) =>
          failures.statement(operation, dialect.together(selects), { writes: false })
        const read = <R>(operation: string, select: Effect.Effect<ReadonlyArray<R>, SqlError.SqlError>) =>
          failures.statement(operation, select, { writes: false })
        const one: Database["Service"]["one"] = (operation, select, decode) =>
          Effect.map(read(operation, select), ([row]) => Option.map(Option.fromUndefinedOr(row), decode))
        const all: Database["Service"]["all"] = (operation, select, decode) =>
          Effect.map(read(operation, select), (rows) => rows.map(decode))
        const longReads = yield* LongReads
        const longRead = <A extends object>(operation: string, line: string, select: Statement.Statement<A>) =>
          failures.statement(operation, longReads(line, select), { writes: false })
        const sealer = (yield* SecretBox).rows
        const { boundedInTransactions = false } = options
        const reads = { snapshot, one, all, longRead }
        return {
          sql,
          dialect,
          tables: tables(sql, options),
          naming: options,
          sealer,
          boundedInTransactions,
          ...reads,
          ...failures
        }
      })
    )
}
