/** Clients that show which statements a program sends. */
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { Effect, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, Statement } from "effect/sql"

/** A statement as it was sent, and what came back. */
export interface Exchange {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
  readonly rows: Rows
}

type Execute = (sql: string, params: ReadonlyArray<unknown>) => ReturnType<SqlConnection.Connection["execute"]>

type Raw = SqlConnection.Connection["executeRaw"]

/** Whatever the columns are. */
type Rows = Effect.Success<ReturnType<Execute>>

const clientOf = (compiler: Statement.Compiler, execute: Execute, control: Execute, executeRaw: Raw = execute) => {
  const connection: SqlConnection.Connection = {
    execute,
    executeRaw,
    executeValues: execute,
    executeUnprepared: control,
    executeValuesUnprepared: control,
    executeStream: (sql, params) => Stream.fromIterableEffect(execute(sql, params))
  }
  return SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler,
    driver: "recorder",
    spanAttributes: []
  }).pipe(Effect.provide(Reactivity.layer))
}

/** Asks or sets something of the connection, and touches no table. */
const isOfConnection = (sql: string): boolean => /^pragma |sqlite_version\(\)/.test(sql)

/** A client of SQLite in memory that adds to `log` what passes through it to the tables. */
export const recording = (log: Array<Exchange>) =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const sqlite = yield* SqliteClient.make({ filename: ":memory:" }).pipe(Effect.provide(Reactivity.layer))
      const inner = yield* sqlite.reserve
      const execute: Execute = (sql, params) =>
        Effect.tap(inner.execute(sql, params, undefined), (rows) =>
          Effect.sync(() => isOfConnection(sql) || log.push({ sql, params, rows }))
        )
      const control: Execute = (sql, params) => inner.executeUnprepared(sql, params, undefined)
      // Rows that are inserted one by one are one exchange, with the answer of one statement that inserts them all.
      const executeRaw: Raw = (sql, params) =>
        Effect.tap(inner.executeRaw(sql, params), (result) =>
          Effect.sync(() => {
            const last = log.at(-1)
            const rows = (result as { changes: number }).changes > 0 ? [{ id: params[0] }] : []
            if (last?.sql === sql) log.splice(-1, 1, { ...last, rows: [...last.rows, ...rows] })
            else log.push({ sql, params, rows })
          })
        )
      return yield* clientOf(Statement.makeCompilerSqlite(), execute, control, executeRaw)
    })
  )

const postgres = Statement.makeCompiler({
  dialect: "pg",
  placeholder: (position) => `$${position}`,
  onIdentifier: Statement.defaultEscape('"'),
  onRecordUpdate: () => ["", []],
  onCustom: () => ["", []]
})

const onlyPostgres = new RegExp(
  "pg_advisory_xact_lock|^create (or replace )?(view|function|trigger)|^set transaction|^select set_config|" +
    "^lock table|^grant execute|^do \\$|(attempts|deliveries)_(room|forget)|validate constraint|" +
    "^with far as|^select 1 as far|pg_extension|extract\\(epoch|^alter table \\S+ set \\("
)
const onlySqlite =
  /^\s*create trigger|^create index "tolem_deliveries_newest|^drop index if exists "tolem_deliveries_log/

/**
 * A client that speaks PostgreSQL and answers, one after the other, what came back when the same program spoke SQLite.
 * What only PostgreSQL is sent gets no rows. Adds to `log` what it is sent.
 */
export const replaying = (sent: ReadonlyArray<Exchange>, log: Array<Exchange>) => {
  const answers = sent.filter(({ sql }) => !onlySqlite.test(sql))
  let next = 0
  const answerTo = (sql: string): Rows => {
    if (sql.includes("relpartbound")) return [{ low: "2026-12-01Z", high: "2027-02-01Z" }]
    if (onlyPostgres.test(sql)) return []
    // So does one that reads what several selects read there.
    const together = Array.from(
      sql.matchAll(/'\[\]'\)::text from \([\s\S]*?\) as r\) as "(\w+)"/g),
      ([, name]) => name!
    )
    if (together.length > 0) {
      return [Object.fromEntries(together.map((name) => [name, JSON.stringify(answers[next++]?.rows ?? [])]))]
    }
    // So does one that settles what has arrived, of endpoints that nothing failed at: what it asks there for first.
    if (sql.startsWith("with arrived as")) {
      const endpoints = answers[next]?.rows ?? []
      if (endpoints.some((row) => row["failure_count"] !== 0 || row["pause_count"] !== 0)) return []
      const held = answers[next + 1]?.rows ?? []
      next += 4
      return held
    }
    const rows = answers[next++]?.rows ?? []
    // One statement does there what takes three here.
    if (sql.startsWith("with written as")) {
      while (/^\s*insert into "tolem_(events|daily_totals)"/.test(answers[next]?.sql ?? "")) next++
    }
    return rows
  }
  const execute: Execute = (sql, params) =>
    Effect.sync(() => {
      const text = sql.trimStart()
      const rows = answerTo(text)
      log.push({ sql, params, rows })
      return rows
    })
  return Layer.effect(
    SqlClient.SqlClient,
    clientOf(postgres, execute, () => Effect.succeed([]))
  )
}
