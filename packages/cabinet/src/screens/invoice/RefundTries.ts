/**
 * Refunds that were asked for and not answered, for the life of the page: what is sent again is then known as the same
 * to the server, also from a dialog that was closed and opened.
 */
import { Refusal } from "../../api/Call.ts"
import { freshKey } from "../../browser/Keys.ts"

/** What is given back of an invoice, and why. */
export interface RefundOrder {
  readonly amount: number
  readonly reason?: string
}

const keys = new Map<string, string>()
const unanswered = new Set<string>()

const nameOf = (id: string, { amount, reason = "" }: RefundOrder): string => JSON.stringify([id, amount, reason])

/** The key of such a refund: the same until it is done. */
export const refundKey = (id: string, order: RefundOrder): string => {
  const name = nameOf(id, order)
  const key = keys.get(name) ?? freshKey()
  keys.set(name, key)
  return key
}

/** It is done: the same asked for once more is another refund. */
export const refundDone = (id: string, order: RefundOrder): void => {
  keys.delete(nameOf(id, order))
  unanswered.delete(id)
}

/** Whether a failure leaves open what became of the request. */
export const leavesOpen = (failure: Error): boolean =>
  !(failure instanceof Refusal) || failure.code === "offline" || failure.status >= 500

/** A refund of the invoice failed. */
export const refundFailed = (id: string, failure: Error): void => {
  if (leavesOpen(failure)) unanswered.add(id)
}

/** Whether a refund of the invoice may have been done that its last reading does not show. */
export const isUnanswered = (id: string): boolean => unanswered.has(id)

/** The invoice was read after that. */
export const takeAsRead = (id: string): void => void unanswered.delete(id)
