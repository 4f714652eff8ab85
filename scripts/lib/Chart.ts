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

/** A way on: from one state, by a name, to another one. */
export type Way = readonly [from: string, label: string, to: string]

/** All ways of the machine, each once. The beginning is `[*]`. */
export const waysOf = <Row>({ stateOf, begins, examples, moves }: Machine<Row>): ReadonlyArray<Way> => {
  const first = begins.map(([label, row]): Way => ["[*]", label, stateOf(row)])
  const others = examples.flatMap((row) =>
    moves.flatMap(([label, decide]): ReadonlyArray<Way> => {
      const next = decide(row)
      return next === null ? [] : [[stateOf(row), label, stateOf(next)]]
    })
  )
  return [...new Map([...first, ...others].map((way) => [way.join("\n"), way])).values()]
}

/** The machine as a section of a document, in Mermaid's words. */
export const chart = <Row>(machine: Machine<Row>): ReadonlyArray<string> => {
  const arrows = waysOf(machine).map(([from, label, to]) => `  ${from} --> ${to}: ${label}`)
  return [`## ${machine.title}`, "", machine.about, "", "```mermaid", "stateDiagram-v2", ...arrows, "```", ""]
}
