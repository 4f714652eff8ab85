/** Compares one day of a cashier with the provider's own list, and writes what it finds. Safe to repeat. */
import { Clock, Context, Duration, Effect, Layer, Result } from "effect"
import { type AuditRecord, recordOf } from "../audit/Audit.ts"
import type { UsableConnection } from "../connection/Connection.ts"
import { Connections } from "../connection/Connections.ts"
import type { StorageError } from "../error/StorageError.ts"
import { LivePayments } from "../invoice/live/LivePayments.ts"
import type { Answer, NotAccepted } from "../provider/Answer.ts"
import { maxPageOperations, type OperationBounds, type OperationPage } from "../provider/Operation.ts"
import { endOfDay, startOfDay } from "../value/Calendar.ts"
import { Ids } from "../value/Ids.ts"
import { toTenge } from "../value/Money.ts"
import * as Progress from "../work/Progress.ts"
import * as Comparison from "./Comparison.ts"
import { differenceOf, namesOf } from "./Differences.ts"
import {
  type CashierDay,
  compared,
  notCompared,
  type Reconciliation,
  type ReconciliationFault
} from "./Reconciliation.ts"
import { ReconciliationSettings } from "./ReconciliationSettings.ts"
import { type OwnPlace, ReconciliationStore } from "./ReconciliationStore.ts"
import { changesOf, newWorkItem, type WorkItem } from "./WorkItem.ts"

/** Rows of ours that are read at once. */
const ownAtOnce = 1_000

/** A stream that is read page by page. */
interface Side {
  at: number
  isEnded: boolean
}

const make = Effect.gen(function* () {
  const store = yield* ReconciliationStore
  const connections = yield* Connections
  const payments = yield* LivePayments
  const ids = yield* Ids
  const { reconciliation: settings } = yield* ReconciliationSettings

  /** A page; one without an answer is asked for again, some times. */
  const pageOf = Effect.fnUntraced(function* (
    cashier: UsableConnection,
    asked: OperationBounds
  ): Effect.fn.Return<Answer<OperationPage>, StorageError> {
    for (const waitMs of settings.pageWaitsMs) {
      const answer = yield* payments.listOperations(cashier, asked)
      if (answer._tag !== "Unknown") return answer
      yield* Effect.sleep(Duration.millis(waitMs))
    }
    return yield* payments.listOperations(cashier, asked)
  })

  /** Reads both sides, always the one that is behind. Answers what came of it, or why it could not be compared. */
  const streams = Effect.fnUntraced(function* (of: CashierDay, cashier: UsableConnection) {
    const span = { from: startOfDay(of.day), until: endOfDay(of.day) + 1 }
    const read = readOf(span, settings.marginMs)
    const comparison = Comparison.make(span, settings.marginMs)
    const [here, there]: [Side, Side] = [
      { at: read.from, isEnded: false },
      { at: span.from, isEnded: false }
    ]
    let place: OwnPlace | null = null
    let after: string | null = null
    for (let done = 0; !here.isEnded || !there.isEnded; ) {
      if (there.isEnded || (!here.isEnded && here.at <= there.at)) {
        const query = { ...read, organizationId: of.organizationId, connectionId: of.connectionId }
        const rows: ReadonlyArray<Comparison.OwnOperation> = yield* store.own({
          ...query,
          after: place,
          limit: ownAtOnce
        })
        for (const own of rows) comparison.here(own)
        const last: Comparison.OwnOperation | undefined = rows.at(-1)
        if (last !== undefined) [place, here.at] = [{ at: last.at, id: last.id }, last.at]
        here.isEnded = rows.length < ownAtOnce
      } else {
        const answer: Answer<OperationPage> = yield* pageOf(cashier, { ...span, after, limit: maxPageOperations })
        if (answer._tag !== "Accepted") return Result.fail(faultOf(answer))
        const { operations, next }: OperationPage = answer.value
        for (const operation of operations) comparison.there(operation)
        done += operations.length
        after = next
        there.at = operations.at(-1)?.at ?? there.at
        there.isEnded = next === null
        yield* Progress.tell({ what: of.day, done, of: there.isEnded ? done : done + 1 })
      }
      if (comparison.size() > settings.maxUnmatched) return Result.fail<ReconciliationFault>("too_different")
    }
    return Result.succeed(comparison.end())
  })

  /** The differences of a day, with their causes. */
  const differences = Effect.fnUntraced(function* (of: CashierDay, { unmatched }: Comparison.Outcome) {
    const { organizationId, connectionId, day } = of
    const span = { from: startOfDay(day) - settings.lookBackMs, until: endOfDay(day) + 1 }
    const names = namesOf(unmatched)
    const invoices = yield* store.known({ organizationId, connectionId, ...span, ...names })
    const knowledge = { connectionId, marginMs: settings.marginMs, invoices }
    return unmatched.flatMap((each) => differenceOf(each, knowledge) ?? [])
  })

  const record = (item: WorkItem, action: "work_item.found" | "work_item.gone") =>
    recordOf(ids, {
      action,
      organizationId: item.organizationId,
      subject: item.id,
      detail: JSON.stringify({ kind: item.kind, cause: item.cause, day: item.day, ...amountsOf(item) })
    })

  const settle = Effect.fnUntraced(function* (row: Reconciliation, outcome: Comparison.Outcome) {
    const found = yield* differences(row, outcome)
    const now = yield* Clock.currentTimeMillis
    if (found.length > settings.maxDifferences) return yield* fail(row, "too_different")
    const changes = changesOf(yield* store.itemsOf(row), found, now)
    const added: Array<WorkItem> = []
    for (const difference of changes.added) added.push(newWorkItem(yield* ids.next("wki"), row, difference, now))
    const records: Array<AuditRecord> = []
    for (const item of [...added, ...changes.changed]) {
      records.push(yield* record(item, item.status === "open" ? "work_item.found" : "work_item.gone"))
    }
    const next = compared(row, outcome.sums, now)
    const isWritten = yield* store.settle({ reconciliation: next, added, changed: changes.changed, records })
    return isWritten ? next : row
  })

  const fail = Effect.fnUntraced(function* (row: Reconciliation, fault: ReconciliationFault) {
    const next = notCompared(row, fault, yield* Clock.currentTimeMillis, settings.retryWaitsMs)
    yield* Effect.logWarning("Reconciliation: a day could not be compared").pipe(
      Effect.annotateLogs({ connection: row.connectionId, day: row.day, fault, status: next.status })
    )
    return (yield* store.replace(next)) ? next : row
  })

  const run = Effect.fn("ReconciliationRuns.run")(function* (row: Reconciliation) {
    if (!payments.isAble || !(yield* payments.canList)) return yield* fail(row, "not_able")
    const cashier = yield* Effect.result(connections.ofInvoice(row.organizationId, row.connectionId))
    if (Result.isFailure(cashier)) {
      if (cashier.failure._tag === "StorageError") return yield* Effect.fail(cashier.failure)
      return yield* fail(row, "no_cashier")
    }
    const outcome = yield* streams(row, cashier.success)
    return yield* Result.isSuccess(outcome) ? settle(row, outcome.success) : fail(row, outcome.failure)
  })

  return {
    /**
     * Compares the day and answers it as it was written: with what was compared, or with the fault. As it was given if
     * another server was faster.
     */
    run,
    /** Whether days can be compared at all. */
    isAble: Effect.map(payments.canList, (canList) => payments.isAble && canList)
  }
})

/** Compares days with the provider's own lists. */
export class ReconciliationRuns extends Context.Service<ReconciliationRuns, Effect.Success<typeof make>>()(
  "@tolem/core/ReconciliationRuns"
) {
  /** The comparison over the stores and the provider. */
  static readonly layer = Layer.effect(ReconciliationRuns, make)
}

const readOf = ({ from, until }: Comparison.Span, marginMs: number): Comparison.Span => ({
  from: from - marginMs,
  until: until + marginMs
})

const amountsOf = ({ amountHere, amountThere }: WorkItem) => ({
  amountHere: amountHere === null ? null : toTenge(amountHere),
  amountThere: amountThere === null ? null : toTenge(amountThere)
})

const faultOf = (answer: NotAccepted): ReconciliationFault => {
  switch (answer._tag) {
    case "SessionLost":
      return "no_cashier"
    case "Throttled":
      return "throttled"
    case "Refused":
      return "refused"
    case "Unknown":
      return "no_answer"
  }
}
