/** A passage through a table in pages, so that memory does not grow with the data. */
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import { Unreadable } from "../base/ReadableRows.ts"
import { type Breach, type Breaches, maxBreaches, type Parts } from "./Rule.ts"

/** Rows of a page. An invoice is some kilobytes at most, 16 of them metadata. */
export const pageSize = 500

interface Passage<R> {
  readonly table: Statement.Identifier
  readonly key: ReadonlyArray<string>
  readonly breachOf: (row: R) => string | undefined
}

/** Takes every row of a table in the order of its key, and answers what `breachOf` finds in them. */
export const sweep = <R extends object>({ sql, dialect }: Parts, { table, key, breachOf }: Passage<R>): Breaches =>
  Effect.gen(function* () {
    const found: Array<Breach> = []
    const names = sql.literal(key.join(", "))
    const keyOf = (row: R) => key.map((column) => row[column as keyof R] as unknown)
    const placeOf = (row: R) =>
      sql.join(", ", false)(keyOf(row).map((part) => (typeof part === "string" ? sql`${part}` : whole(part))))
    const whole = (part: unknown) => sql`cast(${String(part)} as bigint)`
    let after = sql`true`
    while (found.length < maxBreaches) {
      const rows: ReadonlyArray<R> = yield* dialect.exact(
        sql<R>`select * from ${table} where ${after} order by ${names} limit ${sql.literal(String(pageSize))}`
      )
      for (const row of rows) {
        const detail = breachIn(row, breachOf)
        if (detail !== undefined && found.length < maxBreaches) found.push({ subject: keyOf(row).join(" "), detail })
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageSize) return found
      after = sql`(${names}) > (${placeOf(last)})`
    }
    return found
  })

/** What is found in a row. What no column of ours can hold fails whatever reads it, and is found so. */
export const breachIn = <R>(row: R, breachOf: (row: R) => string | undefined): string | undefined => {
  try {
    return breachOf(row)
  } catch (error) {
    if (error instanceof Unreadable) return `its ${error.message} cannot be read`
    return `cannot be read: ${error instanceof Error ? error.message : "unknown"}`
  }
}
