/** What an operation that the two sides do not have alike is: a difference with its cause, or none after all. Pure. */
import type { InvoiceStatus } from "../invoice/Invoice.ts"
import type { Refund } from "../invoice/Refund.ts"
import type { Operation } from "../provider/Operation.ts"
import type { ConnectionId, InvoiceId } from "../value/Ids.ts"
import type { Tiyn } from "../value/Money.ts"
import type { Unmatched } from "./Comparison.ts"
import type { Difference } from "./WorkItem.ts"

/** An invoice that an operation may be of, with its refunds. */
export interface KnownInvoice {
  readonly id: InvoiceId
  readonly connectionId: ConnectionId | null
  readonly status: InvoiceStatus
  readonly amount: Tiyn
  readonly providerReference: string | null
  readonly paidAt: number | null
  readonly refunds: ReadonlyArray<Pick<Refund, "id" | "status" | "amount" | "providerReference">>
}

/** All that a decision needs: the cashier, by how much clocks may differ, and the invoices that are named. */
export interface Knowledge {
  readonly connectionId: ConnectionId
  readonly marginMs: number
  readonly invoices: ReadonlyArray<KnownInvoice>
}

/** The ids and references by which the invoices of operations are found. */
export const namesOf = (unmatched: ReadonlyArray<Unmatched>) => {
  const theirs = unmatched.flatMap((each) => (each.side === "there" ? [each.operation] : []))
  const oursOf = (kind: Operation["kind"]) =>
    theirs.flatMap(({ kind: own, ours }) => (own === kind && ours !== null ? [ours] : []))
  return {
    invoiceIds: [...new Set(oursOf("payment"))],
    refundIds: [...new Set(oursOf("refund"))],
    references: [...new Set(theirs.map(({ payment }) => payment))]
  }
}

const subjectOf = ({ kind, reference }: Operation): string => `${kind} ${reference}`

/** What it is; null: both sides have it, only not where it was looked for. */
export const differenceOf = (unmatched: Unmatched, knowledge: Knowledge): Difference | null => {
  if (unmatched.side === "there") return missingHere(unmatched.operation, knowledge)
  const { own } = unmatched
  const members = {
    payment: own.payment,
    invoiceId: own.invoiceId,
    refundId: own.kind === "refund" ? own.id : null,
    amountHere: own.amount
  }
  if (unmatched.side === "here") {
    const subject = `${own.kind} of ${own.id}`
    return { ...members, subject, kind: "missing_there", cause: "not_listed", amountThere: null }
  }
  const { operation } = unmatched
  const subject = subjectOf(operation)
  return { ...members, subject, kind: "amount_differs", cause: "amounts", amountThere: operation.amount }
}

const missingHere = (operation: Operation, knowledge: Knowledge): Difference | null => {
  const invoice = knowledge.invoices.find(
    ({ id, providerReference, refunds }) =>
      id === operation.ours ||
      providerReference === operation.payment ||
      (operation.ours !== null && refunds.some((refund) => refund.id === operation.ours))
  )
  const found: Difference = {
    subject: subjectOf(operation),
    kind: "missing_here",
    cause: "unknown_invoice",
    payment: operation.payment,
    invoiceId: invoice?.id ?? null,
    refundId: null,
    amountHere: null,
    amountThere: operation.amount
  }
  if (operation.kind === "refund") return refundMissing(operation, invoice, found)
  return invoice === undefined ? found : paymentMissing(operation, invoice, found, knowledge)
}

const paymentMissing = (
  operation: Operation,
  invoice: KnownInvoice,
  found: Difference,
  knowledge: Knowledge
): Difference | null => {
  if (invoice.paidAt === null) return { ...found, cause: "not_noticed" }
  if (!isPaymentOf(operation, invoice, invoice.paidAt, knowledge)) return { ...found, cause: "paid_twice" }
  if (invoice.amount === operation.amount) return null
  return { ...found, kind: "amount_differs", cause: "amounts", amountHere: invoice.amount }
}

/**
 * Whether it is the payment that the invoice was paid by. Of this cashier it is not: what is as near as clocks may
 * differ was read, so that it stands in the list as another payment.
 */
const isPaymentOf = (
  { payment, at }: Operation,
  invoice: KnownInvoice,
  paidAt: number,
  { connectionId, marginMs }: Knowledge
): boolean =>
  invoice.connectionId !== connectionId &&
  (invoice.providerReference === null || invoice.providerReference === payment) &&
  Math.abs(at - paidAt) <= marginMs

const refundMissing = (
  operation: Operation,
  invoice: KnownInvoice | undefined,
  found: Difference
): Difference | null => {
  const elsewhere = { ...found, kind: "refunded_elsewhere", cause: "made_elsewhere" } as const
  const refunds = invoice?.refunds ?? []
  const record =
    refunds.find(({ providerReference }) => providerReference === operation.reference) ??
    refunds.find(({ id }) => id === operation.ours)
  if (record === undefined) return elsewhere
  // Made by another movement, so that this one has given the money back once more.
  const made = record.status === "succeeded" ? record.providerReference : null
  if (made !== null && made !== operation.reference) return elsewhere
  const own = { ...found, refundId: record.id }
  if (record.status === "pending" || record.status === "unknown") return { ...own, cause: "refund_open" }
  if (record.status === "failed") return { ...own, cause: "refund_failed" }
  if (record.amount === operation.amount) return null
  return { ...own, kind: "amount_differs", cause: "amounts", amountHere: record.amount }
}
