/** What columns hold, and rows as values in their order. */

/** Columns in order, with their types. */
export type Columns = Readonly<Record<string, "text" | "bigint">>

/** A row of these columns, none of which may be null. */
export type RowOfColumns<C extends Columns> = { -readonly [Name in keyof C]: C[Name] extends "text" ? string : number }

/** What a column holds. */
export type Stored = string | number | null

/** A row as its values, in the order of the columns. */
export type Values = ReadonlyArray<Stored>

/** Makes the row of values. */
export const rowOf = (columns: Columns): ((values: Values) => Record<string, Stored>) => {
  const names = Object.keys(columns)
  // Copied for each row: to make objects of many members one by one takes several times as long.
  const blank = JSON.parse(`{${names.map((name) => `"${name}":null`).join()}}`)
  return (values) => {
    const row = { ...blank }
    for (let index = 0; index < names.length; index++) row[names[index]!] = values[index]
    return row
  }
}
