/**
 * Runs commands of `tolem` one after another in one process, each with its own arguments, folder and environment: most
 * of what a command takes is its start.
 */
import { Effect } from "effect"
import * as Shutdown from "../../../src/cli/kit/Shutdown.ts"
import { command } from "../../../src/cli/Tolem.ts"

interface Call {
  readonly cwd: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  /** Whether standard output is a terminal. */
  readonly terminal: boolean
}

/** Hears what is written to the stream instead of its reader. */
const hear = (stream: NodeJS.WriteStream, said: (text: string) => void) => {
  stream.write = (chunk: string | Uint8Array, ...rest: ReadonlyArray<unknown>) => {
    said(typeof chunk === "string" ? chunk : Buffer.from(chunk).toString())
    const done = rest.find((each) => typeof each === "function")
    if (done !== undefined) process.nextTick(done as () => void)
    return true
  }
}

const said = { stdout: "", stderr: "" }
hear(process.stdout, (text) => (said.stdout += text))
hear(process.stderr, (text) => (said.stderr += text))

const run = async ({ cwd, args, env, terminal }: Call) => {
  process.stdout.isTTY = terminal
  process.stderr.isTTY = terminal
  Object.assign(said, { stdout: "", stderr: "" })
  process.chdir(cwd)
  process.argv.splice(2, process.argv.length, ...args)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  const ending = { faulty: false }
  const code = await Effect.runPromise(command(ending, Shutdown.make(ending).layer))
  // What was written last has gone through its streams.
  await new Promise(setImmediate)
  return { code, ...said }
}

process.on("message", (call: Call) => void run(call).then((ended) => process.send?.(ended)))
process.on("disconnect", () => process.exit())
