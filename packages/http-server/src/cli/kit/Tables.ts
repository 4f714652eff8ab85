/** Results for people: tables with heads, the members of one thing, local time. Pure. */
import { DateTime } from "effect"

/** What a cell shows; null: nothing. Numbers stand at the right. */
export type Cell = string | number | boolean | null | undefined

/** The columns of a table: the head of each, and its cell in a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>

/** Longest text of a cell. What is longer is shown whole by `show` and by `--json`. */
const maxCell = 80

/** A table with heads, or that there is nothing to show. */
export const table = <Row>(rows: ReadonlyArray<Row>, columns: Columns<Row>): string => {
  if (rows.length === 0) return "There are none."
  const shown = Object.entries(columns).map(([head, of]) => {
    const cells = rows.map((row) => of(row))
    const isNumber = cells.every((cell) => typeof cell === "number")
    const texts = [head, ...cells.map((cell) => shortened(plain(cell)))]
    const width = Math.max(...texts.map(widthOf))
    const pad = (text: string) => " ".repeat(width - widthOf(text))
    return texts.map((text) => (isNumber ? pad(text) + text : text + pad(text)))
  })
  return [-1, ...rows.keys()]
    .map((row) =>
      shown
        .map((texts) => texts[row + 1])
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** The members of one thing, one a line. Those without a value are left out. */
export const members = (pairs: Readonly<Record<string, Cell>>): string => {
  const given = Object.entries(pairs).flatMap(([name, cell]) => {
    const text = plain(cell)
    return text === "" ? [] : [[name, text] as const]
  })
  const width = Math.max(...given.map(([name]) => name.length))
  return given.map(([name, text]) => `${name.padEnd(width)}  ${text}`).join("\n")
}

/** A table under its title; nothing if it has no rows. */
export const section = <Row>(title: string, rows: ReadonlyArray<Row>, columns: Columns<Row>): string =>
  rows.length === 0 ? "" : `${title}\n${table(rows, columns)}`

/** Parts with an empty line between them, without those that are empty. */
export const parts = (...texts: ReadonlyArray<string>): string => texts.filter((text) => text !== "").join("\n\n")

/** Which rows of how many a page shows, and how to go on; nothing if it shows all. */
export const placeOf = (page: { readonly total: number; readonly offset: number }, count: number): string => {
  const { total, offset } = page
  const end = offset + count
  if (count === total) return ""
  const next = end < total && count > 0 ? ` Go on with --offset ${end}.` : ""
  return count === 0 ? `There are ${total}.` : `${offset + 1} to ${end} of ${total}.${next}`
}

/** An instant, ISO 8601 or milliseconds, on the clock of this machine: `YYYY-MM-DD HH:MM:SS`. */
export const localTime = (at: string | number | null): string => {
  if (at === null) return ""
  const zoned = DateTime.makeZonedUnsafe(at, { timeZone: DateTime.zoneMakeLocal() })
  return DateTime.formatIso(DateTime.makeUnsafe(DateTime.toEpochMillis(zoned) + DateTime.zonedOffset(zoned)))
    .slice(0, 19)
    .replace("T", " ")
}

// What others have written must not steer the terminal, or turn the order of what is read.
const plain = (cell: Cell): string =>
  cell === null || cell === undefined ? "" : `${cell}`.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "\u{FFFD}")

const shortened = (text: string): string => {
  const letters = Array.from(text)
  return letters.length <= maxCell ? text : `${letters.slice(0, maxCell - 1).join("")}…`
}

const widthOf = (text: string): number => Array.from(text).length
