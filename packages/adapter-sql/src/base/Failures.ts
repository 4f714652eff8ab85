/**
 * Turns whatever `effect/sql` does when a write fails into the core's `StorageError`, which says the one thing that
 * callers need: is it certain that nothing was written?
 *
 * `withTransaction` of effect 4.1 ends in a defect when the connection is lost inside of it: the body fails, ROLLBACK
 * fails too, and both errors become defects that `catchTag` and `retry` never see. A failed COMMIT is typed, but looks
 * like any other failed statement. And the classification files a server that shuts down, starts up or is full (57P01
 * to 57P03, 53300) under `UnknownError`.
 */
import { StorageError } from "@tolem/core/error/StorageError"
import { timed } from "@tolem/core/measure/DatabaseUse"
import { Cause, Duration, Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"
import { withoutValues } from "./Discretion.ts"
import { inTransaction } from "./Transactions.ts"

interface Hurry {
  /** It may take any time. */
  readonly unhurried?: boolean
}

/** How a store talks to its database. Both fail with `StorageError`, and with nothing else that the database does. */
export interface Failures {
  /**
   * `body` in one transaction. Fails with the body's own errors too. Where another transaction was in the way and all
   * was undone (deadlock, serialization failure), it is tried again, so the body must consist of statements only.
   */
  readonly transaction: <A, E, R>(
    operation: string,
    body: Effect.Effect<A, E, R>,
    options?: Hurry
  ) => Effect.Effect<A, Others<E> | StorageError, R>
  /** What belongs to a transaction that is committed elsewhere, and fails with the body's own errors too. */
  readonly failing: <A, E, R>(
    operation: string,
    body: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, Others<E> | StorageError, R>
  /** One statement that commits by itself. It may have been committed when the connection goes away. */
  readonly statement: <A, R>(
    operation: string,
    self: Effect.Effect<A, SqlError.SqlError, R>,
    options: Hurry & { readonly writes: boolean }
  ) => Effect.Effect<A, StorageError, R>
}

/** Times that a transaction is tried again when others are in its way. */
const conflictRetries = 5

/** The two for this client. `deadlineMs`: when an answer that has not come is given up for lost. */
export const makeFailures = (sql: SqlClient.SqlClient, deadlineMs: number | undefined): Failures => {
  const inTime = <A, E, R>(operation: string, outcome: () => StorageError["outcome"], self: Effect.Effect<A, E, R>) =>
    deadlineMs === undefined
      ? self
      : Effect.timeoutOrElse(self, {
          duration: Duration.millis(deadlineMs),
          orElse: () => {
            const cause = new Error(`no answer from the database within ${deadlineMs} ms`)
            return Effect.fail(new StorageError({ operation, outcome: outcome(), retryable: true, cause }))
          }
        })

  const transaction: Failures["transaction"] = (operation, body, { unhurried = false } = {}) =>
    Effect.suspend(() => {
      let committing = false // once the body has succeeded, only COMMIT can fail
      const noted = Effect.tap(body, () =>
        Effect.sync(() => {
          committing = true
        })
      )
      const outcome = () => (committing ? "unknown" : "nothing_written")
      const asked = timed("transaction", inTransaction(sql, noted))
      return (unhurried ? asked : inTime(operation, outcome, asked)).pipe(
        Effect.catchCause((cause) => asStorageError(operation, cause, committing))
      )
    }).pipe(
      Effect.retry({
        times: conflictRetries,
        while: (error) => error instanceof StorageError && isConflict(error.cause)
      })
    )

  const statement: Failures["statement"] = (operation, self, { writes, unhurried = false }) => {
    const asked = timed(writes ? "write" : "read", self)
    const answered = unhurried ? asked : inTime(operation, () => (writes ? "unknown" : "nothing_written"), asked)
    return answered.pipe(
      Effect.catchCause((cause) => asStorageError(operation, cause, writes)),
      Effect.retry({ times: conflictRetries, while: (error) => isConflict(error.cause) })
    )
  }

  const failing: Failures["failing"] = (operation, body) =>
    Effect.catchCause(body, (cause) => asStorageError(operation, cause, false))

  return { transaction, failing, statement }
}

type Others<E> = Exclude<E, SqlError.SqlError>

const asStorageError = <E>(
  operation: string,
  cause: Cause.Cause<E>,
  committing: boolean
): Effect.Effect<never, Others<E> | StorageError> => {
  const error = fromCause(operation, cause, committing)
  return error === undefined ? Effect.failCause(cause as Cause.Cause<Others<E>>) : Effect.fail(error)
}

/** Whether others were in the way: the database has undone everything, and they are done soon. */
export const isConflict = (error: unknown): boolean =>
  SqlError.isSqlError(error) && /^(Deadlock|Serialization)Error$/.test(error.reason._tag)

const memberOfCause = (error: SqlError.SqlError, member: "code" | "errno"): unknown => {
  const cause: unknown = error.reason.cause
  return typeof cause === "object" && cause !== null && member in cause
    ? cause[member as keyof typeof cause]
    : undefined
}

// Class 57P: shutdown, crash, starting up. 25P03: idle in transaction too long. Class 53: no room, no connections.
// 10 (SQLITE_IOERR): the disk failed, perhaps after it took the commit.
const isUnavailable = (error: SqlError.SqlError): boolean => {
  const state = memberOfCause(error, "code")
  const sqlite = memberOfCause(error, "errno")
  return (
    error.reason._tag === "ConnectionError" ||
    (typeof state === "string" && /^(57P|25P03|53)/.test(state)) ||
    (typeof sqlite === "number" && (sqlite & 0xff) === 10)
  )
}

const fromCause = <E>(operation: string, cause: Cause.Cause<E>, committing: boolean): StorageError | undefined => {
  for (const reason of cause.reasons) {
    const error = Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined
    if (!SqlError.isSqlError(error)) continue
    const lost = isUnavailable(error)
    return new StorageError({
      operation,
      outcome: committing && lost ? "unknown" : "nothing_written",
      retryable: lost || error.isRetryable,
      isHeld: memberOfCause(error, "code") === "55P03",
      cause: withoutValues(error)
    })
  }
  return undefined
}
