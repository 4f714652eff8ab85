/** To how many endpoints an event was announced, so that a delivery that has gone can be seen. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type TableNaming, tables, view } from "../base/Tables.ts"

/** Adds the column; what was written before has none. */
export const addAnnouncements = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { events } = tables(sql, naming)
  const people = sql.onDialectOrElse({
    pg: () => [
      sql`create or replace view ${view(sql, naming, "events")} as select
        id, invoice_id, sequence, organization_id, type, from_status, to_status, source,
        round(refunded / 100.0, 2) as refunded, late = 1 as late, to_timestamp(created_at / 1000.0) as created_at,
        announced
        from ${events}`
    ],
    orElse: () => []
  })
  const statements = [sql`alter table ${events} add column announced bigint`, ...people]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
