/**
 * `npm run chaos -- hostile`: strangers with sandbox keys against two servers on one PostgreSQL, while one merchant
 * works on. Everything is in a network of its own without a way out, if the system allows to make one.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { during } from "@tolem/testing-harness/ProgressLine"
import { startServer } from "@tolem/testing-postgres/Server"
import { type Name, names, type Outcome, play } from "./Attacks.ts"

/** Set in the process that runs inside of the network. */
const inside = "TOLEM_CHAOS_WITHOUT_ROUTES"

/** Plays the attacks that `only` names, or all. Tells a row each; answers whether the servers withstood. */
export const playAll = async (only: Name | undefined, tell: (line: string) => void): Promise<boolean> => {
  const chosen = names.filter((name) => only === undefined || name === only)
  if (process.env[inside] === undefined && canSeparate()) return await playSeparately(only)
  const postgres = await startServer({ durable: true })
  let stopped = false
  const stop = () => {
    stopped = true
  }
  process.once("SIGINT", stop)
  try {
    tell(line(columns))
    let well = true
    for (const [at, name] of chosen.entries()) {
      if (stopped) break
      if (name === "dead addresses" && process.env[inside] === undefined) {
        tell(`${name.padEnd(widths[0] ?? 0)}  not played: making a network without routes takes root and unshare`)
        continue
      }
      const outcome = await during(`${name}, ${at + 1} of ${chosen.length}`, () => outcomeOf(name, postgres))
      well = report(outcome, tell) && well
    }
    return well && !stopped
  } finally {
    process.removeListener("SIGINT", stop)
    await postgres.dispose()
  }
}

const separate = ["-n", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]

const canSeparate = (): boolean => spawnSync("unshare", [...separate, "true"]).status === 0

/** This drill alone, whatever this process was called for: with `all`, the others would be played in there too. */
const playSeparately = async (only: Name | undefined): Promise<boolean> => {
  const args = [process.argv[1] ?? "", "hostile", ...(only === undefined ? [] : ["--only", only])]
  const again = spawn("unshare", [...separate, process.execPath, ...args], {
    stdio: "inherit",
    env: { ...process.env, [inside]: "1" }
  })
  const [code] = await once(again, "exit")
  return code === 0
}

const outcomeOf = (name: Name, postgres: Parameters<typeof play>[1]): Promise<Outcome | Error> =>
  play(name, postgres).catch(
    (error: unknown) => new Error(`${name}: ${error instanceof Error ? error.message : error}`)
  )

const columns = ["attack", "alive", "peak memory", "idle", "attacked", "ratio", "arrived", "what"]
const widths = [17, 6, 12, 9, 9, 6, 9, 0]
const line = (cells: ReadonlyArray<string | number>) =>
  cells.map((cell, column) => String(cell).padEnd(widths[column] ?? 0)).join("  ")

const report = (outcome: Outcome | Error, tell: (line: string) => void): boolean => {
  if (outcome instanceof Error) {
    tell(`FAILED  ${outcome.message}`)
    return false
  }
  const { name, deed, alive, servers, peakBytes, idleMs, attackedMs, arrived, expected, complaints } = outcome
  const ms = (value: number) => `${value.toFixed(0)} ms`
  tell(
    line([
      name,
      `${alive}/${servers}`,
      `${Math.round(peakBytes / 1024 / 1024)} MB`,
      ms(idleMs),
      ms(attackedMs),
      (attackedMs / idleMs).toFixed(1),
      `${arrived}/${expected}`,
      deed
    ])
  )
  for (const complaint of complaints) tell(`  ${complaint}`)
  return alive === servers && arrived === expected && complaints.length === 0
}
