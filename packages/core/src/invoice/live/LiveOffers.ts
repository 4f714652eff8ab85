/**
 * How live invoices come to be at the provider. It is asked to make each by our own reference, which makes the same
 * thing once, however often it is asked; so what was not answered is asked for again.
 */
import { Clock, Data, Effect } from "effect"
import type { UsableConnection } from "../../connection/Connection.ts"
import { ProviderSessionExpired } from "../../connection/ConnectionErrors.ts"
import type { StorageError } from "../../error/StorageError.ts"
import type { Answer, NotAccepted } from "../../provider/Answer.ts"
import type { Payment } from "../../provider/Payment.ts"
import type { Quota } from "../../tariff/Tariff.ts"
import { dayOf } from "../../value/Calendar.ts"
import type { InvoiceId } from "../../value/Ids.ts"
import type { Commits } from "../Commits.ts"
import type { Invoice } from "../Invoice.ts"
import type { InvoiceSettings } from "../InvoiceSettings.ts"
import * as CreationStages from "./CreationStages.ts"
import { nextLookAt } from "./LiveSchedule.ts"

/** The provider did not accept the invoice. It is kept as failed. */
export class InvoiceCreateFailed extends Data.TaggedError("InvoiceCreateFailed")<{ readonly invoiceId: InvoiceId }> {
  readonly code = "invoice_create_failed"
}

/** The provider did not answer, or not now. The invoice is kept; what has become of it will show. */
export class ProviderError extends Data.TaggedError("ProviderError")<{ readonly invoiceId: InvoiceId }> {
  readonly code = "provider_error"
}

/** What the offers are made with. */
export interface Parts {
  readonly commits: Commits["Service"]
  readonly settings: InvoiceSettings
  /** Has the provider make it. */
  readonly create: (invoice: Invoice, cashier: UsableConnection) => Effect.Effect<Answer<Payment>>
  /** Notes what an answer says of the cashier. */
  readonly lost: (cashier: UsableConnection, answer: NotAccepted) => Effect.Effect<void, StorageError>
  /** Brings the invoice to where the provider has it. */
  readonly follow: (invoice: Invoice, payment: Payment) => Effect.Effect<Invoice, StorageError>
  /** Stores that it has failed. */
  readonly fail: (invoice: Invoice) => Effect.Effect<Invoice, { readonly _tag: string }>
}

/** The verbs of `LivePayments` that are about new invoices. */
export const make = ({ commits, settings, create, lost, follow, fail }: Parts) => {
  const write = (previous: Invoice, next: Invoice) => ({ previous, next, event: null, refund: null })

  /**
   * Others may ask from now on. Where this is not stored, the time of the call tells it as well. `since`: of the last
   * call that may be on its way.
   */
  const unanswered = Effect.fnUntraced(function* (invoice: Invoice, since = invoice.updatedAt) {
    const dueAt = nextLookAt({ invoice, refunds: [], now: yield* Clock.currentTimeMillis }, settings)
    const next: Invoice = { ...invoice, stage: "unanswered", updatedAt: since, dueAt, version: invoice.version + 1 }
    yield* Effect.ignore(commits.commit(write(invoice, next)))
    return yield* new ProviderError({ invoiceId: invoice.id })
  })

  const refused = Effect.fnUntraced(function* (invoice: Invoice, answer: Exclude<NotAccepted, { _tag: "Unknown" }>) {
    if (answer._tag === "SessionLost") return yield* new ProviderSessionExpired()
    if (answer._tag === "Throttled") return yield* new ProviderError({ invoiceId: invoice.id })
    yield* Effect.logWarning("LiveOffers: the provider refused an invoice").pipe(
      Effect.annotateLogs({ invoice: invoice.id, code: answer.code, detail: answer.detail })
    )
    return yield* new InvoiceCreateFailed({ invoiceId: invoice.id })
  })

  const offer = Effect.fn("LivePayments.offer")(function* (invoice: Invoice, cashier: UsableConnection) {
    const now = yield* Clock.currentTimeMillis
    // After a long wait for its turn others may have it made, or have given it up: only one of all goes on.
    const isOurs = CreationStages.isUnderWay(invoice, now)
    const begun = isOurs ? invoice : yield* commits.commit(write(invoice, CreationStages.asked(invoice, now)))
    const answer = yield* create(begun, cashier)
    if (answer._tag === "Accepted") return yield* follow(begun, answer.value)
    yield* lost(cashier, answer)
    // It may have been made all the same: it stays new, and the looks find out.
    if (answer._tag === "Unknown") return yield* unanswered(begun)
    yield* Effect.ignore(fail(begun))
    return yield* refused(begun, answer)
  })

  const offerWaiting = Effect.fn("LivePayments.offerWaiting")(function* (
    invoice: Invoice,
    cashier: UsableConnection,
    quota: Quota | null
  ) {
    const now = yield* Clock.currentTimeMillis
    const asked = { ...CreationStages.asked(invoice, now), countedOn: invoice.countedOn ?? dayOf(now) }
    const begun = yield* commits.admit(write(invoice, asked), quota)
    const answer = yield* create(begun, cashier)
    if (answer._tag === "Accepted") return yield* follow(begun, answer.value)
    yield* lost(cashier, answer)
    if (answer._tag === "Unknown") return yield* unanswered(begun)
    if (answer._tag === "Refused" && !answer.retryable) {
      yield* Effect.ignore(fail(begun))
      return yield* refused(begun, answer)
    }
    yield* commits.commit(write(begun, CreationStages.waitingAgain(begun, yield* Clock.currentTimeMillis)))
    return yield* answer._tag === "SessionLost"
      ? new ProviderSessionExpired()
      : new ProviderError({ invoiceId: invoice.id })
  })

  const offerAgain = Effect.fn("LivePayments.offerAgain")(function* (invoice: Invoice, cashier: UsableConnection) {
    const now = yield* Clock.currentTimeMillis
    const begun = yield* commits.commit(write(invoice, CreationStages.asked(invoice, now)))
    const answer = yield* create(begun, cashier)
    if (answer._tag === "Accepted") return yield* follow(begun, answer.value)
    yield* lost(cashier, answer)
    if (answer._tag === "Unknown") return yield* unanswered(begun)
    // The call before this one may be on its way yet: only long after it a refusal of this one is the last word. This
    // one has ended, so the time still counts from that one, however often others are refused meanwhile.
    const { updatedAt: since } = invoice
    if (now < since + settings.live.abandonedAfterMs) return yield* unanswered(begun, since)
    yield* Effect.ignore(fail(begun))
    return yield* refused(begun, answer)
  })

  return { offer, offerWaiting, offerAgain }
}
