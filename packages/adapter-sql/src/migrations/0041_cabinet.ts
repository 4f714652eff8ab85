/** Who has made a key, and the indexes that the cabinet's lists and sums are read from. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, qualifiedIndex, tables } from "../base/Tables.ts"

/**
 * Adds the column and the indexes. That of invoices holds all that is filtered and summed, so that their rows are not
 * read for it; it takes the place of the one of the newest, with whose columns it begins.
 */
export const addCabinetIndexes: Step = (sql, { text }, naming) => {
  const names = tables(sql, naming)
  const statements = [
    sql`alter table ${names.api_keys} add column made_by ${text}`,
    sql`create index ${index(sql, naming, "invoices_sums")} on ${names.invoices}
      (organization_id, mode, created_at, id, status, kind, connection_id, origin, amount, refunded)`,
    sql`drop index ${qualifiedIndex(sql, naming, "invoices_newest")}`,
    // That of sandboxes is there.
    sql`create index ${index(sql, naming, "deliveries_live")} on ${names.deliveries} (invoice_id) where mode = 'live'`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
