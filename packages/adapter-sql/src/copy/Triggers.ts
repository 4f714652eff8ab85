/**
 * Triggers of the target, which would note events that the source has noted. They are away as long as rows are copied.
 * Differs by necessity: PostgreSQL can disable a trigger, SQLite can only drop it and make it again.
 */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { names, tableName, tables } from "../base/Tables.ts"
import * as Ledger from "./Ledger.ts"
import type { Side } from "./Sides.ts"

/** Takes them away and notes how they are brought back; for use in the transaction that makes the ledger. */
export const takeAway = Effect.fnUntraced(function* (side: Side) {
  for (const { name, away, back } of yield* found(side)) {
    yield* Ledger.noteTrigger(side, name, back)
    yield* side.sql.unsafe(away)
  }
})

/** Brings them back; for use in a transaction. */
export const bringBack = Effect.fnUntraced(function* (side: Side, { triggers }: Pick<Ledger.Ledger, "triggers">) {
  for (const statement of triggers.values()) yield* side.sql.unsafe(statement)
  yield* Ledger.forgetTriggers(side)
})

interface Trigger {
  readonly name: string
  readonly away: string
  readonly back: string
}

const found = (side: Side): Effect.Effect<ReadonlyArray<Trigger>, SqlError.SqlError> => {
  const { sql, naming } = side
  const own = tables(sql, naming)
  return sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        Effect.forEach(names, (table) => {
          const [quoted] = sql`${own[table]}`.compile(true)
          return Effect.map(
            sql<{ readonly name: string }>`select quote_ident(tgname) as name from pg_trigger
              where tgrelid = to_regclass(${quoted}) and not tgisinternal and tgenabled <> 'D' order by tgname`,
            (rows) =>
              rows.map(({ name }) => ({
                name: `${table} ${name}`,
                away: `alter table ${quoted} disable trigger ${name}`,
                back: `alter table ${quoted} enable trigger ${name}`
              }))
          )
        }),
        (all) => all.flat()
      ),
    orElse: () =>
      Effect.map(
        sql<{ readonly name: string; readonly table: string; readonly text: string }>`
          select name, tbl_name as "table", sql as text from sqlite_schema where type = 'trigger' order by name`,
        (rows) =>
          rows
            .filter(({ table }) => names.some((name) => tableName(naming, name) === table))
            .map(({ name, text }) => ({ name, away: sql`drop trigger ${sql(name)}`.compile()[0], back: text }))
      )
  })
}
