/** Ratios of alternating rounds, printed as a table. */
import { showLine } from "@tolem/testing-harness/ProgressLine"

/** One comparison: work a second of ours and of the peer, a pair a round. */
export interface Comparison {
  readonly name: string
  readonly against: string
  /** The ratio that is wanted; null if it is only reported. */
  readonly atLeast: number | null
  readonly rounds: ReadonlyArray<readonly [ours: number, peer: number]>
}

/** Runs `ours` and `peer` in turn, so that a noisy machine disturbs both alike. Each answers work a second. */
export const alternate = async (
  rounds: number,
  ours: () => Promise<number>,
  peer: () => Promise<number>,
  warmUps = 2
): Promise<Comparison["rounds"]> => {
  showLine("warming up")
  for (let warmUp = 0; warmUp < warmUps; warmUp++) {
    await ours() // code is compiled, files are in the cache
    await peer()
  }
  const results: Array<readonly [number, number]> = []
  for (let round = 0; round < rounds; round++) {
    showLine(`round ${round + 1} of ${rounds}`)
    // Who goes first changes, too: the second of a pair may find the disk busy with the first.
    const first = round % 2 === 0 ? await ours() : await peer()
    const second = round % 2 === 0 ? await peer() : await ours()
    results.push(round % 2 === 0 ? [first, second] : [second, first])
  }
  showLine("")
  return results
}

/**
 * Rounds of so many short turns each, for what is measured in CPU: a collection of garbage, whose cost falls on the
 * turn in which it happens, blurs a round of many turns less than one long turn.
 */
export const inTurns = async (
  rounds: number,
  turns: number,
  ours: () => Promise<number>,
  peer: () => Promise<number>
): Promise<Comparison["rounds"]> => {
  const each = await alternate(rounds * turns, ours, peer)
  // Each turn does the same work, so that the times add up.
  const rate = (part: Comparison["rounds"], side: 0 | 1) => turns / part.reduce((sum, turn) => sum + 1 / turn[side], 0)
  return Array.from({ length: rounds }, (_, round) => {
    const part = each.slice(round * turns, (round + 1) * turns)
    return [rate(part, 0), rate(part, 1)] as const
  })
}

/** The middle of the values. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const perSecond = (value: number): string => `${Math.round(value)}/s`

/** The comparison as a row: medians of both, the median of the rounds' ratios and their range. */
export const row = ({ name, against, atLeast, rounds }: Comparison): ReadonlyArray<string> => {
  const ratios = rounds.map(([ours, peer]) => ours / peer)
  const ratio = median(ratios)
  return [
    name,
    against,
    perSecond(median(rounds.map(([ours]) => ours))),
    perSecond(median(rounds.map(([, peer]) => peer))),
    `${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    atLeast === null ? "" : atLeast.toFixed(2),
    atLeast === null ? "" : ratio >= atLeast ? "yes" : "NO"
  ]
}

/** A markdown table. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((cells) => cells[column]!.length)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`
  return [line(head), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...rows.map(line)].join("\n")
}
