/** The migrations as a script, for teams whose schemas are changed by a tool of their own. */
import { Effect, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, Statement } from "effect/sql"
import { migrateAtOnce } from "./Migrations.ts"
import type { TableNaming } from "./Tables.ts"

/** Which steps, and for which tables. */
export interface ScriptOptions extends TableNaming {
  /** The newest step that the database has, for the script of a later version. Default: none. */
  readonly after?: number | undefined
}

/** Which databases there are scripts for. */
export type ScriptDialect = "pg" | "sqlite"

/** The statements that `migrate` would run. They leave a record of themselves, so that servers know the schema. */
export const statementsOf = (
  dialect: ScriptDialect,
  { after = 0, ...naming }: ScriptOptions
): ReadonlyArray<string> => {
  const written: Array<string> = []
  // To a select it answers what makes the migrator begin behind the step.
  const execute: SqlConnection.Connection["execute"] = (sql, params) =>
    Effect.sync(() => {
      if (/^\s*select/i.test(sql)) return after === 0 ? [] : [{ migration_id: after, name: "", created_at: "" }]
      if (!/^lock table/i.test(sql)) written.push(withValues(dedented(sql), params))
      return []
    })
  const ignored = () => Effect.succeed([])
  const connection: SqlConnection.Connection = {
    execute,
    executeRaw: execute as SqlConnection.Connection["executeRaw"],
    executeValues: ignored,
    executeUnprepared: ignored,
    executeValuesUnprepared: ignored,
    executeStream: () => Stream.empty
  }
  const client = SqlClient.make({
    acquirer: Effect.succeed(connection),
    compiler: compilers[dialect],
    driver: "script",
    spanAttributes: []
  })
  const run = Effect.flatMap(client, (sql) => Effect.provideService(migrateAtOnce(naming), SqlClient.SqlClient, sql))
  Effect.runSync(Effect.provide(run, Reactivity.layer))
  return written
}

/** Statements as one text. */
export const scriptOf = (statements: ReadonlyArray<string>): string =>
  statements.map((statement) => `${statement};\n`).join("\n")

const compilers: Readonly<Record<ScriptDialect, Statement.Compiler>> = {
  pg: Statement.makeCompiler({
    dialect: "pg",
    placeholder: (position) => `$${position}`,
    onIdentifier: Statement.defaultEscape('"'),
    onRecordUpdate: () => ["", []],
    onCustom: () => ["", []]
  }),
  sqlite: Statement.makeCompilerSqlite()
}

const dedented = (sql: string): string => {
  const [first = "", ...others] = sql.trim().split("\n")
  const indents = others.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length)
  const indent = Math.max(0, Math.min(...indents) - 2)
  return [first, ...others.map((line) => line.slice(indent))].join("\n")
}

// The parameters of migrations are numbers and names of our own.
const withValues = (sql: string, params: ReadonlyArray<unknown>): string => {
  if (params.length === 0) return sql
  let next = 0
  return sql.replaceAll(/\$\d+|\?/g, () => {
    const value = params[next++]
    return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value)
  })
}
