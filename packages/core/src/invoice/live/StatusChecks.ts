/**
 * Asks the provider about a live invoice and writes what it says. Calls about the same invoice at the same
 * moment share one question and its answer; of servers that ask at once, the version of the row lets one write.
 */
import { Clock, Deferred, Effect, Option, Result } from "effect"
import type { AuditRecord } from "../../audit/Audit.ts"
import type { UsableConnection } from "../../connection/Connection.ts"
import { Connections } from "../../connection/Connections.ts"
import type { StorageError } from "../../error/StorageError.ts"
import type { Answer, NotAccepted } from "../../provider/Answer.ts"
import { abilitiesOf } from "../../provider/Guarded.ts"
import type { Payment } from "../../provider/Payment.ts"
import type { PaymentProvider } from "../../provider/PaymentProvider.ts"
import { Ids } from "../../value/Ids.ts"
import { Commits } from "../Commits.ts"
import { decideInvoice, type Invoice, InvoiceCommand, type Source } from "../Invoice.ts"
import { InvoiceSettings } from "../InvoiceSettings.ts"
import { InvoiceStore, type Write } from "../InvoiceStore.ts"
import { isUnresolved, type Refund, type RefundVerdict } from "../Refund.ts"
import type { CallBudget } from "./CallBudget.ts"
import { isWaiting, mayBeTaken, waitingAgain } from "./CreationStages.ts"
import { settlement } from "./LiveRefund.ts"
import { nextLookAt, nextTryAt } from "./LiveSchedule.ts"
import { hasEnded, nextStep } from "./ProviderState.ts"

/** What a look has shown. */
export interface CheckResult {
  /** The invoice as it is stored now. */
  readonly invoice: Invoice
  /** Whether the provider has said anything about it. */
  readonly answered: boolean
}

/** Who says what became of a refund; with an audit record if it is said by hand. */
interface Saying {
  readonly source: Source
  readonly audit?: AuditRecord
}

/** Asks the provider about an invoice, and writes what it says. */
export type StatusCheck = (invoice: Invoice) => Effect.Effect<CheckResult, StorageError>

// One state leads to a handful of changes: offered, paid, and a refund after the other.
const maxSteps = 100

/** Looks over this provider. */
export const make = Effect.fnUntraced(function* (provider: PaymentProvider["Service"], budget: CallBudget) {
  const store = yield* InvoiceStore
  const commits = yield* Commits
  const connections = yield* Connections
  const ids = yield* Ids
  const settings = yield* InvoiceSettings
  const { live } = settings

  const refundsOf = (invoice: Invoice) =>
    Effect.map(store.history(invoice.organizationId, invoice.id), ({ refunds }) => refunds)

  /** Writes with the time of the next look. Null if another writer was faster. */
  const write = (change: Write, refunds: ReadonlyArray<Refund>, now: number) => {
    const dueAt = nextLookAt({ invoice: change.next, refunds: merged(refunds, change.refund), now }, settings)
    return commits.commit({ ...change, next: { ...change.next, dueAt } }).pipe(
      Effect.map(Option.some),
      Effect.catchTag("InvoiceChanged", () => Effect.succeedNone)
    )
  }

  const reload = Effect.fnUntraced(function* (invoice: Invoice) {
    return Option.getOrElse(yield* store.find(invoice.id), () => invoice)
  })

  const circumstances = Effect.gen(function* () {
    return { now: yield* Clock.currentTimeMillis, eventId: yield* ids.next("evt"), source: "provider" as const }
  })

  /** Brings the invoice to where the provider has it, step by step. */
  const follow = Effect.fnUntraced(function* (invoice: Invoice, payment: Payment) {
    let current = invoice
    for (let count = 0; count < maxSteps; count++) {
      const refunds = hasRefunds(current, payment) ? yield* refundsOf(current) : []
      const given = yield* circumstances
      const refundId = yield* ids.next("ref")
      const step = nextStep({ invoice: current, refunds, payment, circumstances: given, refundId })
      if (step._tag === "Contradiction") yield* report(current, step.what)
      if (step._tag !== "Write") return current
      const written = yield* write(step.write, refunds, given.now)
      current = Option.isSome(written) ? written.value : yield* reload(current)
    }
    return current
  })

  /** The provider knows nothing of it. Final only once a create that is slow to arrive would have arrived. */
  const neverTaken = Effect.fnUntraced(function* (invoice: Invoice) {
    const given = yield* circumstances
    if (invoice.status !== "new" || mayBeTaken(invoice, given.now, live.abandonedAfterMs)) return invoice
    // A provider that makes another payment for the same id is asked for each once only, also by agents.
    const { createOnce } = yield* abilitiesOf(provider)
    if (invoice.origin !== null && createOnce) {
      const next = waitingAgain(invoice, given.now)
      const waits = commits.commit({ previous: invoice, next, event: null, refund: null })
      return yield* Effect.catchTag(waits, "InvoiceChanged", () => Effect.succeed(invoice))
    }
    // A push may still reach the customer's app; what has expired can be paid late, what has failed cannot.
    const command = invoice.kind === "phone" ? InvoiceCommand.Expire() : InvoiceCommand.Fail()
    const decided = decideInvoice(invoice, command, given)
    if (Result.isFailure(decided)) return invoice
    return Option.getOrElse(yield* write(decided.success, [], given.now), () => invoice)
  })

  /** Writes what became of a refund. The first saying counts, unless it turns out to have been made after all. */
  const settleRefund = Effect.fnUntraced(function* (
    invoice: Invoice,
    record: Refund,
    verdict: RefundVerdict,
    { source, ...byHand }: Saying = { source: "provider" }
  ) {
    let current = invoice
    for (let count = 0; count < maxSteps; count++) {
      const given = { ...(yield* circumstances), source }
      const refunds = yield* refundsOf(current)
      // What is known by now is not changed by hand: the first of several who say something counts.
      const isKnown = refunds.some((one) => one.id === record.id && !isUnresolved(one))
      if (byHand.audit !== undefined && isKnown) return current
      const settled = settlement(current, refunds, record, verdict, given)
      if (settled === null) return current
      if (settled.contradiction !== null) yield* report(current, `refund ${record.id}: ${settled.contradiction}`)
      const written = yield* write({ ...settled.write, ...byHand }, refunds, given.now)
      if (Option.isSome(written)) return written.value
      current = yield* reload(current)
    }
    return current
  })

  const resolveRefunds = Effect.fnUntraced(function* (invoice: Invoice, cashier: UsableConnection) {
    let current = invoice
    for (const record of (yield* refundsOf(invoice)).filter(isUnresolved)) {
      const answer = yield* provider.refundState({ session: cashier.session, ours: record.id })
      const now = yield* Clock.currentTimeMillis
      // One that is slow to arrive may yet be made.
      const neverMade = answer._tag === "Refused" && now >= record.createdAt + live.abandonedAfterMs
      if (answer._tag === "Accepted") current = yield* settleRefund(current, record, answer.value)
      else if (neverMade && answer.code === "not_found") current = yield* settleRefund(current, record, "failed")
      else if (record.status === "pending") current = yield* settleRefund(current, record, "unknown")
    }
    return current
  })

  const ask = (invoice: Invoice, { session }: UsableConnection): Effect.Effect<Answer<Payment>> =>
    invoice.providerReference === null
      ? provider.stateByOurs({ session, ours: invoice.id })
      : provider.stateByReference({ session, reference: invoice.providerReference })

  const note = Effect.fnUntraced(function* (invoice: Invoice, dueAt: number | null, providerStatus: string | null) {
    if (invoice.dueAt === dueAt && invoice.providerStatus === providerStatus) return invoice
    yield* commits.reschedule({ id: invoice.id, version: invoice.version, dueAt, providerStatus })
    return { ...invoice, dueAt, providerStatus }
  })

  const answered = Effect.fnUntraced(function* (invoice: Invoice, refunds: ReadonlyArray<Refund>, statusText?: string) {
    const now = yield* Clock.currentTimeMillis
    const dueAt = nextLookAt({ invoice, refunds, now }, settings)
    return { invoice: yield* note(invoice, dueAt, statusText ?? invoice.providerStatus), answered: true }
  })

  /** What becomes of an invoice whose cashier cannot ask: its window ends all the same, and the watch goes on. */
  const unanswered = Effect.fnUntraced(function* (invoice: Invoice, waitMs: number) {
    const given = yield* circumstances
    const { now } = given
    const overdue = invoice.status === "pending" && hasEnded(invoice, now - live.abandonedAfterMs)
    const decided = overdue ? decideInvoice(invoice, InvoiceCommand.Expire(), given) : undefined
    if (decided !== undefined && Result.isSuccess(decided)) {
      const written = yield* write(decided.success, [], now)
      return { invoice: Option.getOrElse(written, () => invoice), answered: false }
    }
    const refunds = invoice.paidAt === null ? [] : yield* refundsOf(invoice)
    const dueAt = nextTryAt({ invoice, refunds, now }, waitMs, settings)
    return { invoice: yield* note(invoice, dueAt, invoice.providerStatus), answered: false }
  })

  const silent = Effect.fnUntraced(function* (invoice: Invoice, cashier: UsableConnection, answer: NotAccepted) {
    const now = yield* Clock.currentTimeMillis
    switch (answer._tag) {
      case "SessionLost":
        yield* connections.sessionLost(cashier)
        budget.pause(cashier.id, now + live.sessionLostMs)
        return yield* unanswered(invoice, live.sessionLostMs)
      case "Throttled":
        budget.pause(cashier.id, now + answer.retryAfterMs)
        return yield* unanswered(invoice, answer.retryAfterMs)
      case "Refused":
        if (answer.code === "not_found") {
          const left = yield* neverTaken(invoice)
          return isWaiting(left) ? { invoice: left, answered: true } : yield* answered(left, [])
        }
        yield* report(invoice, `it refuses to tell the state: ${answer.code}`)
        return yield* unanswered(invoice, live.sessionLostMs)
      case "Unknown":
        return yield* unanswered(invoice, 0)
    }
  })

  const lookWith = Effect.fnUntraced(function* (invoice: Invoice, cashier: UsableConnection) {
    const answer = yield* ask(invoice, cashier)
    if (answer._tag !== "Accepted") return yield* silent(invoice, cashier, answer)
    const followed = yield* follow(invoice, answer.value)
    const settled = followed.paidAt === null ? followed : yield* resolveRefunds(followed, cashier)
    const refunds = settled.paidAt === null ? [] : yield* refundsOf(settled)
    return yield* answered(settled, refunds, answer.value.statusText)
  })

  const lookOnce = Effect.fnUntraced(function* (invoice: Invoice) {
    const found = yield* Effect.result(connections.ofInvoice(invoice.organizationId, invoice.connectionId))
    if (Result.isSuccess(found)) return yield* lookWith(invoice, found.success)
    if (found.failure._tag === "StorageError") return yield* Effect.fail(found.failure)
    return yield* unanswered(invoice, live.sessionLostMs)
  })

  return { look: shared(lookOnce), settleRefund, follow }
})

/** Those who look at an invoice at the same moment share one look. */
const shared = (look: StatusCheck): StatusCheck => {
  const running = new Map<string, Deferred.Deferred<CheckResult, StorageError>>()
  return Effect.fnUntraced(function* (invoice: Invoice) {
    const joined = running.get(invoice.id)
    if (joined !== undefined) return yield* Deferred.await(joined)
    const own = Deferred.makeUnsafe<CheckResult, StorageError>()
    running.set(invoice.id, own)
    const work = Effect.onExit(look(invoice), (exit) =>
      Effect.suspend(() => {
        running.delete(invoice.id)
        return Deferred.done(own, exit)
      })
    )
    // Detached: the first caller may hang up, and the others still wait for the answer.
    yield* Effect.forkDetach(work)
    return yield* Deferred.await(own)
  })
}

const merged = (refunds: ReadonlyArray<Refund>, changed: Refund | null): ReadonlyArray<Refund> =>
  changed === null ? refunds : [...refunds.filter(({ id }) => id !== changed.id), changed]

const hasRefunds = (invoice: Invoice, { signal }: Payment): boolean =>
  signal._tag === "Paid" && invoice.paidAt !== null && signal.refunds.length > 0

const report = (invoice: Invoice, what: string) =>
  Effect.logError(`LiveLooks: the provider and we disagree: ${what}`).pipe(
    Effect.annotateLogs({ invoice: invoice.id, status: invoice.status })
  )
