/** The indexes that the cabinet's lists and sums are read from. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { qualifiedIndex, type TableNaming, tables } from "../base/Tables.ts"

const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { invoices, deliveries } = tables(sql, naming)
  return [
    // It holds all that is filtered and summed, so that the rows of invoices are not read for it.
    [
      "invoices_sums",
      sql`${invoices}
      (organization_id, mode, created_at, id, status, kind, connection_id, origin, amount, refunded)`
    ],
    // That of sandboxes is there.
    ["deliveries_live", sql`${deliveries} (invoice_id) where mode = 'live'`]
  ] as const
}

/** Builds the indexes while invoices are written. */
export const indexCabinetAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the indexes. */
export const indexCabinet: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.create(sql, naming, name, definition), {
    discard: true
  })

/**
 * Drops the index of the newest, as that of sums begins with its columns. A step of its own: it waits for all who use
 * invoices, and they wait for it.
 */
export const dropNewest: Step = (sql, _, naming) => sql`drop index ${qualifiedIndex(sql, naming, "invoices_newest")}`
