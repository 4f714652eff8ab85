/** Removes rows by their age, a portion at a time. */
import type { StorageError } from "@tolem/core/error/StorageError"
import { Effect } from "effect"
import type { Database } from "./Database.ts"
import type { Tables } from "./Tables.ts"

/**
 * The statement that removes rows of a table whose `column` is before an instant, oldest first, `limit` at most, and
 * answers how many. The column has an index, and `key` is what rows are known by. Rows that another transaction has
 * locked are left.
 */
export const forgetOld =
  (
    { sql, dialect, tables, statement }: Database["Service"],
    operation: string,
    table: keyof Tables,
    column: string,
    key = "id"
  ): ((before: number, limit: number) => Effect.Effect<number, StorageError>) =>
  (before, limit) => {
    const [age, oldKey] = [sql.literal(`old.${column}`), sql.literal(`old.${key}`)]
    const old = sql`
      select ${oldKey} from ${tables[table]} old where ${age} < cast(${before} as bigint)
      order by ${age} limit cast(${limit} as bigint) ${dialect.lockFreeRows("old")}`
    const remove = sql`delete from ${tables[table]} where ${dialect.isOneOf(key, old)} returning ${sql.literal(key)}`
    return Effect.map(statement(operation, remove, { writes: true }), (rows) => rows.length)
  }
