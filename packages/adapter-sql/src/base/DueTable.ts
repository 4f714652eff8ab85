/** A table of rows that fall due. */
import type { Statement } from "effect/sql"
import type { Columns } from "./Columns.ts"
import type { TableName } from "./Tables.ts"

/** Which table it is, the columns of its primary key, what a row is called in the log, and the port that asks. */
export interface DueTable {
  readonly table: Statement.Identifier
  readonly key: Columns
  readonly kind: string
  readonly port: string
  /** All rows are live ones: neither the table nor its indexes have the column `mode`. */
  readonly isLiveOnly?: true
  /** Where leases are kept, for rows whose key is `id`; default in `due_at` itself. */
  readonly leases?: TableName
}

/** Columns as one value that can be compared: by themselves, or in brackets if they are several. */
export const tupleOf = (columns: ReadonlyArray<string>): string =>
  columns.length === 1 ? columns.join() : `(${columns.join(", ")})`

/** What else must hold of a claimed row, by the alias of its table: nothing, or a text that begins with `and`. */
export type Only = (alias: string) => Statement.Fragment
