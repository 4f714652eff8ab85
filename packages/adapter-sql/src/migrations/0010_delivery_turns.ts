/** Deliveries by the endpoint whose turn it is, and how often each was started without coming to an end. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { index, qualifiedIndex, type TableNaming, tables, view } from "../base/Tables.ts"

/** Adds the column, replaces the index that claims were answered by, and shows the column to people. */
export const addDeliveryTurns = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { deliveries } = tables(sql, naming)
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0)`)
  const steps = [
    sql`alter table ${deliveries} add column starts bigint not null default 0`,
    sql`create index ${index(sql, naming, "deliveries_turn")}
      on ${deliveries} (endpoint_id, due_at) where status = 'pending' and starts = 0`,
    sql`create index ${index(sql, naming, "deliveries_lost")}
      on ${deliveries} (starts, due_at) where status = 'pending' and starts > 0`,
    sql`drop index ${qualifiedIndex(sql, naming, "deliveries_due")}`
  ]
  const deliveriesView = sql`create or replace view ${view(sql, naming, "deliveries")} as select
    id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count,
    ${instant("due_at")} as due_at, ${instant("created_at")} as created_at,
    ${instant("completed_at")} as completed_at, starts
    from ${deliveries}`
  return sql.onDialectOrElse({
    pg: () => Effect.forEach([...steps, deliveriesView], (statement) => statement, { discard: true }),
    orElse: () => Effect.forEach(steps, (statement) => statement, { discard: true })
  })
}
