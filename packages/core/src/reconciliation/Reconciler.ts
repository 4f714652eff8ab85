/** Agent: compares yesterday, in Almaty, of every live cashier whose provider has a list, and what was asked for. */
import { Effect, Layer } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import { dayOf, endOfDay, startOfDay } from "../value/Calendar.ts"
import type { ConnectionId } from "../value/Ids.ts"
import * as Watcher from "../work/Watcher.ts"
import type { Reconciliation } from "./Reconciliation.ts"
import { ReconciliationRuns } from "./ReconciliationRuns.ts"
import { ReconciliationSettings } from "./ReconciliationSettings.ts"
import { ReconciliationStore } from "./ReconciliationStore.ts"

/** A comparison changes nothing before its end, and waits for its turn at the provider: it is done again elsewhere. */
const stopGraceMs = 0
/** Cashiers whose day is added by one statement. */
const enrolledAtOnce = 500
/** How often is looked for cashiers who have come since. */
const enrolEveryMs = 3_600_000

/** Runs for as long as the layer is open. Any number of servers may run it on one database. */
export const layer: Layer.Layer<never, never, ReconciliationStore | ReconciliationRuns> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* ReconciliationStore
    const { run, isAble } = yield* ReconciliationRuns
    const { reconciliation } = yield* ReconciliationSettings
    const { pollMs, leaseMs, atOnce, restMs } = reconciliation
    let enrolled = { day: "", at: 0 }

    /** Adds the last day that has ended long enough ago. */
    const enrol = Effect.fnUntraced(function* (now: number) {
      const day = dayOf(startOfDay(dayOf(now - restMs)) - 1)
      if (enrolled.day === day && now < enrolled.at + enrolEveryMs) return
      const dueAt = endOfDay(day) + restMs
      for (let after = "", isMore = true; isMore; ) {
        const added: ReadonlyArray<ConnectionId> = yield* store.enrol(day, dueAt, after, enrolledAtOnce)
        isMore = added.length >= enrolledAtOnce
        after = added.at(-1) ?? after
      }
      enrolled = { day, at: now }
    })

    /** What there is of days to compare; `none` without a provider that lists: it is left to the other processes. */
    const dueOf = Effect.fnUntraced(function* <A>(now: number, found: Effect.Effect<A, StorageError>, none: A) {
      if (!(yield* isAble)) return none
      yield* enrol(now)
      return yield* found
    })

    yield* Watcher.run({
      name: "Reconciler",
      pollMs,
      leaseMs,
      batchSize: atOnce,
      atOnce,
      graceMs: stopGraceMs,
      claim: (now, until, limit, among) => dueOf(now, store.claim(now, until, limit, among), []),
      fair: {
        tenantOf: ({ organizationId }) => ({ organizationId, mode: "live" }),
        waiting: (now, after) => dueOf(now, store.waiting(now, after), { tenants: [], next: null })
      },
      act: (row: Reconciliation) => Effect.asVoid(run(row))
    })
  })
)
