/** The indexes of what needs attention: each holds nothing but such rows. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { invoices, refunds, deliveries, subscriptions } = tables(sql, naming)
  return [
    ["invoices_late", sql`${invoices} (organization_id, mode, paid_at, id) where late = 1`],
    ["refunds_unknown", sql`${refunds} (organization_id, created_at, id) where status = 'unknown'`],
    ["deliveries_failed", sql`${deliveries} (organization_id, mode, completed_at, id) where status = 'failed'`],
    [
      "subscriptions_stuck",
      sql`${subscriptions} (organization_id, mode, next_run_at, id) where status = 'active' and faults > 0`
    ]
  ] as const
}

/** Builds the indexes while their tables are written. */
export const indexAttentionAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the indexes. */
export const indexAttention: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.create(sql, naming, name, definition), {
    discard: true
  })
