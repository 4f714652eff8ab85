/** How due rows are leased: in the rows themselves, or, of wide rows with many indexes, in a table beside them. */
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Database } from "./Database.ts"
import { type DueTable, type Only, tupleOf } from "./DueTable.ts"
import type { TableName } from "./Tables.ts"

/** The columns of a row's key, as texts. */
type TextKey = Readonly<Record<string, string>>

/** From when until when. */
export interface Term {
  readonly now: number
  readonly until: number
}

/** The statements. */
export interface DueLeases<Row> {
  /** Of due rows, only those that no agent holds. */
  readonly free: (now: number) => Only
  /** Leases those of the rows whose keys `due` answers that are still free, and answers them. */
  readonly take: (
    due: Statement.Fragment,
    term: Term
  ) => (condition: Statement.Fragment) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>
  /** Moves the ends of leases to another instant, where they still end as `term` has it. */
  readonly extend: (keys: ReadonlyArray<TextKey>, term: Term, until: number) => Statement.Statement<unknown>
  /** Removes leases that count for nothing, now and then. Called before each claim. */
  readonly tidy: Effect.Effect<void>
}

/** Leases that move `due_at` to their end. */
export const inRows = <Row extends object>(
  { sql, dialect }: Database["Service"],
  { table, key }: DueTable
): DueLeases<Row> => {
  const names = Object.keys(key)
  const tuple = (columns: ReadonlyArray<string>) => sql.literal(tupleOf(columns))
  const tupleOfRow = (alias: string) => tuple(names.map((name) => `${alias}.${name}`))
  const source = dialect.source("s", key)
  const take: DueLeases<Row>["take"] = (due, { until }) => {
    return (condition) => sql<Row>`
      with due as (${due})
      update ${table} set due_at = cast(${until} as bigint)
      where ${tuple(names)} in (select ${sql.literal(names.join(", "))} from due) and ${condition}
      returning *`
  }
  return {
    free: () => () => sql.literal(""),
    take,
    extend: (keys, term, until) => sql`
      update ${table} as d set due_at = cast(${until} as bigint) from ${source(keys)}
      where ${tupleOfRow("d")} = ${tupleOfRow("s")} and d.due_at = cast(${term.until} as bigint)`,
    tidy: Effect.void
  }
}

/** After so many claims of rows, at the first of a process too, twice as many leases are removed at most. */
const tidiedAfter = 500

/**
 * Leases in a table of `id`, `due_at` and `until`. One counts until its end, or until the row is due at another instant
 * than it was. The row itself is locked, but not written: of an invoice that would be a new version in each index.
 */
export const beside = <Row extends object>(
  database: Database["Service"],
  { table, key, port }: DueTable,
  leases: TableName
): DueLeases<Row> => {
  const { sql, dialect, tables, statement } = database
  const source = dialect.source("s", key)
  let taken = tidiedAfter

  const insert = ({ now, until }: Term, condition: Statement.Fragment) => sql`
    insert into ${tables[leases]} as l (id, due_at, until)
    select d.id, d.due_at, cast(${until} as bigint) from ${table} d
    where ${dialect.isOneOf("d.id", sql`select id from due`)} and ${condition}
    on conflict (id) do update set due_at = excluded.due_at, until = excluded.until
    where l.due_at <> excluded.due_at or l.until <= cast(${now} as bigint)
    returning id`

  // By no clock, since that of a sandbox may be ahead: a lease counts for nothing once its row is due at another
  // instant, or never. One that has ended otherwise is taken over by the next claim of its row.
  const remove = (condition: Statement.Fragment) => {
    const idle = sql`
      select old.id from ${tables[leases]} old left join ${table} d on d.id = old.id
      where d.due_at is null or d.due_at <> old.due_at
      order by old.until limit ${sql.literal(String(2 * tidiedAfter))} ${dialect.lockFreeRows("old")}`
    return sql`delete from ${tables[leases]} where ${dialect.isOneOf("id", idle)} and ${condition}`
  }

  const taking: DueLeases<Row>["take"] = (due, term) => (condition) => {
    if (dialect.writesInWith) {
      return sql<Row>`
        with due as (${due}), taken as (${insert(term, condition)})
        select d.* from ${table} d where ${dialect.isOneOf("d.id", sql`select id from taken`)}`
    }
    const inserted = sql<{ readonly id: string }>`with due as (${due}) ${insert(term, condition)}`
    return Effect.flatMap(inserted, (rows) =>
      rows.length === 0 ? Effect.succeed([]) : sql<Row>`select d.* from ${source(rows)} join ${table} d on d.id = s.id`
    )
  }

  return {
    free: (now) => unleased(database, leases, now),
    take: (due, term) => (condition) =>
      Effect.map(taking(due, term)(condition), (rows) => {
        taken += rows.length
        return rows
      }),
    extend: (keys, term, until) => sql`
      update ${tables[leases]} as l set until = cast(${until} as bigint)
      from ${source(keys)}
      where l.id = s.id and l.until = cast(${term.until} as bigint)`,
    tidy: Effect.suspend(() => {
      if (taken < tidiedAfter) return Effect.void
      taken = 0
      const removed = statement(`${port}.tidy`, dialect.unflushed(remove), { writes: true })
      return Effect.catchCause(Effect.asVoid(removed), (cause) => Effect.logWarning("Leases were not removed", cause))
    })
  }
}

/** Of due rows, those that have no lease in this table. */
export const unleased =
  ({ sql, tables }: Database["Service"], leases: TableName, now: number): Only =>
  (alias) => {
    const d = sql.literal(alias)
    return sql` and not exists (
      select 1 from ${tables[leases]} l
      where l.id = ${d}.id and l.due_at = ${d}.due_at and l.until > cast(${now} as bigint)
    )`
  }
