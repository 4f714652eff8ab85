/** Attempts by months, as PostgreSQL keeps them; elsewhere they are one table. Step 70 says how. */
import type { Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { qualifiedIndex } from "../base/Tables.ts"

/** What tells an attempt. */
export interface AttemptKey {
  readonly delivery_id: string
  readonly number: number
}

/** The statements about months. */
export const make = ({ sql, dialect, tables, naming }: Database["Service"]) => {
  const called = (name: string, at: number) =>
    sql`select ${qualifiedIndex(sql, naming, name)}(cast(${at} as bigint)) as answer`
  const partOf = (part: "before" | "default") => qualifiedIndex(sql, naming, `attempts_${part}`)
  const oldestOf = (table: Statement.Identifier, before: number, limit: number) => sql<AttemptKey>`
    select a.delivery_id, a.number from ${table} a where a.started_at < cast(${before} as bigint)
    order by a.started_at limit cast(${limit} as bigint) ${dialect.lockFreeRows("a")}`

  return {
    /** What makes months about `now`, and drops those before an instant: the second call drops what the first notes. */
    tending: (now: number, before: number | null): ReadonlyArray<Statement.Statement<object>> =>
      sql.onDialectOrElse({
        pg: () => {
          const forget = before === null ? [] : [before, before].map((at) => called("attempts_forget", at))
          return [called("attempts_room", now), ...forget]
        },
        orElse: () => []
      }),

    /** The oldest attempts before an instant, locked; without those in months, which are dropped with them. */
    oldOutside: (before: number, limit: number): Statement.Statement<AttemptKey> =>
      sql.onDialectOrElse({
        pg: () => sql<AttemptKey>`
          select * from (${oldestOf(partOf("before"), before, limit)}) as b
          union all
          select * from (${oldestOf(partOf("default"), before, limit)}) as r
          limit cast(${limit} as bigint)`,
        orElse: () => oldestOf(tables.attempts, before, limit)
      })
  }
}
