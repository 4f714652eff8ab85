/** Tables as text for spreadsheets: RFC 4180, one line each. Pure. */
import type { Cell, Column, Row } from "./Table.ts"

/** How a table is written: what stands before its first line, between cells, and before the tiyn of an amount. */
export interface CsvForm {
  readonly mark: string
  readonly separator: string
  readonly decimal: string
}

/** What marks a text as UTF-8 for programs that would take it for another one otherwise, Excel among them. */
const byteOrderMark = "\uFEFF"

/** `plain`: RFC 4180. `excel`: as Excel reads it where numbers have a decimal comma, as in Kazakh and in Russian. */
export const csvForms: Readonly<Record<"plain" | "excel", CsvForm>> = {
  plain: { mark: "", separator: ",", decimal: "." },
  excel: { mark: byteOrderMark, separator: ";", decimal: "," }
}

/** The mark and the line of heads. */
export const csvHead = (columns: ReadonlyArray<Column>, form: CsvForm): string =>
  form.mark +
  csvLine(
    columns.map(({ head }) => head),
    form
  )

/** A line. */
export const csvLine = (row: Row, form: CsvForm): string =>
  `${row.map((cell) => textOf(cell, form)).join(form.separator)}\r\n`

const textOf = (cell: Cell, { decimal }: CsvForm): string => {
  if (cell === null) return ""
  if (typeof cell === "string") return quoted(cell)
  return typeof cell === "number" ? String(cell) : inTenge(cell).replace(".", decimal)
}

/** Tiyn as tenge with two decimals. */
export const inTenge = (tiyn: bigint): string => {
  const [sign, all] = tiyn < 0n ? ["-", -tiyn] : ["", tiyn]
  return `${sign}${all / 100n}.${String(all % 100n).padStart(2, "0")}`
}

// What begins so is a formula to spreadsheets, which may send what other cells hold away; an apostrophe makes it text.
// They may split a line at other separators than ours, and then know nothing of our quotes: so each part counts.
const formulas = /(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])(?<=(?:^|[;,|\t\r\n])["'\s]*)|(?<=^|[;,|\t])(?=[\t\r])|^(?=\n)/g

/** A text that no spreadsheet takes for a formula, however it splits it. */
export const harmless = (text: string): string => text.replaceAll(formulas, "'")

const quoted = (given: string): string => {
  const text = harmless(given)
  return /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
