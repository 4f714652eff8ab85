/**
 * What the machine gives while something is measured. Rows whose peer waits for the disk at each step depend on how
 * fast it flushes, and starts on how fast Node itself starts: both change from minute to minute.
 */
import { execFileSync } from "node:child_process"
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import { median } from "./Table.ts"

const flushesEach = 20
const flushed = Buffer.alloc(4096, 1)

/** Milliseconds of each of twenty flushes, of 4 KiB that were added to a file of the folder. */
export const flushMs = (folder: string): ReadonlyArray<number> => {
  const file = openSync(join(folder, "flushed"), "a")
  try {
    return Array.from({ length: flushesEach }, () => {
      const beganAt = performance.now()
      writeSync(file, flushed)
      fsyncSync(file)
      return performance.now() - beganAt
    })
  } finally {
    closeSync(file)
  }
}

/** The row of a table: the median of all, and the range of the medians of the rounds. */
export const flushRow = (rounds: ReadonlyArray<ReadonlyArray<number>>): ReadonlyArray<string> => {
  const middles = rounds.map(median)
  const shown = (ms: number) => ms.toFixed(2)
  return [
    "a flush of 4 KiB to the disk, between the rounds of creates",
    `${shown(median(rounds.flat()))} ms (${shown(Math.min(...middles))} to ${shown(Math.max(...middles))})`
  ]
}

/** Milliseconds that a Node process takes which does nothing. */
export const nodeMs = (): number => {
  const beganAt = performance.now()
  execFileSync(process.execPath, ["--eval", "0"])
  return performance.now() - beganAt
}
