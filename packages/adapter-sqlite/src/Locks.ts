/**
 * Waiting for locks while the process goes on: SQLite's own wait would hold up everything in it, and with it perhaps
 * the very transaction that is waited for.
 */
import { readFileSync, statSync } from "node:fs"
import { TransactionInTheWay } from "@tolem/core/error/StorageError"
import { IsImpatient } from "@tolem/core/work/OpenTransaction"
import { Duration, Effect } from "effect"
import { SqlError } from "effect/sql"

const lookEveryMs = 5

/**
 * After this time a transaction that stays open while the application waits for the engine waits for the engine. What
 * other threads of the process write takes less.
 */
const momentMs = 250

/** How long has been waited: as long as may be, or for the moment that an impatient fiber waits. */
export interface Wait {
  readonly isOver: boolean
  readonly isMoment: boolean
}

/** Looks every few milliseconds until there is an answer. There must be one once the wait is over. */
export const waiting = <A, E>(
  forMs: number,
  look: (wait: Wait) => Effect.Effect<A, E> | undefined
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const isImpatient = yield* IsImpatient
    for (let waited = 0; ; waited += lookEveryMs) {
      const answer = look({ isOver: waited >= forMs, isMoment: isImpatient && waited >= momentMs })
      if (answer !== undefined) return yield* answer
      yield* Effect.sleep(Duration.millis(lookEveryMs))
    }
  })

/** The byte of the shared memory file that stands for the right to write. */
const writers = "120 120"

/** Whether a connection of this process is writing to the file. Only Linux tells who holds a lock; elsewhere: no. */
export const isHeldHere = (filename: string): boolean => {
  try {
    const { ino } = statSync(`${filename}-shm`)
    const held = new RegExp(` WRITE +${process.pid} +[0-9a-f]+:[0-9a-f]+:${ino} ${writers}$`, "m")
    return held.test(readFileSync("/proc/locks", "utf8"))
  } catch {
    return false
  }
}

/** What a statement fails with that a transaction of the application keeps waiting. */
export const inTheWay = (where: string): SqlError.SqlError => {
  const message =
    `SQLite: the application has a transaction open ${where}. ` +
    "End it before you wait for the engine, or create the invoice in it: invoices.create(request, { tx })."
  const cause = new TransactionInTheWay(message)
  return new SqlError.SqlError({ reason: new SqlError.LockTimeoutError({ message, operation: "execute", cause }) })
}

/** Those who wait for their turn on a connection, behind one whose statement may wait for a lock of the file. */
export interface Line {
  isStuck: boolean
}

/** Waits where the line is stuck. Who is impatient gives up after a moment: others before them may wait for long. */
export const untilMoving = (
  line: Line,
  forMs: number,
  isInTheWay: () => boolean
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.suspend(() => {
    if (!line.isStuck) return Effect.void
    return waiting(forMs, ({ isOver, isMoment }) => {
      if (!line.isStuck || isOver) return Effect.void
      return isMoment && isInTheWay() ? Effect.fail(inTheWay("on another connection to the same file")) : undefined
    })
  })
