/** Server processes of the benchmarks, on databases in a temporary folder. */
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Merchant, openFile } from "@tolem/testing-harness/Desk"
import * as Program from "@tolem/testing-harness/Program"
import { makeProgram } from "../../scripts/lib/ProgramBundle.ts"

/** What all that work on a database of the benchmark seal secrets with. */
export const secretKey = "a-key-for-benchmarks-only-of-no-other-use"

const options = { variables: { TOLEM_SECRET_KEY: secretKey }, showsErrors: true }

/** Starts a script that prints a line of JSON with its `port` once it is ready. */
export const start = (script: string, args: ReadonlyArray<string>): Promise<Program.Service> =>
  Program.listening(Program.begin(args, { ...options, script }))

let made: Promise<string> | undefined

/** The program `tolem` as images start it: its sources, and beside them the few files that it is run from. */
const published = (): Promise<string> => {
  made ??= publish()
  return made
}

const publish = async (): Promise<string> => {
  const root = join(import.meta.dirname, "../..")
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-program-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, "packages/http-server"), folder, { recursive: true })
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  await makeProgram(join(folder, "src"), ".ts")
  return join(folder, "src/program/main.js")
}

/** Starts the reference server, as images do, without limits on the rate of requests. */
export const serve = (database: string, more: ReadonlyArray<string> = []): Promise<Program.Service> =>
  serveWith([...Program.unlimited(database), ...more])

/** The same with the rates that keys have where nothing else is said. */
export const serveRated = (database: string): Promise<Program.Service> => {
  const flags = Program.unlimited(database)
  const rates = new Set(["--writes-per-minute", "--reads-per-minute"])
  return serveWith(flags.filter((flag, at) => !rates.has(flag) && !rates.has(flags[at - 1] ?? "")))
}

const serveWith = async (args: ReadonlyArray<string>): Promise<Program.Service> =>
  Program.serve(args, { ...options, script: await published() })

/** Milliseconds that a command takes which says its version. */
export const versionMs = async (): Promise<number> => {
  const script = await published()
  const beganAt = performance.now()
  const { code } = await Program.begin(["--version"], { ...options, script }).ended
  if (code !== 0) throw new Error(`ended with ${code}`)
  return performance.now() - beganAt
}

/** Makes the SQLite database `file` with an organization and a key. */
export const prepare = (file: string): Promise<Merchant> => openFile(file, secretKey).merchant()
