/** `npm run chaos -- postgres`: plays the scenarios, one after the other, on one embedded server. */
import { during } from "@tolem/testing-harness/ProgressLine"
import { startServer } from "@tolem/testing-postgres/Server"
import { type Name, names, type Outcome, play } from "./Scenarios.ts"

/** Plays the scenarios that `only` names, or all. Tells a row each; answers whether all went well. */
export const playAll = async (only: Name | undefined, tell: (line: string) => void): Promise<boolean> => {
  const chosen = names.filter((name) => only === undefined || name === only)
  const postgres = await startServer({ durable: true })
  let stopped = false
  const stop = () => {
    stopped = true
  }
  process.once("SIGINT", stop)
  try {
    tell(header)
    let well = true
    for (const [at, name] of chosen.entries()) {
      if (stopped) break
      const outcome = await during(`${name}, ${at + 1} of ${chosen.length}`, () => outcomeOf(name, postgres))
      well = report(outcome, tell) && well
    }
    return well && !stopped
  } finally {
    process.removeListener("SIGINT", stop)
    await postgres.dispose()
  }
}

const outcomeOf = (name: Name, postgres: Parameters<typeof play>[1]): Promise<Outcome | Error> =>
  play(name, postgres).catch(
    (error: unknown) => new Error(`${name}: ${error instanceof Error ? error.message : error}`)
  )

const columns = ["scenario", "acknowledged", "503", "cut", "lost", "doubled", "longest gap", "recovered in", "what"]
const widths = [16, 12, 6, 6, 5, 7, 11, 12, 0]
const line = (cells: ReadonlyArray<string | number>) =>
  cells.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join("  ")
const header = line(columns)

const report = (outcome: Outcome | Error, tell: (line: string) => void): boolean => {
  if (outcome instanceof Error) {
    tell(`FAILED  ${outcome.message}`)
    return false
  }
  const { name, deed, journal, lost, doubled, recoveryMs } = outcome
  const { created, paid, refunded, unavailable, cut, longestGapMs } = journal
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const sum = created.size + paid.size + refunded.size
  tell(
    line([name, sum, unavailable, cut, lost.length, doubled.length, seconds(longestGapMs), seconds(recoveryMs), deed])
  )
  for (const what of [...lost.slice(0, 5), ...doubled.slice(0, 5)]) tell(`  ${what}`)
  return lost.length === 0 && doubled.length === 0
}
