/** Attempts by months, as PostgreSQL keeps them; elsewhere they are one table: see step 70. */
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
  const partOf = (part: "before" | "default") => qualifiedIndex(sql, naming, `attempts_${part}`)
  const oldestOf = (table: Statement.Identifier, before: number, limit: number) => sql<AttemptKey>`
    select a.delivery_id, a.number from ${table} a where a.started_at < cast(${before} as bigint)
    order by a.started_at limit cast(${limit} as bigint) ${dialect.lockFreeRows("a")}`

  return {
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
