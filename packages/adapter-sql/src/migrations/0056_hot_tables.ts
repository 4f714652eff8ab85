/** How PostgreSQL looks after tables that change all the time, so that what is dead is removed while it is little. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { type TableNaming, tables } from "../base/Tables.ts"

/**
 * Many rows that are changed again and again in columns of which no index knows: with room in their pages the new
 * version stays there, needs no entry in an index, and the next reader of the page removes the old one. Counters that
 * are few find that room without it, and are vacuumed soonest by the usual shares.
 */
const counters = ["rate_windows"]

/** Rows that are changed a few times in columns of indexes, then never again: a fifth of a large table is too much. */
const settled = ["invoices", "deliveries", "mails", "subscription_runs", "sessions"]

/** Rows that are only added and removed. */
const added = ["events", "attempts", "feed", "feed_arrivals", "reactions", "audit", "chain_links"]

// The usual shares of rows are for tables that stay small: of ten million deliveries two million would be dead first.
const vacuumed =
  "autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, " +
  "autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000"
const inserted = "autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 10000"

const options: ReadonlyArray<readonly [tables: ReadonlyArray<string>, options: string]> = [
  [counters, "fillfactor = 70"],
  [settled, `${vacuumed}, ${inserted}`],
  [added, `${vacuumed}, ${inserted}`]
]

/** Sets the options. Others read and write meanwhile; what is there already stays as full as it is. */
export const tendHotTables = (sql: SqlClient.SqlClient, naming: TableNaming): Effect.Effect<void, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () => {
      const all: Readonly<Record<string, Statement.Identifier>> = tables(sql, naming)
      const statements = options.flatMap(([names, text]) =>
        names.map((name) => sql`alter table ${all[name]!} set (${sql.literal(text)})`)
      )
      return Effect.forEach(statements, (statement) => statement, { discard: true })
    },
    orElse: () => Effect.void
  })
