/** Reads rows that agents have claimed: one that cannot be read, of a damaged database, must not stop the others. */
import { Effect, Metric } from "effect"
import type { Columns } from "./Dialect.ts"

/** A column of a claimed row holds what no version of ours has written. Its message has the column's name only. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
}

/** What columns may hold beyond their types: one of some words, or JSON that passes a check. Nulls are let through. */
export interface Contents {
  readonly words?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly json?: Readonly<Record<string, (value: unknown) => boolean>>
}

/**
 * A check of rows, to be read with `Dialect.exact`: it throws `Unreadable` if a column holds another type than its
 * own, a number that is not exact, another word than its own, or broken JSON. It answers nothing.
 */
export const checkOf =
  (columns: Columns, { words = {}, json = {} }: Contents = {}) =>
  (row: object): undefined => {
    for (const [column, value] of Object.entries(row)) {
      if (value === null) continue
      const isRight = columns[column] === "text" ? typeof value === "string" : Number.isSafeInteger(value)
      if (columns[column] !== undefined && !isRight) throw new Unreadable(column)
      if (words[column]?.includes(value) === false) throw new Unreadable(column)
      const isSound = json[column]
      if (isSound !== undefined && !isSound(parsed(column, value))) throw new Unreadable(column)
    }
  }

const parsed = (column: string, text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreadable(column)
  }
}

/** How long a claimed row that cannot be read stays out of the way of the others: long enough to cost nothing. */
export const asideMs = 3_600_000

const unreadRows = (kind: string) =>
  Metric.counter("tolem_unreadable_rows_total", {
    description: "Claimed rows that could not be read and were passed over; tolem verify names them",
    incremental: true,
    attributes: { kind }
  })

/** What `read` makes of each row, and the rows that it throws at. Those are logged by their ids, and counted. */
export const readEach = Effect.fnUntraced(function* <Row extends { readonly id: string }, A>(
  kind: string,
  rows: ReadonlyArray<Row>,
  read: (row: Row) => A
) {
  const good: Array<A> = []
  const unread: Array<Row> = []
  for (const row of rows) {
    try {
      good.push(read(row))
    } catch (cause) {
      unread.push(row)
      yield* Metric.update(unreadRows(kind), 1)
      yield* Effect.logError(`Storage: ${kind} ${row.id} cannot be read`).pipe(
        Effect.annotateLogs({ reason: reasonOf(cause) })
      )
    }
  }
  return { read: good, unread }
})

// A message may quote what a row holds; that of our own error does not.
const reasonOf = (cause: unknown): string =>
  cause instanceof Unreadable ? `column ${cause.message}` : cause instanceof Error ? cause.name : "unknown"
