/** Damages that are planted into one column each, and what is to be said of them. */
import { Integrity } from "@tolem/core/engine/Integrity"
import { Data, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** `set column = value where …`, and the rule that finds it. */
export type Damage = readonly [value: string, where: string, rule: string]

/** By table and column: damages, or why no stored data can show any. */
export type Damages = Readonly<Record<string, Readonly<Record<string, ReadonlyArray<Damage> | string>>>>

/** Undoes what was planted. */
class Planted extends Data.TaggedError("Planted")<{ readonly broken: ReadonlyArray<string> }> {}

/**
 * The rules that are broken when `statements` have run, each told of with its subjects. Nothing is left behind. Where
 * `isGuarded`, references and triggers stay as they are.
 */
export const brokenBy = Effect.fnUntraced(function* (statements: ReadonlyArray<string>, isGuarded = false) {
  const sql = yield* SqlClient.SqlClient
  const integrity = yield* Integrity
  const planted = Effect.gen(function* () {
    const restore = isGuarded ? [] : yield* unguarded
    for (const statement of statements) yield* sql.unsafe(statement)
    for (const statement of restore) yield* sql.unsafe(statement)
    const findings = yield* integrity.findings
    return yield* new Planted({ broken: findings.map(({ rule, subject, detail }) => `${rule} ${subject}: ${detail}`) })
  })
  const undone = yield* Effect.flip(sql.withTransaction(planted))
  return undone._tag === "Planted" ? undone.broken : yield* Effect.die(undone)
})

/** Lets the transaction break references and change the audit log. Answers what closes it again. */
const unguarded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.onDialectOrElse({
    pg: () => Effect.as(sql`set local session_replication_role = replica`, [] as ReadonlyArray<string>),
    orElse: () =>
      Effect.gen(function* () {
        yield* sql`pragma defer_foreign_keys = on`
        const triggers = yield* sql<{ readonly name: string; readonly sql: string }>`
          select name, sql from sqlite_master where type = 'trigger'`
        for (const { name } of triggers) yield* sql`drop trigger ${sql(name)}`
        return triggers.map((trigger) => trigger.sql)
      })
  })
})

/** The columns of every table of ours, as `table.column`. */
export const columns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.onDialectOrElse({
    pg: () => sql<{ readonly name: string }>`
      select c.table_name || '.' || c.column_name as name from information_schema.columns c
      join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'`,
    orElse: () => sql<{ readonly name: string }>`
      select t.name || '.' || c.name as name from sqlite_master t join pragma_table_info(t.name) c
      where t.type = 'table' and t.name not like 'sqlite_%'`
  })
  return rows.map(({ name }) => name.replace(/^tolem_/, "")).filter((name) => !name.startsWith("migrations."))
})
