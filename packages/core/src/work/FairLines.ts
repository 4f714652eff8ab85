/**
 * What waits, in a line of its own for each name, served in turn: one of this line, one of the next. So the first of a
 * line waits for one of each other line, however long those are. Plain bookkeeping in constant time.
 */

interface Line<A> {
  name: string
  things: Array<A>
  /** Those before it have left. */
  first: number
}

/** Lines that are empty, for `capacity` things in all. */
export const make = <A>(capacity: number) => {
  const lines = new Map<string, Line<A>>()
  const turns: Line<Line<A>> = { name: "turns", things: [], first: 0 }
  /** Where one tenant alone comes and goes, its line is not made anew each time. */
  let spare: Line<A> | undefined
  let length = 0

  const lineOf = (name: string): Line<A> => {
    const known = lines.get(name)
    if (known !== undefined) return known
    const line: Line<A> = spare ?? { name, things: [], first: 0 }
    spare = undefined
    line.name = name
    lines.set(name, line)
    turns.things.push(line)
    return line
  }

  const close = (line: Line<A>) => {
    lines.delete(line.name)
    spare = line
  }

  return {
    /** How much waits in all lines. */
    length: () => length,
    /**
     * Lets things wait, in their order. False, and none of them waits, if the line would then hold more than is left
     * of the capacity: one line alone takes half of all places, two a third each, and a line that is new always finds
     * one.
     */
    add: (name: string, things: ReadonlyArray<A>): boolean => {
      if (things.length === 0) return true
      const held = lines.get(name)
      const waiting = held === undefined ? 0 : lengthOf(held)
      if (waiting + things.length > capacity - length) return false
      const line = lineOf(name)
      for (const thing of things) line.things.push(thing)
      length += things.length
      return true
    },
    /** Takes out the next one: of the line whose turn it is, the oldest. */
    take: (): A | undefined => {
      const line = turns.things[turns.first]
      if (line === undefined) return undefined
      const thing = shift(line)
      length--
      if (lengthOf(line) === 0) {
        shift(turns)
        close(line)
      } else if (lengthOf(turns) > 1) {
        shift(turns)
        turns.things.push(line)
      }
      return thing
    }
  }
}

const lengthOf = ({ things, first }: Line<unknown>): number => things.length - first

/** Moves on by one; what has left is cut off now and then, so that a step costs the same however long the line. */
const shift = <A>(line: Line<A>): A | undefined => {
  const thing = line.things[line.first]
  line.first++
  if (line.first === line.things.length) {
    line.things.length = 0
    line.first = 0
  } else if (line.first >= 1024 && line.first * 2 >= line.things.length) {
    line.things.splice(0, line.first)
    line.first = 0
  }
  return thing
}
