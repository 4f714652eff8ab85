/**
 * Turns whatever `effect/sql` does when a write fails into the core's `StorageError`, which says the one thing that
 * callers need: is it certain that nothing was written?
 *
 * `withTransaction` of effect 4.1 ends in a defect when the connection is lost inside of it: the body fails, ROLLBACK
 * fails too, and both errors become defects that `catchTag` and `retry` never see. A failed COMMIT is typed, but looks
 * like any other failed statement. And the classification files a server that shuts down, starts up or is full (57P01
 * to 57P03, 53300) under `UnknownError`.
 */
import { StorageError } from "@tolem/core/StorageError"
import { Cause, Effect } from "effect"
import { type SqlClient, SqlError } from "effect/sql"

/**
 * `body` in one transaction. Fails with the body's own errors, or with `StorageError`. Never retried here: whoever
 * knows whether the call is idempotent retries, outside of the transaction.
 */
export const transaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  operation: string,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, Exclude<E, SqlError.SqlError> | StorageError, R> =>
  Effect.suspend(() => {
    let committing = false // once the body has succeeded, only COMMIT can fail
    const noted = Effect.tap(body, () =>
      Effect.sync(() => {
        committing = true
      })
    )
    return sql.withTransaction(noted).pipe(
      Effect.catchCause((cause): Effect.Effect<never, Exclude<E, SqlError.SqlError> | StorageError> => {
        const error = fromCause(operation, cause, committing)
        return error === undefined
          ? Effect.failCause(cause as Cause.Cause<Exclude<E, SqlError.SqlError>>)
          : Effect.fail(error)
      })
    )
  })

/** One statement that commits by itself. It may have been committed when the connection goes away. */
export const statement = <A, R>(
  operation: string,
  self: Effect.Effect<A, SqlError.SqlError, R>,
  options: { readonly writes: boolean }
): Effect.Effect<A, StorageError, R> =>
  Effect.catchCause(self, (cause) => {
    const error = fromCause(operation, cause, options.writes)
    return error === undefined ? Effect.failCause(cause as Cause.Cause<never>) : Effect.fail(error)
  })

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
      cause: error
    })
  }
  return undefined
}
