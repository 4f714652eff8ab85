/** Server processes of the benchmarks, on databases in a temporary folder. */
import { type Merchant, openFile } from "@tolem/testing-harness/Desk"
import * as Program from "@tolem/testing-harness/Program"
import { makePrograms } from "@tolem/testing-harness/Programs"

/** What all that work on a database of the benchmark seal secrets with. */
export const secretKey = "a-key-for-benchmarks-only-of-no-other-use"

const options = { variables: { TOLEM_SECRET_KEY: secretKey }, showsErrors: true }

/** Starts a script that prints a line of JSON with its `port` once it is ready. */
export const start = (script: string, args: ReadonlyArray<string>): Promise<Program.Service> =>
  Program.listening(Program.begin(args, { ...options, script }))

let made: ReturnType<typeof makePrograms> | undefined

/** The program `tolem` in a few files, as it is published; made once. */
const published = async (): Promise<string> => {
  made ??= makePrograms()
  return (await made)[Program.program] ?? Program.program
}

/** Starts the reference server, as it is published, without limits on the rate of requests. */
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
