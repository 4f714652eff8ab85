/** What lets tenants be served in turn, and what a sandbox has forgotten be removed: indexes, no new data. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { index, type TableNaming, tables } from "../base/Tables.ts"

/** Adds the indexes. */
export const indexShares = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const names = tables(sql, naming)
  const due = (["invoices", "subscriptions", "subscription_runs", "mails"] as const).map(
    (table) => sql`create index ${index(sql, naming, `${table}_due_tenant`)}
      on ${names[table]} (organization_id, mode, due_at) where due_at is not null`
  )
  // Only of sandboxes, where invoices are removed with all that belongs to them.
  const removed = sql`create index ${index(sql, naming, "deliveries_sandbox")}
    on ${names.deliveries} (invoice_id) where mode = 'sandbox'`
  return Effect.forEach([...due, removed], (statement) => statement, { discard: true })
}
