/** What the promises of an embedded engine are rejected with. */
import { type Code, entry, fieldOf } from "../error/ErrorCatalog.ts"
import { isInTheWay, StorageError } from "../error/StorageError.ts"
import type { Coded } from "./Faces.ts"

/** What the engine refused. `code` is stable; `message` is for people, in Kazakh, and `messages` in three languages. */
export class TolemError extends Error {
  override readonly name = "TolemError"
  readonly code: Code
  readonly messages: { readonly kk: string; readonly ru: string; readonly en: string }
  /** The member of the request that breaks its rule, by its own name; null if it is none, or not told. */
  readonly field: string | null
  /** The status of the same answer over HTTP. */
  readonly status: number
  /** Whether the same request may be sent again later as it is. */
  readonly retryable: boolean
  /** How long to wait, if the refusal says so. */
  readonly retryAfterSeconds: number | null
  /** The invoice and the refund that were stored before the failure, and may have come to something. */
  readonly invoiceId: string | null
  readonly refundId: string | null
  constructor(failure: Coded) {
    const isStorage = failure instanceof StorageError
    const code = isStorage && isInTheWay(failure) ? "transaction_in_the_way" : failure.code
    const { status, retryable, ...messages } = entry(code)
    const cause = isStorage ? failure.cause : undefined
    super(messages.kk, cause === undefined ? {} : { cause })
    this.code = code
    this.messages = messages
    this.field = fieldOf(code)
    this.status = status
    this.retryable = retryable
    this.retryAfterSeconds = failure.retryAfterSeconds ?? null
    const stored = isStorage ? failure.stored : failure
    this.invoiceId = stored?.invoiceId ?? null
    this.refundId = stored?.refundId ?? null
  }
}

/** The engine was used after `close()`, or was closed before this had ended: then it may have happened. */
export class EngineClosed extends Error {
  override readonly name = "EngineClosed"
  constructor() {
    super("This engine was closed; createEngine() opens another one")
  }
}
