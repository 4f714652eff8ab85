/** E-mail addresses of accounts. */
import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Adds the column. There is no view of the table. */
export const addAccountEmails = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<unknown, SqlError.SqlError> =>
  sql`alter table ${tables(sql, naming).accounts} add column email ${text}`
