/** What is removed by its age: until when things may have gone, and the indexes by which old rows are found. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { attempts, mails } = tables(sql, naming)
  return [
    ["attempts_age", sql`${attempts} (started_at)`],
    ["mails_ended", sql`${mails} (completed_at) where completed_at is not null`]
  ] as const
}

/** Builds the indexes while their tables are written. */
export const indexAgesAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the table and the indexes. */
export const createRemovals: Step = (sql, { text }, naming) =>
  Effect.gen(function* () {
    yield* sql`create table ${tables(sql, naming).removals} (
      kind ${text} not null primary key,
      ended_before bigint not null
    )`
    for (const [name, definition] of indexes(sql, naming)) yield* LargeIndex.create(sql, naming, name, definition)
  })
