/**
 * Notes the events from before the trigger of the feed. A step of its own, in a transaction of its own: to make a
 * trigger keeps everybody from writing events until its transaction ends, and this reads all of them.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Below every number that the trigger draws, so that these come first, and within what JavaScript counts exactly. */
const below = 1_000_000_000_000

/** Notes what has neither a note nor a place. On SQLite, with its one writer, the step of the feed has done it. */
export const noteEarlierEvents = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { events, feed, feed_arrivals: arrivals } = tables(sql, naming)
  return sql.onDialectOrElse({
    pg: () => sql`insert into ${arrivals} (organization_id, id, invoice_id, sequence)
      select e.organization_id,
        row_number() over (order by e.created_at, e.invoice_id, e.sequence) - ${sql.literal(String(below))},
        e.invoice_id, e.sequence
      from ${events} e
      where not exists (select 1 from ${arrivals} a where a.invoice_id = e.invoice_id and a.sequence = e.sequence)
        and not exists (select 1 from ${feed} f where f.invoice_id = e.invoice_id and f.sequence = e.sequence)`,
    orElse: () => Effect.succeed([])
  })
}
