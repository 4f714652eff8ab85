/**
 * Once for a whole test run: a folder of its own for temporary files, also those of the programs that tests start. What
 * tests have left in it fails the run. Databases that are kept in memory have theirs elsewhere.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** What systems call the variable that names such a folder. */
const variables = ["TMPDIR", "TEMP", "TMP"]

/** How the project's folders begin; browsers and npm leave others. */
const own = "tolem-"

export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-run-"))
  // Databases that run as another user have their files in it.
  chmodSync(folder, 0o711)
  for (const name of variables) process.env[name] = folder
  return () => {
    const left = readdirSync(folder).filter((name) => name.startsWith(own))
    // Processes that are about to end may write meanwhile.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    if (left.length > 0) throw new Error(`tests have left ${left.join(", ")} among the temporary files`)
  }
}
