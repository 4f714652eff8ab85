/** What moved at the provider: its own list of a cashier's payments and refunds, as values of the port. */
import type { Tiyn } from "../value/Money.ts"

/** A movement of money that the provider has carried out. `at` in milliseconds. */
export interface Operation {
  readonly kind: "payment" | "refund"
  /** The provider's reference of the movement: of a receipt, or of a refund. One for each. */
  readonly reference: string
  /** The provider's reference of the payment that it is, or gives back. */
  readonly payment: string
  /** Our id of the invoice or refund; null if it was made outside of us, or the provider does not keep ids. */
  readonly ours: string | null
  /** What has moved, above zero for refunds too. */
  readonly amount: Tiyn
  readonly at: number
}

/** Which part of the list is asked for. Instants are milliseconds. */
export interface OperationBounds {
  /** The first instant, and the first behind the last. */
  readonly from: number
  readonly until: number
  /** The `next` of the page before; null: from the beginning. */
  readonly after: string | null
  /** The most operations that are wanted, 1 to `maxPageOperations`. */
  readonly limit: number
}

/** A part of the list. */
export interface OperationPage {
  /** By `at`, oldest first; what has the same instant in an order of the provider's own that stays. */
  readonly operations: ReadonlyArray<Operation>
  /** Where the next part begins, in the provider's own words; null: there is no more. */
  readonly next: string | null
}

/** The most operations of a page: with the longest references one fits into an answer that is read. */
export const maxPageOperations = 250

/** Whether a page is what was asked for: in order, within its bounds, not too much, and leading onwards. Pure. */
export const isPageOf = ({ operations, next }: OperationPage, asked: OperationBounds): boolean =>
  operations.length <= asked.limit &&
  (next === null || (next !== asked.after && operations.length > 0)) &&
  operations.every(
    ({ at }, index) => at >= asked.from && at < asked.until && at >= (operations[index - 1]?.at ?? asked.from)
  )
