/** A chart of a machine, drawn by calling its decider on an example of each state with each command. */

/** A command by its name, and what it makes of an example; null: it is refused, or changes nothing. */
export type Move<Row> = readonly [label: string, decide: (row: Row) => Row | null]

/** A machine as the core has it. */
export interface Machine<Row> {
  readonly title: string
  readonly about: string
  readonly stateOf: (row: Row) => string
  /** How things begin, by what makes them. */
  readonly begins: ReadonlyArray<readonly [label: string, row: Row]>
  readonly examples: ReadonlyArray<Row>
  readonly moves: ReadonlyArray<Move<Row>>
}

/** The machine as a section of a document, in Mermaid's words. */
export const chart = <Row>({ title, about, stateOf, begins, examples, moves }: Machine<Row>): ReadonlyArray<string> => {
  const first = begins.map(([label, row]) => `  [*] --> ${stateOf(row)}: ${label}`)
  const arrows = examples.flatMap((row) =>
    moves.flatMap(([label, decide]) => {
      const next = decide(row)
      return next === null ? [] : [`  ${stateOf(row)} --> ${stateOf(next)}: ${label}`]
    })
  )
  return [`## ${title}`, "", about, "", "```mermaid", "stateDiagram-v2", ...new Set([...first, ...arrows]), "```", ""]
}
