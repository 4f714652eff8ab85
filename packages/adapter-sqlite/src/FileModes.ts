/** Files of a database are its owner's alone: they hold what customers have told their merchants. */
import { closeSync, constants, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

/** Neither the group nor others may read or write. */
const mode = 0o600
const others = 0o077

/** SQLite gives these the mode of the database, each time that it makes them. */
const companions = ["", "-wal", "-shm"]

/** The file that a name of a database means; null if it keeps nothing in one. */
export const fileOf = (filename: string): string | null => {
  if (!filename.startsWith("file:")) return filename === "" || filename.startsWith(":") ? null : filename
  const url = URL.parse(filename)
  const isInMemory = url === null || url.searchParams.get("mode") === "memory" || url.pathname.includes(":memory:")
  return isInMemory ? null : fileURLToPath(new URL(url.pathname, "file:"))
}

/**
 * Makes the file with its folder if it is missing, for its owner alone from the first byte, whatever the umask says.
 * One that others can read is left as it is, and warned about. May throw what the file system does.
 */
export const prepare = (file: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    mkdirSync(dirname(file), { recursive: true })
    return isMade(file) ? Effect.void : warnOfOthers(file)
  })

/** Warns about files of a database that others can read. */
export const warnOfOthers = (file: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    const open = companions.map((suffix) => `${file}${suffix}`).filter(isOpenToOthers)
    const names = open.map((name) => `'${name}'`).join(" ")
    const warning = `Others on this machine can read the database ${file}. Close it to them with: chmod 600 ${names}`
    return open.length === 0 ? Effect.void : Effect.logWarning(warning)
  })

const isMade = (file: string): boolean => {
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, mode))
    return true
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false
    throw cause
  }
}

// Windows has no such modes.
const isOpenToOthers = (file: string): boolean => {
  const found = process.platform === "win32" ? undefined : statSync(file, { throwIfNoEntry: false })
  return found !== undefined && (found.mode & others) !== 0
}
