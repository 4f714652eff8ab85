/** The indexes by which the payments and refunds of a time are read in order. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

// Conditions and their words as in `OwnOperations`: databases take an index for the same ones only.
const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { invoices, refunds } = tables(sql, naming)
  return [
    [
      "invoices_paid",
      sql`${invoices} (organization_id, connection_id, paid_at, id) where mode = 'live' and paid_at is not null`
    ],
    ["refunds_made", sql`${refunds} (organization_id, completed_at, id) where status = 'succeeded'`]
  ] as const
}

/** Builds the indexes while their tables are written. */
export const indexMovementsAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the indexes. */
export const indexMovements: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.create(sql, naming, name, definition), {
    discard: true
  })
