/**
 * The cabinet where the server runs from its sources, as in the repository: built when it is first asked for, if it
 * has not been since they changed. What is published carries it.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

const builder = new URL("../../../cabinet/src/build/main.ts", import.meta.url)
const isSource = import.meta.url.endsWith(".ts")

let begun: Promise<Error | null> | undefined

/**
 * Makes sure that the cabinet is there and up to date, as far as it can be built here. It is tried once, and never
 * fails: what was built before is served, or none.
 */
export const ready: Effect.Effect<void> = Effect.flatMap(
  Effect.promise(
    () => (begun ??= isSource && existsSync(builder) ? runBuilder(fileURLToPath(builder)) : Promise.resolve(null))
  ),
  (failure) => (failure === null ? Effect.void : Effect.logWarning("Cabinet: cannot be built", failure))
)

/**
 * Runs a program that builds, and answers why it failed, or null. It is a process of its own: what it needs is gone
 * from memory with it, and a fault of its native code ends it alone. It ends with this process at the latest.
 */
export const runBuilder = (program: string): Promise<Error | null> =>
  new Promise((resolve) => {
    // In a group of its own: what a terminal sends to the server's, as Ctrl+C, would seem to be a fault of the build.
    const child = spawn(process.execPath, [program], { stdio: ["ignore", "ignore", "pipe"], detached: true })
    const end = () => child.kill("SIGKILL")
    process.once("exit", end)
    // Lines of the server's own log are JSON: what the build has to say goes through it.
    const told: Array<string> = []
    child.stderr.on("data", (chunk) => told.push(String(chunk)))
    child.once("error", resolve)
    child.once("close", (code, signal) => {
      process.off("exit", end)
      resolve(code === 0 ? null : new Error(told.join("") || `ended with ${signal ?? code}`))
    })
  })
