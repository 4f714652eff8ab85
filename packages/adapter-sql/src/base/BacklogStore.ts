/** The core's `BacklogStore` in SQL: a step through the index of each table that agents take rows from. */
import { type Backlog, type BacklogKind, BacklogStore } from "@tolem/core/measure/BacklogStore"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "./Database.ts"
import { unleased } from "./DueLeases.ts"
import type { TableName } from "./Tables.ts"

/** The store over the database. */
export const layer: Layer.Layer<BacklogStore, never, Database> = Layer.effect(
  BacklogStore,
  Effect.map(Database, (database) => make(database))
)

interface Row {
  readonly kind: BacklogKind
  readonly count: number
  readonly oldest_at: number | null
}

const make = (database: Database["Service"]): BacklogStore["Service"] => {
  const { sql, tables, statement } = database
  /** Rows whose column is reached, by an index whose condition is `only`. */
  const counted = (
    kind: BacklogKind,
    { table, column, only = `${column} is not null`, leases }: Waiting,
    now: number,
    maxCounted: number
  ): Statement.Fragment => sql`
    select ${sql.literal(`'${kind}'`)} as kind, count(*) as count, min(w.at) as oldest_at from (
      select ${sql.literal(column)} as at from ${table} d
      where ${sql.literal(only)} and ${sql.literal(column)} <= cast(${now} as bigint)${free(leases, now)}
      order by ${sql.literal(column)} limit cast(${maxCounted} as bigint)
    ) as w`

  const free = (leases: TableName | undefined, now: number) =>
    leases === undefined ? sql.literal("") : unleased(database, leases, now)("d")

  const kinds: Readonly<Record<BacklogKind, Waiting>> = {
    invoices: { table: tables.invoices, column: "due_at", leases: "invoice_leases" },
    letters: { table: tables.mails, column: "due_at" },
    subscriptions: { table: tables.subscriptions, column: "due_at" },
    subscription_runs: { table: tables.subscription_runs, column: "due_at" },
    reconciliations: { table: tables.reconciliations, column: "due_at" },
    work_items: { table: tables.work_items, column: "found_at", only: "status = 'open'" }
  }

  const waiting: BacklogStore["Service"]["waiting"] = (now, maxCounted) => {
    const parts = Object.entries(kinds).map(([kind, from]) => counted(kind as BacklogKind, from, now, maxCounted))
    const select = sql<Row>`${parts.reduce((before, part) => sql`${before} union all ${part}`)}`
    return Effect.map(statement("BacklogStore.waiting", select, { writes: false }), (rows) =>
      rows.map(({ kind, count, oldest_at }): Backlog => ({ kind, count, oldestAt: oldest_at }))
    )
  }

  const bytes = sql.onDialectOrElse({
    pg: () => sql<{ readonly bytes: number }>`select pg_database_size(current_database()) as bytes`,
    orElse: () => sql<{ readonly bytes: number }>`
      select p.page_count * s.page_size as bytes from pragma_page_count() as p, pragma_page_size() as s`
  })

  return {
    waiting,
    size: Effect.map(statement("BacklogStore.size", bytes, { writes: false }), ([row]) => row?.bytes ?? 0)
  }
}

interface Waiting {
  readonly table: Statement.Identifier
  readonly column: string
  readonly only?: string
  /** Where agents keep what they have taken; default in the column. */
  readonly leases?: TableName
}
