/**
 * What follows on an invoice of a link or hook that ended without money: a successor, and another one after that. They
 * are numbered by their idempotency keys, so that of two that are asked for at once there is one. Pure but for reading.
 */
import { Effect, Option, Result } from "effect"
import type { StorageError } from "../../error/StorageError.ts"
import type { InvoiceId } from "../../value/Ids.ts"
import { type DecisionContext, decideInvoice, type Invoice, InvoiceCommand } from "../Invoice.ts"
import type { InvoiceSettings } from "../InvoiceSettings.ts"
import type { InvoiceStore, Write } from "../InvoiceStore.ts"
import { nextLookAt } from "../live/LiveSchedule.ts"
import { waitingInvoice } from "../NewInvoice.ts"
import type { Origin } from "../Origin.ts"

/** An invoice's place in its succession: after which first one it comes, as which; 0 for the first itself. */
export interface Place {
  readonly first: InvoiceId
  readonly number: number
}

const keyForm = /^successor\/(inv_[0-9a-z]+)\/([1-9]\d*)$/

/** The idempotency key of a successor. Merchants' own keys may look like one: those invoices have no origin. */
const keyOf = ({ first, number }: Place): string => `successor/${first}/${number}`

/** Where an invoice stands. */
export const placeOf = ({ id, origin, idempotencyKey }: Invoice): Place => {
  const [, first, number] = (isLinked(origin) ? keyForm.exec(idempotencyKey ?? "") : null) ?? []
  return first === undefined ? { first: id, number: 0 } : { first, number: Number(number) }
}

/** Whether its successors are numbered here; those of a run are further tries of the run. */
export const isLinked = (origin: Origin | null): boolean =>
  origin?.kind === "payment-link" || origin?.kind === "form-hook"

/** Whether a customer may have another code in its place: no merchant has asked for it, and it was lost in its time. */
export const isSucceedable = ({ status, kind, origin, validUntil }: Invoice, now: number): boolean =>
  (status === "expired" || status === "failed") &&
  kind === "qr" &&
  (isLinked(origin) || origin?.kind === "subscription") &&
  validUntil !== null &&
  now < validUntil

/** Everything of a succession, the first invoice first: never more than `maxSuccessors` after it. */
export const chainOf = (
  store: Pick<InvoiceStore["Service"], "find" | "findKey">,
  invoice: Invoice,
  { maxSuccessors }: Pick<InvoiceSettings, "maxSuccessors">
): Effect.Effect<ReadonlyArray<Invoice>, StorageError> =>
  Effect.gen(function* () {
    const { first, number } = placeOf(invoice)
    const found = number === 0 ? Option.some(invoice) : yield* store.find(first)
    const chain = Option.toArray(found)
    for (let next = 1; next <= maxSuccessors; next++) {
      const successor = Option.getOrUndefined(yield* store.findKey(invoice, keyOf({ first, number: next })))
      if (successor === undefined || placeOf(successor).first !== first) return chain
      chain.push(successor)
    }
    return chain
  })

/** The invoice that takes the place of a lost one: the same but for its id, and waiting for a person as that did. */
export const successorOf = (
  lost: Invoice & { readonly origin: Origin },
  facts: { readonly id: InvoiceId; readonly now: number; readonly number: number },
  settings: InvoiceSettings
): Invoice => {
  const { id, now, number } = facts
  const { organizationId, connectionId, origin, validUntil } = lost
  const idempotencyKey = keyOf({ first: placeOf(lost).first, number })
  const { kind, amount, description, externalOrderId, customer, successUrl, failUrl, metadata } = lost
  const draft = { kind, amount, description, externalOrderId, customer, successUrl, failUrl, metadata, idempotencyKey }
  const waiting = waitingInvoice(draft, { id, organizationId, now, connectionId, origin }, settings)
  return { ...waiting, idempotencyKey, validUntil, dueAt: validUntil }
}

/** Closes an open successor, as money for an earlier one has come. */
export const superseded = (
  successor: Invoice,
  circumstances: DecisionContext,
  settings: InvoiceSettings
): Option.Option<Write> =>
  Option.map(Result.getSuccess(decideInvoice(successor, InvoiceCommand.Cancel(), circumstances)), (change) => {
    const { now } = circumstances
    const dueAt = change.next.mode === "live" ? nextLookAt({ invoice: change.next, refunds: [], now }, settings) : null
    return { ...change, next: { ...change.next, dueAt } }
  })
