/** What a state that the provider has told means to a live invoice: the next change, if any. Pure. */
import { Result } from "effect"
import type { MadeRefund, Payment } from "../../provider/Payment.ts"
import { optionalUrl } from "../../value/Checks.ts"
import type { RefundId } from "../../value/Ids.ts"
import { type DecisionContext, decideInvoice, type Invoice, InvoiceCommand, isOpen, type Receipt } from "../Invoice.ts"
import type { Write } from "../InvoiceStore.ts"
import { decideRefund, isUnresolved, type Refund } from "../Refund.ts"

/** All that a decision needs. */
export interface ProviderFacts {
  readonly invoice: Invoice
  /** All refund records of the invoice. */
  readonly refunds: ReadonlyArray<Refund>
  readonly payment: Payment
  readonly circumstances: DecisionContext
  /** Identifier of a refund record, should one have to be made. */
  readonly refundId: RefundId
}

/** What a state leads to. */
export type NextStep =
  | { readonly _tag: "Write"; readonly write: Write }
  | { readonly _tag: "Settled" }
  /** What cannot be: another amount, or more refunds than money. The merchant must look at it. */
  | { readonly _tag: "Contradiction"; readonly what: string }

const settled: NextStep = { _tag: "Settled" }

/**
 * The next change. One state may need several, one after the other: an invoice whose create was lost is first offered,
 * then paid, then refunded. Called again with what the change has made, it answers the one after it, and `Settled` in
 * the end. The same payment never pays twice: a paid invoice takes no second payment.
 */
export const nextStep = (facts: ProviderFacts): NextStep => {
  const { invoice, payment, circumstances } = facts
  if (invoice.status === "new") return step(facts, InvoiceCommand.Offer({ offer: offerOf(payment) }))
  const { signal } = payment
  switch (signal._tag) {
    case "Waiting":
    case "Scanned": {
      if (invoice.status === "pending" && hasEnded(invoice, circumstances.now)) {
        return step(facts, InvoiceCommand.Expire())
      }
      const write = signal._tag === "Scanned" ? scanOf(invoice, circumstances.now) : null
      return write === null ? settled : { _tag: "Write", write: asTold(write, payment) }
    }
    case "Expired":
      return invoice.status === "pending" ? step(facts, InvoiceCommand.Expire()) : settled
    case "Cancelled":
      return invoice.status === "pending" ? step(facts, InvoiceCommand.Cancel()) : settled
    case "RefusedByPayer":
    case "Failed":
      return invoice.status === "pending" ? step(facts, InvoiceCommand.Fail()) : settled
    case "Paid": {
      const { receipt, refunds } = signal
      if (receipt.amount !== invoice.amount) return contradiction("the provider was paid another amount")
      if (invoice.paidAt !== null) return refundStep(facts, refunds)
      const proof: Receipt = { number: receipt.number, url: Result.getOrElse(optionalUrl(receipt.url), () => null) }
      return step(facts, InvoiceCommand.Pay({ paidAt: receipt.at, receipt: proof }))
    }
  }
}

/**
 * Notes that the customer has opened it, once: no status and no event, since nothing hangs on it but what their page
 * says. Null if there is nothing to note.
 */
export const scanOf = (invoice: Invoice, now: number): Write | null =>
  invoice.status !== "pending" || invoice.scannedAt !== null || hasEnded(invoice, now)
    ? null
    : {
        previous: invoice,
        next: { ...invoice, scannedAt: now, version: invoice.version + 1 },
        event: null,
        refund: null
      }

/** Whether its window has passed. */
export const hasEnded = ({ status, expiresAt }: Invoice, now: number): boolean =>
  isOpen(status) && expiresAt !== null && expiresAt <= now

const offerOf = ({ reference, links, expiresAt }: Payment) => ({
  reference,
  qrUrl: links?.qrUrl ?? null,
  deepLink: links?.deepLink ?? null,
  expiresAt
})

const step = ({ invoice, circumstances, payment }: ProviderFacts, command: InvoiceCommand): NextStep => {
  const decided = decideInvoice(invoice, command, circumstances)
  if (Result.isFailure(decided)) return contradiction(`${command._tag} of a ${invoice.status} invoice`)
  return { _tag: "Write", write: asTold(decided.success, payment) }
}

const refundStep = (facts: ProviderFacts, made: ReadonlyArray<MadeRefund>): NextStep => {
  const isKnown = (one: MadeRefund) => facts.refunds.some((own) => isSame(own, one) && own.status === "succeeded")
  const unknown = made.find((one) => !isKnown(one) && !mayBeOurs(one, facts.refunds))
  if (unknown === undefined) return settled
  const ours = facts.refunds.find((refund) => isSame(refund, unknown))
  const refund = ours === undefined ? null : decideRefund(ours, unknown, facts.circumstances.now)
  return step(facts, InvoiceCommand.Refund({ refund: refund ?? outsideRefund(facts, unknown) }))
}

/**
 * A provider that shows no ids of ours may show a refund of ours whose answer is still to come. It is left until the
 * record is settled: as one that was made elsewhere its money would count twice.
 */
const mayBeOurs = (made: MadeRefund, refunds: ReadonlyArray<Refund>): boolean =>
  made.ours === null && refunds.some((own) => isUnresolved(own) && own.amount === made.amount)

const isSame = (refund: Refund, made: MadeRefund): boolean =>
  refund.id === made.ours || refund.providerReference === made.reference

const outsideRefund = ({ invoice, refundId, circumstances }: ProviderFacts, made: MadeRefund): Refund => ({
  id: refundId,
  invoiceId: invoice.id,
  organizationId: invoice.organizationId,
  amount: made.amount,
  status: "succeeded",
  reason: null,
  idempotencyKey: null,
  fingerprint: null,
  providerReference: made.reference,
  createdAt: Math.min(made.at, circumstances.now),
  completedAt: made.at
})

// One that ended before the provider had told its reference still needs it: late money may have to be given back.
const asTold = (write: Write, { reference, statusText }: Payment): Write => ({
  ...write,
  next: { ...write.next, providerStatus: statusText, providerReference: write.next.providerReference ?? reference }
})

const contradiction = (what: string): NextStep => ({ _tag: "Contradiction", what })
