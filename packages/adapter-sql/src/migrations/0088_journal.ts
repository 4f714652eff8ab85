/** The indexes by which the journal of an organization is read: all of it, of who acted, and of what was done. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { audit } = tables(sql, naming)
  const kept = sql`where organization_id is not null`
  return [
    ["audit_times", sql`${audit} (organization_id, created_at, id) ${kept}`],
    ["audit_actors", sql`${audit} (organization_id, actor_id, created_at, id) ${kept}`],
    ["audit_actions", sql`${audit} (organization_id, action, created_at, id) ${kept}`]
  ] as const
}

/** Builds the indexes while their table is written. */
export const indexJournalAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the indexes. */
export const indexJournal: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.create(sql, naming, name, definition), {
    discard: true
  })
