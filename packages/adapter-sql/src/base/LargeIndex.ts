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

/**
 * Builds an index of a part of a table if the part has none that is valid, while it is written: an index of the whole
 * takes it in then. Those that are not valid go, as it could take in one of them. `definition` is what stands behind
 * the part. Its name is PostgreSQL's. A part that has gone meanwhile needs none.
 */
export const buildOfPart = (
  sql: SqlClient.SqlClient,
  part: string,
  definition: string
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const plain = (text: string) => text.replaceAll(/[()]|::text/g, "").toLowerCase()
    const all = yield* sql<{ readonly name: string; readonly text: string; readonly valid: boolean }>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text, indisvalid as valid
      from pg_index where indrelid = to_regclass(${part})`
    if (all.length === 0) return // One that is there has a key.
    const alike = all.filter(({ text }) => plain(text).endsWith(` using btree ${plain(definition)}`))
    for (const { name, valid } of alike) if (!valid) yield* sql`drop index concurrently ${sql.literal(name)}`
    if (alike.some(({ valid }) => valid)) return
    yield* sql`create index concurrently on ${sql.literal(`${part} ${definition}`)}`
  })

/** The same in a step: it is there already if it was built before. */
export const create = (
  sql: SqlClient.SqlClient,
  naming: TableNaming,
  name: string,
  definition: Statement.Fragment
): Statement.Statement<unknown> => sql`create index if not exists ${index(sql, naming, name)} on ${definition}`
