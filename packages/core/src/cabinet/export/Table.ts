/** Tables that are taken along as files: columns, and rows that come in parts. */
import type { Stream } from "effect"
import type { StorageError } from "../../error/StorageError.ts"

/** What a cell holds: a text, a number of things, an amount in tiyn, or nothing. */
export type Cell = string | number | bigint | null

/** The cells of a row, one for each column. */
export type Row = ReadonlyArray<Cell>

/** A column: its head, and whether it holds amounts. */
export interface Column {
  readonly head: string
  readonly isMoney: boolean
}

/** A table. Its rows are read as they are taken, and no further once they are not. */
export interface Table {
  readonly columns: ReadonlyArray<Column>
  readonly parts: Stream.Stream<ReadonlyArray<Row>, StorageError>
}

/** The languages of heads. */
export const tableLanguages = ["kk", "ru", "en"] as const
/** See the list. */
export type TableLanguage = (typeof tableLanguages)[number]

/** The language that is asked for; Kazakh if it is none of them. */
export const tableLanguage = (asked: unknown): TableLanguage => tableLanguages.find((each) => each === asked) ?? "kk"

/** Columns of these heads; an amount where a head says its currency. */
export const columnsOf = (heads: ReadonlyArray<string>): ReadonlyArray<Column> =>
  heads.map((head) => ({ head, isMoney: /, (₸|KZT)$/.test(head) }))
