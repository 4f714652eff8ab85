/** What members are given, and until when a session's last code is fresh. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Adds the columns. There are no views of these tables. */
export const addMemberTerms = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> => {
  const names = tables(sql, naming)
  return Effect.gen(function* () {
    yield* sql`alter table ${names.memberships} add column connection_ids ${text}`
    yield* sql`alter table ${names.memberships} add column refund_limit bigint`
    yield* sql`alter table ${names.sessions} add column fresh_until bigint`
  })
}
