/** Makes the schema, one migrator at a time. */
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import type { TableNaming } from "@tolem/adapter-sql/base/Tables"
import { Duration, Effect, Schedule } from "effect"
import { type Migrator, SqlClient, type SqlError } from "effect/sql"
import * as SearchIndex from "./SearchIndex.ts"

/** What a migration has done. */
export interface MigrationReport {
  /** The steps that were missing. */
  readonly steps: ReadonlyArray<Migrations.MigrationStep>
  /** Whether searches have an index. Without the extension pg_trgm they read the organization's invoices instead. */
  readonly searchIndex: boolean
}

/** Brings the schema up to date on the client. A second caller waits, and finds nothing to do. */
export const migrate = (
  naming: TableNaming
): Effect.Effect<MigrationReport, SqlError.SqlError | Migrator.MigrationError, SqlClient.SqlClient> =>
  alone(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      if (naming.schema !== undefined) yield* createSchema(sql, naming.schema)
      const steps = yield* Migrations.migrate(naming)
      return { steps, searchIndex: yield* SearchIndex.create(sql, naming) }
    })
  )

// `if not exists` wants the right to make one even if there is one.
const createSchema = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, schema: string) {
  const found = yield* sql`select 1 as found from pg_namespace where nspname = ${schema}`
  if (found.length === 0) yield* sql`create schema ${sql(schema)}`
})

const lock = "hashtextextended('tolem migrate', 0)"
const askAgainMs = 200

// Asked for again and again: who waits inside of a statement would be waited for by the building of an index.
const alone = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const connection = yield* sql.reserve
      const ask = (statement: string) => connection.executeValuesUnprepared(statement, [])
      const take = Effect.map(ask(`select pg_try_advisory_lock(${lock})`), ([row]) => row?.[0] === true)
      yield* Effect.repeat(take, { until: (taken) => taken, schedule: Schedule.spaced(Duration.millis(askAgainMs)) })
      return yield* Effect.ensuring(self, Effect.ignore(ask(`select pg_advisory_unlock(${lock})`)))
    })
  )
