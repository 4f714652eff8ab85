/** What a program that was made compiles at its first starts, made beforehand: see `NodeScripts`. */
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"

/** How soon a service has loaded what sends webhooks. */
const sendsAfterMs = 3_000

const longestMs = 120_000

/** Starts `program` on a database of its own as a service and as a command, and keeps what that compiles in `cache`. */
export const keepFirstStarts = async (program: string, cache: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-first-"))
  try {
    const given = Object.entries(process.env).filter(([name]) => !/^(TOLEM_|NODE_)/.test(name))
    const own = { XDG_CACHE_HOME: cache, TOLEM_DATABASE: `sqlite:${join(folder, "first.db")}` }
    const env = { ...Object.fromEntries(given), ...own }
    const options = { cwd: folder, env }
    const args = ["serve", "--host", "127.0.0.1", "--port", "0", "--log-level", "error"]
    const service = spawn(process.execPath, [program, ...args], {
      ...options,
      stdio: ["ignore", "pipe", "inherit"],
      timeout: longestMs
    })
    const ended = once(service, "exit")
    await Promise.race([once(service.stdout, "data"), ended])
    await Promise.race([setTimeout(sendsAfterMs), ended])
    service.kill("SIGTERM")
    const [code] = await ended
    if (code !== 0) throw new Error(`${program} ended with ${code}`)
    await promisify(execFile)(process.execPath, [program, "org", "list"], options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
