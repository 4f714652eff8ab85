/** The index for searches by a part of a text, which needs an extension that not every database has. */
import * as LargeIndex from "@tolem/adapter-sql/base/LargeIndex"
import { qualifiedIndex, type TableNaming, tables } from "@tolem/adapter-sql/base/Tables"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Its name behind the prefix, and that of the one before it, which has no keys. */
const name = "invoices_search_keys"
const earlier = "invoices_search"

/**
 * Makes the index if it is missing and the extension pg_trgm can be had; answers whether there is one. Reads and
 * writes go on meanwhile. Not for use in a transaction, nor by two at once.
 */
export const create = (sql: SqlClient.SqlClient, naming: TableNaming): Effect.Effect<boolean, SqlError.SqlError> =>
  Effect.gen(function* () {
    const opclass = yield* operatorClass(sql)
    if (opclass === undefined) return false
    const { invoices } = tables(sql, naming)
    const keys = qualifiedIndex(sql, naming, "search_keys")
    yield* LargeIndex.build(
      sql,
      naming,
      name,
      sql`${invoices} using gin (${keys}(search_text), search_text ${opclass})`
    )
    yield* sql`drop index concurrently if exists ${qualifiedIndex(sql, naming, earlier)}`
    return true
  })

/** The same as statements, for a database that no server uses yet. */
export const statements = ({ prefix = "tolem_", schema }: TableNaming): ReadonlyArray<string> => {
  const within = schema === undefined ? "" : `"${schema}".`
  const columns = `${within}"${prefix}search_keys"(search_text), search_text gin_trgm_ops`
  return [
    "create extension if not exists pg_trgm",
    `create index "${prefix}${name}" on ${within}"${prefix}invoices" using gin (${columns})`
  ]
}

/** The extension's name for how to index texts, wherever it is installed. Installs it where that is allowed. */
const operatorClass = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const schemaOf = sql<{ readonly schema: string }>`
    select n.nspname::text as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm'`
  const [installed] = yield* schemaOf
  // Not installed on the machine, or not allowed to this user: searches are slower then, and nothing else.
  if (installed === undefined) yield* Effect.ignore(sql`create extension if not exists pg_trgm`)
  const [row] = installed === undefined ? yield* schemaOf : [installed]
  return row === undefined ? undefined : sql(`${row.schema}.gin_trgm_ops`)
})
