/** Indexes of tables that may be large by the time that a step adds them. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { index, qualifiedIndex, type TableNaming } from "./Tables.ts"

/**
 * Builds the index `name` if it is missing, while reads and writes go on. `definition` is what stands behind `on`: the
 * table and what of it. On PostgreSQL only: what is built elsewhere is built by the step. Not for use in a
 * transaction, nor by two at once.
 */
export const build = (
  sql: SqlClient.SqlClient,
  naming: TableNaming,
  name: string,
  definition: Statement.Fragment
): Effect.Effect<void, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        const qualified = qualifiedIndex(sql, naming, name)
        const [text] = sql`${qualified}`.compile(true)
        const [found] = yield* sql<{ readonly valid: boolean }>`
          select indisvalid as valid from pg_index where indexrelid = to_regclass(${text})`
        if (found?.valid === true) return
        // What an interrupted attempt has left is kept up to date by every write and answers no query.
        if (found !== undefined) yield* sql`drop index concurrently ${qualified}`
        yield* sql`create index concurrently ${index(sql, naming, name)} on ${definition}`
      }),
    orElse: () => Effect.void
  })

/** The same in a step: it is there already if it was built before. */
export const create = (
  sql: SqlClient.SqlClient,
  naming: TableNaming,
  name: string,
  definition: Statement.Fragment
): Statement.Statement<unknown> => sql`create index if not exists ${index(sql, naming, name)} on ${definition}`
