/**
 * One index for the log of deliveries, in place of two that had each delivery's long identifier: every delivery is
 * written three times. The few that have failed have one of their own, as those that are on their way have already.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { lockTable } from "../base/TableLock.ts"
import { index, qualifiedIndex, type TableNaming, tables, view } from "../base/Tables.ts"

const added = [
  ["deliveries_newest", "(endpoint_id, created_at, status)"],
  ["deliveries_newest_failed", "(endpoint_id, created_at) where status = 'failed'"]
] as const

const dropped = ["deliveries_log", "deliveries_log_status"]

/** Builds what each month lacks of the indexes, while it is written. The step finds them there. */
export const indexDeliveryLogAhead: Step = (sql, _, naming) =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.gen(function* () {
        const [whole] = sql`${tables(sql, naming).deliveries}`.compile(true)
        const parts = yield* sql<{ readonly part: string }>`
          select inhrelid::regclass::text as part from pg_inherits where inhparent = to_regclass(${whole})
          order by part`
        for (const { part } of parts) {
          for (const [, definition] of added) yield* LargeIndex.buildOfPart(sql, part, definition)
        }
      }),
    orElse: () => Effect.void
  })

/** Adds the indexes, and drops those of before. */
export const indexDeliveryLog: Step = (sql, _, naming) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`${sql.literal(changed(sql, naming))}`),
    orElse: () => Effect.forEach(changes(sql, naming), (change) => sql`${sql.literal(change)}`, { discard: true })
  })

const textOf = (sql: SqlClient.SqlClient, name: ReturnType<typeof index>) => sql`${name}`.compile(true)[0]

const changes = (sql: SqlClient.SqlClient, naming: TableNaming): ReadonlyArray<string> => {
  const table = textOf(sql, tables(sql, naming).deliveries)
  return [
    ...added.map(([name, what]) => `create index ${textOf(sql, index(sql, naming, name))} on ${table} ${what}`),
    ...dropped.map((name) => `drop index if exists ${textOf(sql, qualifiedIndex(sql, naming, name))}`)
  ]
}

const changed = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const lock = lockTable(textOf(sql, tables(sql, naming).deliveries), textOf(sql, view(sql, naming, "deliveries")))
  return `do $do$
  declare
    usual constant text := current_setting('lock_timeout');
  begin${lock}
    ${changes(sql, naming).join(";\n    ")};
  end $do$`
}
