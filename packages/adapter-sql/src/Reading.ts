/** Reads rows that agents have claimed: one that cannot be read, of a damaged database, must not stop the others. */
import { Effect, Metric } from "effect"

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
        Effect.annotateLogs({ reason: cause instanceof Error ? cause.name : "unknown" })
      )
    }
  }
  return { read: good, unread }
})
