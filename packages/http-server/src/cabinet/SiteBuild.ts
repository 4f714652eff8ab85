/**
 * The cabinet where the server runs from its sources, as in the repository: built when it is first asked for, if it
 * has not been since they changed. What is published carries it.
 */
import { existsSync } from "node:fs"
import { Worker } from "node:worker_threads"
import { Effect } from "effect"

const builder = new URL("../../../cabinet/src/build/main.ts", import.meta.url)
const isSource = import.meta.url.endsWith(".ts")

let begun: Promise<Error | null> | undefined

/**
 * Makes sure that the cabinet is there and up to date, as far as it can be built here. It is tried once, and never
 * fails: what was built before is served, or none.
 */
export const ready: Effect.Effect<void> = Effect.flatMap(
  Effect.promise(() => (begun ??= build())),
  (failure) => (failure === null ? Effect.void : Effect.logWarning("Cabinet: cannot be built", failure))
)

const build = (): Promise<Error | null> =>
  new Promise((resolve) => {
    if (!isSource || !existsSync(builder)) return resolve(null)
    // A thread of its own: what it needs to build is gone from memory with it.
    const worker = new Worker(builder, { argv: [], execArgv: [], stdout: true, stderr: true })
    // Lines of the server's own log are JSON: what the build has to say goes through it.
    const told: Array<string> = []
    worker.stderr.on("data", (chunk) => told.push(String(chunk)))
    worker.once("error", resolve)
    worker.once("exit", (code) => resolve(code === 0 ? null : new Error(told.join("") || `exit code ${code}`)))
  })
