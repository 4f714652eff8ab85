/** Holds what the target has against what the source has, row by row and value by value. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import * as Pages from "./Pages.ts"
import type { Shape } from "./Shapes.ts"
import type { CopyRefused, CopySource, CopyTarget } from "./Sides.ts"

/** Differences that are told. Who has more has to begin anew. */
export const maxDifferences = 20

/** What differs between the rows behind a key, and how to go on. */
export interface Comparison {
  /** In words, one for each row; no more than `maxDifferences`. */
  readonly differences: ReadonlyArray<string>
  /** Rows of the source that were looked at. */
  readonly rows: ReadonlyArray<Pages.ExactRow>
}

/** Compares a page of the source with the same rows of the target; behind the last page there must be no row. */
export const compare = (
  source: CopySource,
  target: CopyTarget,
  shape: Shape,
  { after, limit }: { readonly after: Pages.Key | null; readonly limit: number }
): Effect.Effect<Comparison, SqlError.SqlError | CopyRefused> =>
  Effect.gen(function* () {
    const rows = yield* source.held(Pages.read(source, shape, { after, limit }))
    const last = rows.at(-1)
    const isLast = rows.length < limit
    const to = isLast || last === undefined ? null : Pages.keyOf(shape, last)
    const theirs = yield* Pages.read(target, shape, { after, to, limit: rows.length + maxDifferences })
    return { differences: differencesOf(shape, rows, theirs).slice(0, maxDifferences), rows }
  })

const differencesOf = (
  shape: Shape,
  ours: ReadonlyArray<Pages.ExactRow>,
  theirs: ReadonlyArray<Pages.ExactRow>
): ReadonlyArray<string> => {
  const columns = Object.keys(shape.columns)
  const textOf = (row: Pages.ExactRow) => JSON.stringify(Pages.keyOf(shape, row))
  const copied = new Map(theirs.map((row) => [textOf(row), row]))
  const told: Array<string> = []
  for (const row of ours) {
    const text = textOf(row)
    const other = copied.get(text)
    copied.delete(text)
    const unlike = columns.filter((_, index) => other !== undefined && row[index] !== other[index])
    const what = Pages.called(shape, Pages.keyOf(shape, row))
    if (other === undefined) told.push(`${what}: is missing`)
    else if (unlike.length > 0) told.push(`${what}: differs in ${unlike.join(", ")}`)
  }
  const extra = Array.from(
    copied.values(),
    (row) => `${Pages.called(shape, Pages.keyOf(shape, row))}: is not in the source`
  )
  return [...told, ...extra]
}
