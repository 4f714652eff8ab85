/** A file of invoices: its cells, its bounds, and why it may be of no use. */

/** The cells of a file, with what the row is called by programs that show it: the first row is 1. */
export interface CellRow {
  readonly row: number
  readonly cells: ReadonlyArray<string>
}

/** Most rows of a file that are billed, its heads aside. */
export const maxBulkRows = 1000
/** Most columns. */
export const maxBulkColumns = 64
/** Most characters of a cell. No member of an invoice takes as many. */
export const maxCellLength = 4096

/** Why nothing of a file can be used. */
export const fileCauses = [
  "bytes",
  "encoding",
  "quote",
  "columns",
  "rows",
  "workbook",
  "unpacked",
  "empty",
  "no_amount",
  "head_twice"
] as const

/** The cause, and the row, if it is one row's fault. */
export interface FileFault {
  readonly cause: (typeof fileCauses)[number]
  readonly row: number | null
}
