/** What a numbered step of the schema is. */
import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "./Dialect.ts"
import type { TableNaming } from "./Tables.ts"

/** Makes a part of the schema, for tables that are named so. */
export type Step = (
  sql: SqlClient.SqlClient,
  dialect: Dialect,
  naming: TableNaming
) => Effect.Effect<unknown, SqlError.SqlError>
