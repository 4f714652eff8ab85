/** The provider's own references of refunds, by which those made outside of us are told from ours. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Adds the column. */
export const addRefundReferences = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`alter table ${tables(sql, naming).refunds} add column provider_reference ${text}`)
