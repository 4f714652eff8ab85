/** How far a copy has come: rows of the table that marks its target. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { copyTable, type TableName } from "../base/Tables.ts"
import type { Key } from "./Pages.ts"
import { type CopyRefused, refused, type Side } from "./Sides.ts"

/** How far a table has come. */
export interface TableProgress {
  /** The last row that was copied; null: none. */
  readonly after: Key | null
  readonly rows: number
  readonly done: boolean
}

/** Nothing is copied. */
export const begun: TableProgress = { after: null, rows: 0, done: false }

/** The name that the digest of the source stands under. */
const sourceName = "source"
const tablePrefix = "table "
const triggerPrefix = "trigger "

/** What was written about a copy. */
export interface Ledger {
  /** What the source is known by. */
  readonly source: string
  readonly tables: ReadonlyMap<string, TableProgress>
  /** Statements that bring back the triggers that were taken away, by the name of the trigger. */
  readonly triggers: ReadonlyMap<string, string>
}

interface Entry {
  readonly name: string
  readonly content: string
}

/** Makes the table, for use in a transaction. */
export const make = Effect.fnUntraced(function* (side: Side, source: string) {
  const { sql } = side
  yield* sql`create table ${tableOf(side)} (name text not null primary key, content text not null)`
  yield* write(side, sourceName, source)
})

/** Notes a trigger that is taken away. */
export const noteTrigger = (side: Side, name: string, statement: string) =>
  write(side, `${triggerPrefix}${name}`, statement)

/** Forgets the triggers: they are back. */
export const forgetTriggers = (side: Side): Effect.Effect<unknown, SqlError.SqlError> =>
  side.sql`delete from ${tableOf(side)} where name like ${`${triggerPrefix}%`}`

/** Takes the table away, and the mark with it. */
export const drop = (side: Side): Effect.Effect<unknown, SqlError.SqlError> => side.sql`drop table ${tableOf(side)}`

/** What is written. */
export const read = (side: Side): Effect.Effect<Ledger, SqlError.SqlError> =>
  Effect.map(side.sql<Entry>`select name, content from ${tableOf(side)}`, (entries) => {
    const under = (prefix: string) =>
      entries
        .filter(({ name }) => name.startsWith(prefix))
        .map(({ name, content }) => [name.slice(prefix.length), content] as const)
    return {
      source: entries.find(({ name }) => name === sourceName)?.content ?? "",
      tables: new Map(under(tablePrefix).map(([name, content]) => [name, JSON.parse(content) as TableProgress])),
      triggers: new Map(under(triggerPrefix))
    }
  })

/** Goes on from what is known. Fails if another copy has done so meanwhile; for use in the transaction of its rows. */
export const advance = Effect.fnUntraced(function* (
  side: Side,
  table: TableName,
  from: TableProgress | undefined,
  to: TableProgress
): Effect.fn.Return<void, SqlError.SqlError | CopyRefused> {
  const { sql } = side
  const name = `${tablePrefix}${table}`
  const moved =
    from === undefined
      ? yield* sql`insert into ${tableOf(side)} (name, content) values (${name}, ${JSON.stringify(to)})
          on conflict (name) do nothing returning name`
      : yield* sql`update ${tableOf(side)} set content = ${JSON.stringify(to)}
          where name = ${name} and content = ${JSON.stringify(from)} returning name`
  if (moved.length === 0) return yield* refused("target_in_use", "Another copy into this database goes on")
})

const write = (side: Side, name: string, content: string) =>
  side.sql`insert into ${tableOf(side)} (name, content) values (${name}, ${content})`

const tableOf = ({ sql, naming }: Side) => sql(copyTable(naming))
