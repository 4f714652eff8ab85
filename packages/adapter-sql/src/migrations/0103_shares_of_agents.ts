/** What lets tenants be served in turn whose days are compared, or whose members are written to: indexes. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

// Days and statements are of live organizations, and have no mode.
const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { reconciliations, statement_letters: letters, notice_lines: lines } = tables(sql, naming)
  return [
    ["reconciliations_due_tenant", sql`${reconciliations} (organization_id, due_at) where due_at is not null`],
    ["statement_letters_due_tenant", sql`${letters} (organization_id, due_at) where due_at is not null`],
    ["notice_lines_due_tenant", sql`${lines} (organization_id, mode, due_at) where due_at is not null`]
  ] as const
}

/** Builds the indexes while their tables are written. */
export const indexSharesOfAgentsAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the indexes. */
export const indexSharesOfAgents: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.create(sql, naming, name, definition), {
    discard: true
  })
