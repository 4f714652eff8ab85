/** Everything that a live invoice asks of the provider: its creation, its state, its cancellation, its refunds. */
import { Clock, Context, Data, Effect, Layer, Option, Result } from "effect"
import type { UsableConnection } from "../connection/Connection.ts"
import { type NoProvider, ProviderSessionExpired } from "../connection/ConnectionErrors.ts"
import { Connections } from "../connection/Connections.ts"
import { Ids } from "../Ids.ts"
import type { Answer, NotAccepted } from "../provider/Answer.ts"
import { noProvider } from "../provider/NoProvider.ts"
import type { MadeRefund, Payment } from "../provider/Payment.ts"
import { PaymentProvider } from "../provider/PaymentProvider.ts"
import { Settings } from "../Settings.ts"
import type { StorageError } from "../StorageError.ts"
import * as CallBudget from "./CallBudget.ts"
import { Commits } from "./Commits.ts"
import {
  Command,
  decide,
  type InvalidRefundAmount,
  type Invoice,
  InvoiceNotOpen,
  type InvoiceNotRefundable,
  isOpen,
  type Source
} from "./Invoice.ts"
import { type InvoiceChanged, InvoiceStore } from "./InvoiceStore.ts"
import * as LiveInvoice from "./LiveInvoice.ts"
import type { Looked } from "./LiveLooks.ts"
import * as LiveLooks from "./LiveLooks.ts"
import {
  type Asked,
  begin,
  RefundFailed,
  RefundPendingUnknown,
  RefundStateConflict,
  RefundUnknown
} from "./LiveRefund.ts"
import { nextLookAt } from "./LiveSchedule.ts"
import { askedFor, type Refund } from "./Refund.ts"

/** The provider did not accept the invoice. It is kept as failed. */
export class InvoiceCreateFailed extends Data.TaggedError("InvoiceCreateFailed") {
  readonly code = "invoice_create_failed"
}

/** The provider did not answer, or not now. The invoice is kept; what has become of it will show. */
export class ProviderError extends Data.TaggedError("ProviderError") {
  readonly code = "provider_error"
}

/** The provider did not withdraw the invoice from the customer's app. It is as open as before. */
export class CancelFailed extends Data.TaggedError("CancelFailed") {
  readonly code = "cancel_failed"
}

/** Why nobody can be asked: there is no such cashier any more, or he has to log in again. */
export type NoUsableCashier = NoProvider | ProviderSessionExpired

/** Why a refund of a live invoice fails. */
export type RefundError =
  | NoUsableCashier
  | RefundPendingUnknown
  | InvoiceNotRefundable
  | InvalidRefundAmount
  | InvoiceChanged
  | RefundFailed
  | RefundUnknown
  | RefundStateConflict
  | StorageError

/** See the file's head. */
export class LivePayments extends Context.Service<
  LivePayments,
  {
    /** Has a stored new invoice made at the provider. A refusal is stored; silence leaves the invoice new. */
    readonly offer: (
      invoice: Invoice,
      cashier: UsableConnection
    ) => Effect.Effect<Invoice, InvoiceCreateFailed | ProviderError | ProviderSessionExpired | StorageError>
    /**
     * The same for an invoice that was stored some time ago, and whose maker tries again by himself: unless the
     * provider takes it, or refuses it for good, it is as new as before.
     */
    readonly offerAgain: (
      invoice: Invoice,
      cashier: UsableConnection
    ) => Effect.Effect<
      Invoice,
      InvoiceCreateFailed | InvoiceChanged | ProviderError | ProviderSessionExpired | StorageError
    >
    /** Asks now, in spite of any budget. Answers the invoice as stored where the provider says nothing. */
    readonly look: (invoice: Invoice) => Effect.Effect<Looked, StorageError>
    /** Asks when the budget allows it; otherwise the look is put off. */
    readonly lookInTurn: (invoice: Invoice) => Effect.Effect<void, StorageError>
    /** Withdraws a push at the provider and closes the invoice. */
    readonly withdraw: (
      invoice: Invoice,
      source: Source
    ) => Effect.Effect<Invoice, InvoiceNotOpen | InvoiceChanged | CancelFailed | NoUsableCashier | StorageError>
    /** Gives money back through the provider. The same idempotency key on the same invoice refunds once. */
    readonly refund: (invoice: Invoice, asked: Asked, source: Source) => Effect.Effect<Invoice, RefundError>
    /** Calls under way. */
    readonly running: () => number
  }
>()("@tolem/core/LivePayments") {
  /** The verbs over the provider; without one nothing live exists, and nobody is asked. */
  static readonly layer: Layer.Layer<LivePayments, never, InvoiceStore | Commits | Connections | Ids> = Layer.effect(
    LivePayments,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const commits = yield* Commits
  const store = yield* InvoiceStore
  const connections = yield* Connections
  const ids = yield* Ids
  const settings = yield* Settings
  const { live } = settings
  const provider = Option.getOrElse(yield* Effect.serviceOption(PaymentProvider), () => noProvider)
  const budget = CallBudget.make(live.calls)
  const { look, settleRefund, follow } = yield* LiveLooks.make(provider, budget)

  /** A call that cannot wait for its turn. */
  const called = <A>(cashier: UsableConnection, call: Effect.Effect<A>): Effect.Effect<A> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      budget.force(cashier.id, now)
      return Effect.ensuring(
        call,
        Effect.sync(() => budget.end(cashier.id))
      )
    })

  const circumstances = Effect.fnUntraced(function* (source: Source) {
    return { now: yield* Clock.currentTimeMillis, eventId: yield* ids.next("evt"), source }
  })

  /** Writes a change with the time of the next look. */
  const close = Effect.fnUntraced(function* (invoice: Invoice, command: Command, source: Source) {
    const given = yield* circumstances(source)
    const decided = decide(invoice, command, given)
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

  const create = (invoice: Invoice, { session }: UsableConnection): Effect.Effect<Answer<Payment>> => {
    const order = { session, ours: invoice.id, amount: invoice.amount, description: invoice.description }
    const { phone } = invoice.customer
    return invoice.kind === "phone" && phone !== null
      ? provider.createPush({ ...order, phone })
      : provider.createQr(order)
  }

  const offer = Effect.fn("LivePayments.offer")(function* (invoice: Invoice, cashier: UsableConnection) {
    const answer = yield* called(cashier, create(invoice, cashier))
    if (answer._tag === "Accepted") return yield* follow(invoice, answer.value)
    yield* lost(cashier, answer)
    // It may have been made all the same: it stays new, and the looks find out.
    if (answer._tag === "Unknown") return yield* new ProviderError()
    yield* Effect.ignore(close(invoice, Command.Fail(), "provider"))
    switch (answer._tag) {
      case "SessionLost":
        return yield* new ProviderSessionExpired()
      case "Throttled":
        return yield* new ProviderError()
      case "Refused":
        yield* Effect.logWarning("LivePayments: the provider refused an invoice").pipe(
          Effect.annotateLogs({ invoice: invoice.id, code: answer.code, detail: answer.detail })
        )
        return yield* new InvoiceCreateFailed()
    }
  })

  const offerAgain = Effect.fn("LivePayments.offerAgain")(function* (invoice: Invoice, cashier: UsableConnection) {
    const now = yield* Clock.currentTimeMillis
    // Stored before the provider is called: whoever finds it after a crash asks what became of the call.
    const asked = { ...invoice, updatedAt: now, dueAt: now + LiveInvoice.firstLookMs, version: invoice.version + 1 }
    const begun = yield* commits.commit({ previous: invoice, next: asked, event: null, refund: null })
    const answer = yield* called(cashier, create(begun, cashier))
    if (answer._tag === "Accepted") return yield* follow(begun, answer.value)
    yield* lost(cashier, answer)
    if (answer._tag === "Unknown") return yield* new ProviderError()
    if (answer._tag === "Refused" && !answer.retryable) {
      yield* Effect.ignore(close(begun, Command.Fail(), "provider"))
      return yield* new InvoiceCreateFailed()
    }
    const { id, version, providerStatus } = begun
    yield* commits.reschedule({ id, version, dueAt: null, providerStatus })
    return yield* answer._tag === "SessionLost" ? new ProviderSessionExpired() : new ProviderError()
  })

  const lookNow = (invoice: Invoice) => {
    const { connectionId } = invoice
    if (connectionId === null || LiveInvoice.isWaiting(invoice))
      return Effect.succeed<Looked>({ invoice, answered: false })
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      budget.force(connectionId, now)
      return Effect.ensuring(
        look(invoice),
        Effect.sync(() => budget.end(connectionId))
      )
    })
  }

  const lookInTurn = Effect.fnUntraced(function* (invoice: Invoice) {
    const { id, version, connectionId, providerStatus } = invoice
    if (connectionId === null) return
    const now = yield* Clock.currentTimeMillis
    const wait = budget.begin(connectionId, now)
    if (wait !== undefined) {
      return yield* commits.reschedule({ id, version, dueAt: now + wait.waitMs, providerStatus })
    }
    yield* Effect.ensuring(
      look(invoice),
      Effect.sync(() => budget.end(connectionId))
    )
  })

  const withdraw: LivePayments["Service"]["withdraw"] = Effect.fn("LivePayments.withdraw")(function* (invoice, source) {
    const { providerReference: reference } = invoice
    if (invoice.kind === "qr" || LiveInvoice.isWaiting(invoice)) return yield* close(invoice, Command.Cancel(), source)
    if (!isOpen(invoice.status)) return yield* new InvoiceNotOpen({ status: invoice.status })
    const cashier = yield* connections.ofInvoice(invoice.organizationId, invoice.connectionId)
    if (reference === null) {
      // The customer may have it all the same.
      const { invoice: found, answered } = yield* lookNow(invoice)
      if (!answered) return yield* new CancelFailed()
      return yield* found.providerReference === null ? close(found, Command.Cancel(), source) : withdraw(found, source)
    }
    const answer = yield* called(cashier, provider.cancel({ session: cashier.session, reference }))
    if (answer._tag === "Accepted") return yield* close(invoice, Command.Cancel(), source)
    yield* lost(cashier, answer)
    if (answer._tag === "SessionLost") return yield* new ProviderSessionExpired()
    if (answer._tag !== "Refused" || answer.code !== "not_open") return yield* new CancelFailed()
    const { invoice: found } = yield* lookNow(invoice)
    return yield* isOpen(found.status) ? new CancelFailed() : new InvoiceNotOpen({ status: found.status })
  })

  const earlier = (record: Refund, invoice: Invoice): Effect.Effect<Invoice, RefundFailed | RefundPendingUnknown> => {
    if (record.status === "succeeded") return Effect.succeed(invoice)
    return Effect.fail(record.status === "failed" ? new RefundFailed() : new RefundPendingUnknown())
  }

  const refund = Effect.fn("LivePayments.refund")(function* (invoice: Invoice, asked: Asked, source: Source) {
    const { refunds } = yield* store.history(invoice.organizationId, invoice.id)
    const known =
      asked.idempotencyKey === null
        ? undefined
        : refunds.find(({ idempotencyKey }) => idempotencyKey === asked.idempotencyKey)
    if (known !== undefined) return yield* earlier(known, invoice)
    const now = yield* Clock.currentTimeMillis
    const { write, record } = yield* Effect.fromResult(begin(invoice, refunds, asked, now))
    const cashier = yield* connections.ofInvoice(invoice.organizationId, invoice.connectionId)
    const { providerReference: reference } = invoice
    if (reference === null) return yield* new RefundFailed()
    const dueAt = nextLookAt({ invoice: write.next, refunds: [...refunds, record], now }, settings)
    const begun = yield* commits.commit({
      ...write,
      next: { ...write.next, dueAt },
      audit: yield* askedFor(ids, record)
    })
    const order = { session: cashier.session, reference, ours: record.id, amount: record.amount }
    return yield* settle(begun, record, cashier, yield* called(cashier, provider.refund(order)), source)
  })

  const settle = Effect.fnUntraced(function* (
    invoice: Invoice,
    record: Refund,
    cashier: UsableConnection,
    answer: Answer<MadeRefund>,
    source: Source
  ) {
    if (answer._tag === "Accepted") return yield* settleRefund(invoice, record, answer.value, source)
    yield* lost(cashier, answer)
    if (answer._tag === "Unknown") {
      yield* settleRefund(invoice, record, "unknown", source)
      return yield* new RefundUnknown()
    }
    const failed = yield* settleRefund(invoice, record, "failed", source)
    if (answer._tag === "SessionLost") return yield* new ProviderSessionExpired()
    if (answer._tag === "Refused" && answer.code === "not_refundable") {
      const looked = yield* lookNow(failed)
      if (looked.invoice.refunded !== failed.refunded) return yield* new RefundStateConflict()
    }
    return yield* new RefundFailed()
  })

  return { offer, offerAgain, look: lookNow, lookInTurn, withdraw, refund, running: budget.running }
})
