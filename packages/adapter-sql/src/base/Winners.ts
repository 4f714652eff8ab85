/** Which of the changes that are written together may be: each was made from a version of its row. Pure. */

/** A change of a row, made from what the row was. */
interface Change {
  readonly previous: { readonly id: string; readonly version: number }
}

/** Of two changes of one row only the first wins, also if the second was made from what the first makes. */
export const winnersOf = (
  changes: ReadonlyArray<Change>,
  rows: ReadonlyArray<Change["previous"]>
): ReadonlyArray<boolean> => {
  const versions = new Map(rows.map(({ id, version }) => [id, version]))
  return changes.map(({ previous }) => {
    const wins = versions.get(previous.id) === previous.version
    if (wins) versions.delete(previous.id)
    return wins
  })
}
