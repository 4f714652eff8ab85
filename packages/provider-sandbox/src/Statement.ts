/** The bank's own list of operations, and what it can be made to say that is not so, for reconciliation. Pure. */
import { Answer, refused } from "@tolem/core/provider/Answer"
import type { Operation, OperationBounds, OperationPage } from "@tolem/core/provider/Operation"
import { Tiyn } from "@tolem/core/value/Money"
import { Schema } from "effect"
import type { Life } from "./Life.ts"

const reference = Schema.String.check(Schema.isPattern(/^[\w.:~-]*\w[\w.:~-]*$/), Schema.isMaxLength(200))
const amount = Schema.Int.check(Schema.isGreaterThan(0))

/**
 * What the list says that is not so. `hidden`: it leaves the operation with this reference out. `amount`: it has
 * another amount. `extra`: there is one that was never asked for here; without `at`, when it is planted.
 */
export const Planted = Schema.Union([
  Schema.Struct({ does: Schema.Literal("hidden"), reference }),
  Schema.Struct({ does: Schema.Literal("amount"), reference, amount }),
  Schema.Struct({
    does: Schema.Literal("extra"),
    cashier: Schema.String.check(Schema.isPattern(/^7[0-9]{10}$/)),
    kind: Schema.Literals(["payment", "refund"]),
    reference,
    payment: reference,
    ours: Schema.optionalKey(reference),
    amount,
    at: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
  })
])
/** See the schema of the same name. */
export type Planted = typeof Planted.Type

/** What has moved by this payment. */
export const operationsOf = ({ reference, ours, signal }: Life): ReadonlyArray<Operation> => {
  if (signal._tag !== "Paid") return []
  const { receipt, refunds } = signal
  const paid: Operation = {
    kind: "payment",
    reference: receipt.reference,
    payment: reference,
    ours,
    amount: receipt.amount,
    at: receipt.at
  }
  return [paid, ...refunds.map((made): Operation => ({ ...made, kind: "refund", payment: reference }))]
}

/** The list as it is told once `planted` was. */
export const statementOf = (
  operations: ReadonlyArray<Operation>,
  cashier: string,
  planted: ReadonlyArray<Planted>
): ReadonlyArray<Operation> => planted.reduce((list, one) => changedBy(list, cashier, one), operations)

const changedBy = (list: ReadonlyArray<Operation>, cashier: string, one: Planted): ReadonlyArray<Operation> => {
  switch (one.does) {
    case "hidden":
      return list.filter(({ reference }) => reference !== one.reference)
    case "amount":
      return list.map((each) => (each.reference === one.reference ? { ...each, amount: Tiyn(one.amount) } : each))
    case "extra": {
      const { does: _, cashier: whose, ours = null, at = 0, ...given } = one
      return whose === cashier ? [...list, { ...given, ours, at, amount: Tiyn(one.amount) }] : list
    }
  }
}

/** The part of the list that is asked for; `after` names the last operation of the page before. */
export const statementPage = (operations: ReadonlyArray<Operation>, asked: OperationBounds): Answer<OperationPage> => {
  const isAsked = ({ at }: Operation) => at >= asked.from && at < asked.until
  const within = operations.filter(isAsked).sort((a, b) => a.at - b.at || (a.reference < b.reference ? -1 : 1))
  const last = asked.after === null ? -1 : within.findIndex(({ reference }) => reference === asked.after)
  if (asked.after !== null && last < 0) return refused("invalid", { detail: "no such place in the list" })
  const page = within.slice(last + 1, last + 1 + asked.limit)
  const isMore = last + 1 + page.length < within.length
  return Answer.Accepted({ value: { operations: page, next: isMore ? (page.at(-1)?.reference ?? null) : null } })
}
