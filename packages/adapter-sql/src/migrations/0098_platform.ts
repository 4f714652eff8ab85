/** The rows that servers keep of themselves, and the indexes of what needs a person, over all organizations. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { qualifiedIndex, type TableNaming, tables } from "../base/Tables.ts"

// Each holds nothing but such rows. None is of a column that changes often: of an endpoint's or a cashier's row other
// columns are written over and over.
const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { refunds, work_items: items, connections, subscriptions, endpoints, deliveries, mails } = tables(sql, naming)
  return [
    ["refunds_unknown_oldest", sql`${refunds} (created_at, id) where status = 'unknown'`],
    ["work_items_oldest", sql`${items} (found_at, id) where status = 'open'`],
    ["connections_expired", sql`${connections} (created_at, id) where status = 'expired'`],
    [
      "subscriptions_stuck_oldest",
      sql`${subscriptions} (next_run_at, id) where status = 'active' and faults > 0 and mode = 'live'`
    ],
    ["endpoints_paused", sql`${endpoints} (paused_until, id) where paused_until is not null and mode = 'live'`],
    ["deliveries_failed_oldest", sql`${deliveries} (completed_at, id) where status = 'failed' and mode = 'live'`],
    ["mails_failed", sql`${mails} (completed_at, id) where status = 'failed' and mode = 'live'`]
  ] as const
}

/** Builds the indexes while their tables are written. */
export const indexWorkAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the table and the indexes. Of open work items one index takes the place of another. */
export const createPlatform: Step = (sql, { text }, naming) => {
  const { servers } = tables(sql, naming)
  const statements = [
    sql`create table ${servers} (
      id ${text} not null primary key,
      version ${text},
      started_at bigint not null,
      seen_at bigint not null,
      ended_at bigint,
      agents ${text} not null
    )`,
    ...sql.onDialectOrElse({
      pg: () => [sql`alter table ${servers} set (fillfactor = 50)`],
      orElse: () => []
    }),
    ...indexes(sql, naming).map(([name, definition]) => LargeIndex.create(sql, naming, name, definition)),
    sql`drop index ${qualifiedIndex(sql, naming, "work_items_open")}`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
