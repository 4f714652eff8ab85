/** Opens a database only to read: it is afterwards as it was, with its folder. May throw what SQLite does. */
import { accessSync, constants, existsSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as FileModes from "./FileModes.ts"
import { DatabaseSync } from "./NodeSqlite.ts"

/**
 * A connection that cannot write. Readers of a database with a log (WAL) need the log's files, and would make them:
 *
 * - Where there is a log, others work on the database or have crashed. It is read with what the log holds, and stays.
 * - Where there is none and the files could be written, the connection may make the log's files, and takes them away
 *   when it closes: a connection that SQLite itself takes for read-only would leave them behind.
 * - Where there is none and nothing can be written here, the file is read as one that does not change. No other may
 *   begin to write to it elsewhere meanwhile.
 */
export const open = (filename: string, busyMs: number): DatabaseSync => {
  const file = FileModes.fileOf(filename)
  if (file !== null && !existsSync(file)) throw new Error(`there is no file ${file}`)
  const db = connect(filename, file)
  try {
    db.exec(`PRAGMA busy_timeout = ${busyMs}; PRAGMA query_only = ON; PRAGMA cache_size = -32000`)
    // Finds out whether it can be read.
    db.exec("SELECT 1 FROM sqlite_schema LIMIT 1")
    return db
  } catch (cause) {
    db.close()
    throw file !== null && isWithoutIndex(file) ? new Error(withoutIndex(file), { cause }) : cause
  }
}

const connect = (filename: string, file: string | null): DatabaseSync => {
  if (file === null || existsSync(`${file}-wal`)) return new DatabaseSync(filename, { readOnly: true })
  if (isWritable(file) && isWritable(dirname(file))) return new DatabaseSync(filename)
  return new DatabaseSync(`${pathToFileURL(resolve(file))}?immutable=1`, { readOnly: true })
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

// The index of the log is made anew from it, in a file beside it.
const isWithoutIndex = (file: string): boolean =>
  existsSync(`${file}-wal`) && !existsSync(`${file}-shm`) && !isWritable(dirname(file))

const withoutIndex = (file: string): string =>
  `${file}-wal holds changes that cannot be read in a folder that cannot be written. ` +
  "Copy both files to one that can be"
