/** Which sites a form hook takes forms of, the field that catches programs, and how many it has caught. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { type TableNaming, tables, view } from "../base/Tables.ts"

/** Adds the columns; the view shows them at its end. */
export const guardFormHooks = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> => {
  const { form_hooks } = tables(sql, naming)
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0) as ${column}`)
  const statements = [
    sql`alter table ${form_hooks} add column allowed_origins ${text}`,
    sql`alter table ${form_hooks} add column honeypot ${text}`,
    sql`alter table ${form_hooks} add column caught bigint`
  ]
  const people = sql.onDialectOrElse({
    pg: () => [
      sql`create or replace view ${view(sql, naming, "form_hooks")} as select
        id, organization_id, mode, connection_id, name, success_url, fail_url, status,
        ${instant("created_at")}, ${instant("updated_at")}, ${instant("removed_at")},
        allowed_origins, honeypot, coalesce(caught, 0) as caught
        from ${form_hooks}`
    ],
    orElse: () => []
  })
  return Effect.forEach([...statements, ...people], (statement) => statement, { discard: true })
}
