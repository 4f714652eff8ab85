/** Everything that a live invoice asks of the provider: its creation, its state, its cancellation, its refunds. */

import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import type { UsableConnection } from "../../connection/Connection.ts"
import { ProviderSessionExpired } from "../../connection/ConnectionErrors.ts"
import { Connections } from "../../connection/Connections.ts"
import { refusal } from "../../error/Refusal.ts"
import type { NoProvider } from "../../error/Refusals.ts"
import { StorageError } from "../../error/StorageError.ts"
import type { Answer, NotAccepted } from "../../provider/Answer.ts"
import { abilitiesOf } from "../../provider/Guarded.ts"
import { noProvider } from "../../provider/NoProvider.ts"
import type { MadeRefund, Payment } from "../../provider/Payment.ts"
import { PaymentProvider } from "../../provider/PaymentProvider.ts"
import { Ids } from "../../value/Ids.ts"
import { Commits } from "../Commits.ts"
import {
  decideInvoice,
  type InvalidRefundAmount,
  type Invoice,
  InvoiceCommand,
  InvoiceNotOpen,
  type InvoiceNotRefundable,
  isOpen,
  type Source
} from "../Invoice.ts"
import { InvoiceSettings } from "../InvoiceSettings.ts"
import { type InvoiceChanged, InvoiceStore } from "../InvoiceStore.ts"
import { askedFor, holderOf, type Refund, resolvedAs } from "../Refund.ts"
import * as CallBudget from "./CallBudget.ts"
import * as CreationStages from "./CreationStages.ts"
import { inTime } from "./InTime.ts"
import * as LiveOffers from "./LiveOffers.ts"
import { ProviderError } from "./LiveOffers.ts"
import {
  begin,
  type RefundDraft,
  RefundFailed,
  type RefundNotAllowed,
  type RefundPendingUnknown,
  type RefundRun,
  RefundStateConflict,
  RefundUnknown
} from "./LiveRefund.ts"
import { nextLookAt } from "./LiveSchedule.ts"
import * as OperationLists from "./OperationLists.ts"
import type { CheckResult } from "./StatusChecks.ts"
import * as StatusChecks from "./StatusChecks.ts"

/** The provider did not withdraw the invoice from the customer's app. It is as open as before. */
export class CancelFailed extends refusal("CancelFailed", "cancel_failed") {}

/** Why the provider cannot be asked: the cashier is gone, or has to log in again. */
export type NoUsableCashier = NoProvider | ProviderSessionExpired

/** Why a refund of a live invoice fails. */
export type RefundError =
  | NoUsableCashier
  | RefundNotAllowed
  | RefundPendingUnknown
  | InvoiceNotRefundable
  | InvalidRefundAmount
  | InvoiceChanged
  | RefundFailed
  | RefundUnknown
  | RefundStateConflict
  | StorageError

const make = Effect.gen(function* () {
  const commits = yield* Commits
  const store = yield* InvoiceStore
  const connections = yield* Connections
  const ids = yield* Ids
  const settings = yield* InvoiceSettings
  const { live } = settings
  const provider = Option.getOrElse(yield* Effect.serviceOption(PaymentProvider), () => noProvider)
  const budget = CallBudget.make(live.calls)
  const { look, settleRefund, follow } = yield* StatusChecks.make(provider, budget)

  /** A call that cannot wait for its turn. */
  const called = <A, E>(cashier: CallBudget.Cashier, call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.ensuring(call, Effect.sync(budget.force(cashier, now))))

  const circumstances = Effect.fnUntraced(function* (source: Source) {
    return { now: yield* Clock.currentTimeMillis, eventId: yield* ids.next("evt"), source }
  })

  /** Writes a change with the time of the next look. */
  const close = Effect.fnUntraced(function* (invoice: Invoice, command: InvoiceCommand, source: Source) {
    const given = yield* circumstances(source)
    const decided = decideInvoice(invoice, command, given)
    if (Result.isFailure(decided)) return yield* new InvoiceNotOpen({ status: invoice.status })
    const { next } = decided.success
    const dueAt = nextLookAt({ invoice: next, refunds: [], now: given.now }, settings)
    return yield* commits.commit({ ...decided.success, next: { ...next, dueAt } })
  })

  const lost = Effect.fnUntraced(function* (cashier: UsableConnection, answer: NotAccepted) {
    const now = yield* Clock.currentTimeMillis
    if (answer._tag === "Throttled") budget.pause(cashier.id, now + answer.retryAfterMs)
    if (answer._tag === "SessionLost") yield* connections.sessionLost(cashier)
  })

  const create = (invoice: Invoice, cashier: UsableConnection): Effect.Effect<Answer<Payment>> => {
    const { id: ours, amount, description } = invoice
    const order = { session: cashier.session, ours, amount, description }
    const { phone } = invoice.customer
    const isPush = invoice.kind === "phone" && phone !== null
    const call = isPush ? provider.createPush({ ...order, phone }) : provider.createQr(order)
    return inTime(invoice.updatedAt, called(cashier, call))
  }
  const fail = (invoice: Invoice) => close(invoice, InvoiceCommand.Fail(), "provider")
  const { offer, offerWaiting, offerAgain } = LiveOffers.make({ commits, settings, create, lost, follow, fail })

  const lookNow = (invoice: Invoice) => {
    const { connectionId: id, organizationId } = invoice
    if (id === null || invoice.stage === "waits") return Effect.succeed<CheckResult>({ invoice, answered: false })
    return called({ id, organizationId }, look(invoice))
  }

  const withdraw = Effect.fn("LivePayments.withdraw")(function* (
    invoice: Invoice,
    source: Source
  ): Effect.fn.Return<Invoice, InvoiceNotOpen | InvoiceChanged | CancelFailed | NoUsableCashier | StorageError> {
    const { providerReference: reference } = invoice
    if (invoice.kind === "qr" || CreationStages.isWaiting(invoice))
      return yield* close(invoice, InvoiceCommand.Cancel(), source)
    if (!isOpen(invoice.status)) return yield* new InvoiceNotOpen({ status: invoice.status })
    const cashier = yield* connections.ofInvoice(invoice.organizationId, invoice.connectionId)
    if (reference === null) {
      // The customer may have it all the same, or get it yet.
      const { invoice: found, answered } = yield* lookNow(invoice)
      if (found.providerReference !== null) return yield* withdraw(found, source)
      const now = yield* Clock.currentTimeMillis
      // What the provider cannot find by our id can never be shown to be paid: a person who has looked may close it.
      const isSettled = answered || !(yield* abilitiesOf(provider)).findByOurs
      if (!isSettled || CreationStages.mayBeTaken(found, now, live.abandonedAfterMs)) return yield* new CancelFailed()
      return yield* close(found, InvoiceCommand.Cancel(), source)
    }
    const answer = yield* called(cashier, provider.cancel({ session: cashier.session, reference }))
    if (answer._tag === "Accepted") return yield* close(invoice, InvoiceCommand.Cancel(), source)
    yield* lost(cashier, answer)
    if (answer._tag === "SessionLost") return yield* new ProviderSessionExpired()
    if (answer._tag !== "Refused" || answer.code !== "not_open") return yield* new CancelFailed()
    const { invoice: found } = yield* lookNow(invoice)
    return yield* isOpen(found.status) ? new CancelFailed() : new InvoiceNotOpen({ status: found.status })
  })

  const settle = Effect.fnUntraced(function* (
    invoice: Invoice,
    record: Refund,
    cashier: UsableConnection,
    answer: Answer<MadeRefund>,
    source: Source
  ) {
    if (answer._tag === "Accepted") {
      const settled = yield* settleRefund(invoice, record, answer.value, { source })
      const { refunds } = yield* store.history(invoice.organizationId, invoice.id)
      const isMade = refunds.some(({ id, status }) => id === record.id && status === "succeeded")
      return isMade ? settled : yield* new RefundUnknown({ refundId: record.id })
    }
    yield* lost(cashier, answer)
    if (answer._tag === "Unknown") {
      yield* settleRefund(invoice, record, "unknown", { source })
      return yield* new RefundUnknown({ refundId: record.id })
    }
    const failed = yield* settleRefund(invoice, record, "failed", { source })
    if (answer._tag === "SessionLost") return yield* new ProviderSessionExpired()
    if (answer._tag === "Refused" && answer.code === "not_refundable") {
      const looked = yield* lookNow(failed)
      if (looked.invoice.refunded !== failed.refunded) return yield* new RefundStateConflict()
    }
    return yield* new RefundFailed({ refundId: record.id })
  })

  return {
    /**
     * Has a stored new invoice made at the provider. A refusal is stored; silence leaves the invoice new. Fails with
     * `InvoiceChanged`, and asks for nothing, if it has waited for its turn too long and others have seen to it.
     */
    offer,
    /**
     * The same for an invoice that has waited: unless the provider takes it, or refuses it for good, it waits again.
     * One that counts when it is made needs the quota that it counts in.
     */
    offerWaiting,
    /**
     * The same for one whose call has ended without an answer: the provider is asked what it knows, and if it knows
     * nothing, it is offered the same reference again. One that has waited is offered. Fails with `InvoiceChanged` if
     * another server does so now.
     */
    resume: Effect.fn("LivePayments.resume")(function* (invoice: Invoice) {
      const cashierOf = connections.forCreate(invoice.organizationId, invoice.connectionId)
      if (CreationStages.isWaiting(invoice)) {
        // What a merchant repeats was made at no link.
        const offered = offerWaiting(invoice, yield* cashierOf, null)
        return yield* Effect.catchTag(offered, "LinkSoldOut", (error) => Effect.die(error))
      }
      const looked = yield* lookNow(invoice)
      if (looked.invoice.status !== "new") return looked.invoice
      // A provider that makes another payment for the same id may be asked once only: the call may be on its way yet.
      const { createOnce } = yield* abilitiesOf(provider)
      if (!looked.answered || !createOnce) return yield* new ProviderError({ invoiceId: invoice.id })
      return yield* offerAgain(looked.invoice, yield* cashierOf)
    }),
    /** Writes by hand what became of a refund that the provider has not told. Answers the invoice as it is then. */
    resolve: Effect.fnUntraced(function* (
      invoice: Invoice,
      record: Refund,
      verdict: MadeRefund | "failed",
      { source, note }: { readonly source: Source; readonly note: string | null }
    ) {
      const audit = yield* resolvedAs(ids, record, verdict, note)
      return yield* settleRefund(invoice, record, verdict, { source, audit })
    }),
    /** Asks now, in spite of any budget. Answers the invoice as stored if the provider says nothing. */
    look: lookNow,
    /** Asks when the budget allows it; otherwise the look is put off. */
    lookInTurn: Effect.fnUntraced(function* (invoice: Invoice) {
      const { id, version, connectionId, organizationId, providerStatus } = invoice
      if (connectionId === null) return
      const now = yield* Clock.currentTimeMillis
      const turn = budget.begin({ id: connectionId, organizationId }, now)
      if (typeof turn === "object") {
        return yield* commits.reschedule({ id, version, dueAt: now + turn.waitMs, providerStatus })
      }
      yield* Effect.ensuring(look(invoice), Effect.sync(turn))
    }),
    /** Withdraws a push at the provider and closes the invoice. */
    withdraw,
    /**
     * Gives money back through the provider. The same idempotency key on the same invoice refunds once; one that came
     * to nothing may be used again.
     */
    refund: Effect.fn("LivePayments.refund")(function* (invoice: Invoice, asked: RefundDraft, source: Source) {
      const { refunds } = yield* store.history(invoice.organizationId, invoice.id)
      const known = holderOf(asked.idempotencyKey, refunds)
      if (known?.status === "succeeded") return { invoice, record: known, replayed: true }
      const now = yield* Clock.currentTimeMillis
      const { write, record } = yield* Effect.fromResult(begin(invoice, refunds, asked, now))
      const cashier = yield* connections.ofInvoice(invoice.organizationId, invoice.connectionId)
      const { providerReference: reference } = invoice
      if (reference === null) return yield* new RefundFailed({ refundId: null })
      const dueAt = nextLookAt({ invoice: write.next, refunds: [...refunds, record], now }, settings)
      const begun = yield* commits.commit({
        ...write,
        next: { ...write.next, dueAt },
        audit: yield* askedFor(ids, record)
      })
      const order = { session: cashier.session, reference, ours: record.id, amount: record.amount }
      const asking = inTime(record.createdAt, called(cashier, provider.refund(order)))
      const settled = Effect.flatMap(asking, (answer) => settle(begun, record, cashier, answer, source))
      const named = Effect.mapError(settled, (error) =>
        error instanceof StorageError ? error.about({ refundId: record.id }) : error
      )
      return { invoice: yield* named, record, replayed: false } satisfies RefundRun
    }),
    ...OperationLists.make({ provider, budget, lost }),
    /** Whether this process has a provider that it can ask. */
    isAble: provider !== noProvider,
    /** Calls under way. */
    running: budget.running
  }
})

/** What live invoices need of the provider. */
export class LivePayments extends Context.Service<LivePayments, Effect.Success<typeof make>>()(
  "@tolem/core/LivePayments"
) {
  /** The verbs over the provider; without one nothing live exists, and nothing is asked. */
  static readonly layer = Layer.effect(LivePayments, make)
}
