/** What a store answers when it could not do its work. */
import { Data } from "effect"
import type { InvoiceId, RefundId } from "../value/Ids.ts"

/**
 * The storage failed. Never a fact about the data: those have errors of their own.
 * `operation` names the verb; `cause` is the adapter's own error and is for logs only.
 */
export class StorageError extends Data.TaggedError("StorageError")<{
  readonly operation: string
  /** `unknown`: the connection went away while the commit was on its way. Read before you write again. */
  readonly outcome: "nothing_written" | "unknown"
  /** Whether the same call may succeed later; with an unknown outcome only if it is idempotent. */
  readonly retryable: boolean
  readonly cause: unknown
  /** Another transaction holds a row or a key that one of the items needs; the others may be free. */
  readonly isHeld?: boolean | undefined
  /** What was stored before, or may have been, and is looked into. */
  readonly stored?: StoredBefore | undefined
}> {
  readonly code = "service_unavailable"

  /** The same failure, of a request that has stored this. */
  about(stored: StoredBefore): StorageError {
    const { operation, outcome, retryable, cause, isHeld } = this
    return new StorageError({ operation, outcome, retryable, cause, isHeld, stored })
  }
}

/** The cause of a failure: a transaction that the application itself has open is in the way. */
export class TransactionInTheWay extends Error {
  override readonly name = "TransactionInTheWay"
}

/** Whether a transaction of the application was in the way, and would perhaps have waited for the engine. */
export const isInTheWay = (error: StorageError): boolean => {
  let cause = error.cause
  while (cause instanceof Error && !(cause instanceof TransactionInTheWay)) cause = cause.cause
  return cause instanceof TransactionInTheWay
}

/** What a request has stored before it failed. */
export interface StoredBefore {
  readonly invoiceId?: InvoiceId
  readonly refundId?: RefundId
}

/** What is refused because too much of the same tenant waits already. It was not begun, and may be asked again. */
export const overfull = (operation: string): StorageError =>
  new StorageError({
    operation,
    outcome: "nothing_written",
    retryable: true,
    cause: new Error("too much of one organization waits")
  })

/** Whether a failed write of many items may be the fault of one of them, so that writing them singly helps. */
export const isOneItemsFault = (error: StorageError): boolean => !error.retryable && error.outcome === "nothing_written"
