/**
 * A backup of a file that servers go on writing to. It is one moment of the database: all pages are copied in one step,
 * as a copy in several steps begins anew with each write of another process. Writers wait for nothing meanwhile; their
 * log (WAL) grows by what they write until the step has ended.
 */
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync
} from "node:fs"
import { dirname } from "node:path"
import { tell } from "@tolem/core/work/Progress"
import { Data, Duration, Effect, Fiber } from "effect"
import { backup, type DatabaseSync } from "./NodeSqlite.ts"
import * as ReadOnly from "./ReadOnly.ts"

/** Why there is no backup. Nothing is left of it. */
export class BackupFailed extends Data.TaggedError("BackupFailed")<{
  /** `target_exists`: nothing is ever overwritten. `damaged`: what was copied is no sound database. */
  readonly reason: "source_unreadable" | "target_exists" | "target_unwritable" | "damaged"
  readonly message: string
}> {}

/** The file that is copied, and the one that is made. */
export interface BackupOptions {
  readonly filename: string
  /** A file that is not there. Its folder is. */
  readonly to: string
}

/** Pages of one step: all that a database can have. */
const allPages = 2 ** 31 - 1

const busyMs = 10_000

/** How often it is looked how far the copy has come. */
const lookMs = 250

/**
 * Copies the database, checks that the copy is whole, and only then gives it its name; answers how many bytes it has.
 * The file is its owner's alone, and is on the disk when this returns.
 */
export const backUp = Effect.fnUntraced(function* ({ filename, to }: BackupOptions) {
  if (existsSync(to)) return yield* exists(to)
  const source = yield* Effect.acquireRelease(
    attempt("source_unreadable", () => ReadOnly.open(filename, busyMs)),
    (db) => Effect.sync(() => db.close())
  )
  const part = yield* Effect.acquireRelease(made(`${to}.${process.pid}.part`), removed)
  yield* copied(source, filename, part)
  yield* checked(part)
  yield* named(part, to)
  return statSync(to).size
}, Effect.scoped)

const attempt = <A>(reason: BackupFailed["reason"], run: () => A) =>
  Effect.try({ try: run, catch: (cause) => new BackupFailed({ reason, message: messageOf(cause) }) })

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const exists = (file: string) =>
  Effect.fail(
    new BackupFailed({
      reason: "target_exists",
      message: `there is a file ${file} already; name another one, or remove it`
    })
  )

/** An empty file for its owner alone, in place of one that an earlier call has left behind. */
const made = (file: string) =>
  attempt("target_unwritable", () => {
    rmSync(file, { force: true })
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600))
    return file
  })

const removed = (file: string) =>
  Effect.sync(() => {
    for (const suffix of ["", "-journal", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true })
  })

const copied = (source: DatabaseSync, filename: string, part: string) =>
  Effect.gen(function* () {
    const watch = yield* Effect.forkChild(Effect.forever(Effect.delay(come(filename, part), Duration.millis(lookMs))))
    yield* Effect.tryPromise({
      try: () => backup(source, part, { rate: allPages }),
      catch: (cause) => new BackupFailed({ reason: "target_unwritable", message: messageOf(cause) })
    })
    yield* Fiber.interrupt(watch)
  })

const mega = (bytes: number): number => Math.round(bytes / 1e6)

const come = (filename: string, part: string) =>
  Effect.suspend(() => tell({ what: "megabytes", done: mega(statSync(part).size), of: mega(statSync(filename).size) }))

/** Whether the file can be read to its end, and its indexes say what its tables do. */
const checked = (part: string) =>
  Effect.gen(function* () {
    const found = yield* attempt("damaged", () => {
      const db = ReadOnly.open(part, busyMs)
      try {
        return db
          .prepare("PRAGMA integrity_check(10)")
          .all()
          .map((row) => String(row["integrity_check"]))
      } finally {
        db.close()
      }
    })
    if (found.join() !== "ok") return yield* new BackupFailed({ reason: "damaged", message: found.join("; ") })
  })

/** Gives the file its name, unless another one has it by now. */
const named = (part: string, to: string) =>
  Effect.gen(function* () {
    yield* attempt("target_unwritable", () => flushed(part))
    const isTaken = yield* attempt("target_unwritable", () => !isLinked(part, to))
    if (isTaken) return yield* exists(to)
    yield* attempt("target_unwritable", () => flushed(dirname(to)))
  })

const flushed = (path: string): void => {
  const fd = openSync(path, "r")
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

const isLinked = (part: string, to: string): boolean => {
  try {
    linkSync(part, to)
    unlinkSync(part)
    return true
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined
    if (code === "EEXIST") return false
    // A file system without links: the name is free as far as can be seen.
    if (existsSync(to)) return false
    renameSync(part, to)
    return true
  }
}
