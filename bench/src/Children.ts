/** Server processes of the benchmarks, on databases in a temporary folder. */
import { type Merchant, openFile } from "@tolem/testing-harness/Desk"
import * as Program from "@tolem/testing-harness/Program"

/** What all that work on a database of the benchmark seal secrets with. */
export const secretKey = "a-key-for-benchmarks-only-of-no-other-use"

const options = { variables: { TOLEM_SECRET_KEY: secretKey }, showsErrors: true }

/** Starts a script that prints a line of JSON with its `port` once it is ready. */
export const start = (script: string, args: ReadonlyArray<string>): Promise<Program.Service> =>
  Program.listening(Program.begin(args, { ...options, script }))

/** Starts the reference server without limits on the rate of requests. */
export const serve = (database: string, more: ReadonlyArray<string> = []): Promise<Program.Service> =>
  Program.serve([...Program.unlimited(database), ...more], options)

/** Makes the SQLite database `file` with an organization and a key. */
export const prepare = (file: string): Promise<Merchant> => openFile(file, secretKey).merchant()
