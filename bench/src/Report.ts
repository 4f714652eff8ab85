/** What a run of the bench has measured: printed as it comes, kept for a file, and compared with another run's. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { type Comparison, table } from "./Table.ts"

/** A table as it was printed. The first cell of a row names what was measured. */
export interface Table {
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A run, as its file has it. */
export interface Run {
  /** What was run, as the arguments of the bench. */
  readonly measured: string
  /** When it ended, as ISO 8601 in UTC. */
  readonly at: string
  /** The commit, with a `+` if files were changed; null outside of a repository. */
  readonly commit: string | null
  readonly machine: string
  readonly tables: ReadonlyArray<Table>
  /** Work a second of ours and of the peer, a pair a round, by the name of the comparison. */
  readonly rounds: Readonly<Record<string, Comparison["rounds"]>>
}

const printed: Array<Table> = []
const rounds: Record<string, Comparison["rounds"]> = {}

/** Prints a table and keeps it. */
export const show = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): void => {
  console.log(`${printed.length > 0 ? "\n" : ""}${table(head, rows)}`)
  printed.push({ head, rows })
}

/** Keeps the rounds of comparisons. */
export const keepRounds = (comparisons: ReadonlyArray<Comparison>): void => {
  for (const { name, against, rounds: pairs } of comparisons) rounds[`${name}, against ${against}`] = pairs
}

/** Writes what was shown so far to a file, as JSON. */
export const write = (file: string, measured: string): void => {
  const run: Run = {
    measured,
    at: new Date().toISOString(),
    commit: commit(),
    machine: machine(),
    tables: printed,
    rounds
  }
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`)
}

const commit = (): string | null => {
  try {
    const options = { encoding: "utf8", stdio: "pipe" } as const
    const id = execFileSync("git", ["rev-parse", "--short", "HEAD"], options).trim()
    return execFileSync("git", ["status", "--porcelain"], options) === "" ? id : `${id}+`
  } catch {
    return null
  }
}

const machine = (): string => {
  const all = cpus()
  const gibibytes = Math.round(totalmem() / 2 ** 30)
  return `${all.length} cores of ${all[0]?.model.trim()}, ${gibibytes} GiB, Node ${process.versions.node}`
}

/** Reads a file that `write` has made. */
export const read = (file: string): Run => {
  const run: unknown = JSON.parse(readFileSync(file, "utf8"))
  if (typeof run === "object" && run !== null && "tables" in run && Array.isArray(run.tables)) return run as Run
  throw new Error(`${file} was not written by the bench`)
}

/** Two runs side by side: a row for what either has measured, with the second run's figure over the first's. */
export const compared = (a: Run, b: Run): Table => {
  const [before, after] = [figuresOf(a), figuresOf(b)]
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return {
    head: ["measured", `A: ${nameOf(a)}`, `B: ${nameOf(b)}`, "B / A"],
    rows: names.map((name) => {
      const [old, now] = [before.get(name), after.get(name)]
      return [name, old ?? "not measured", now ?? "not measured", quotient(old, now)]
    })
  }
}

/** What runs have measured, as a document: each with its machine, time and commit. */
export const documented = (runs: ReadonlyArray<Run>): string => {
  const parts = runs.map(({ measured, at, commit, machine, tables }) => {
    const asked = measured.replace(/ ?--json \S+/, "").trim()
    const command = `npm run bench${asked === "" ? "" : ` -- ${asked}`}`
    const told = `${at.slice(0, 16).replace("T", " ")} UTC, commit ${commit ?? "unknown"}, ${machine}.`
    return [`## \`${command}\``, told, ...tables.map(({ head, rows }) => table(head, rows))].join("\n\n")
  })
  return `${["# What the bench has measured", ...parts].join("\n\n")}\n`
}

const nameOf = ({ commit, at }: Run): string => `${commit ?? "no commit"}, ${at.slice(0, 16).replace("T", " ")}`

/** The ratio, where there is one; what follows the name otherwise. */
const figuresOf = ({ tables }: Run): ReadonlyMap<string, string> =>
  new Map(
    tables.flatMap(({ head, rows }) => {
      const ratio = head.findIndex((name) => name.startsWith("ratio"))
      const against = head.indexOf("against")
      return rows.map((cells) => {
        const name = against > 0 ? `${cells[0]}, against ${cells[against]}` : cells[0]!
        return [name, cells[ratio > 0 ? ratio : 1] ?? ""] as const
      })
    })
  )

/** Of the first numbers in both; nothing if one has none, or if they are in different units. */
const quotient = (a: string | undefined, b: string | undefined): string => {
  const [old, now] = [a, b].map((text) => /^([\d.]+)\s*([^\s(\d]*)/.exec(text ?? ""))
  if (!old || !now || old[2] !== now[2] || Number(old[1]) === 0) return ""
  return (Number(now[1]) / Number(old[1])).toFixed(2)
}
