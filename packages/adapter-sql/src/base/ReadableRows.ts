/** Reads rows that agents have claimed: one that cannot be read, of a damaged database, must not stop the others. */
import { Effect, Metric } from "effect"

/** A column of a claimed row holds what no version of ours has written. Its message has the column's name only. */
export class Unreadable extends Error {
  override readonly name = "Unreadable"
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
