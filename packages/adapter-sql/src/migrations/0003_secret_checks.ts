/** Where a database keeps the text that tells whether a server has its keys. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Creates the table. */
export const createSecretChecks = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`create table ${tables(sql, naming).secret_checks} (
    id ${text} not null primary key,
    sealed ${text} not null
  )`)
