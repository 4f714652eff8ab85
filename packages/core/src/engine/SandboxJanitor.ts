/** Agent: removes what was not touched in a sandbox for long. What is live, and the audit log, is never removed. */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import type { OrganizationId } from "../value/Ids.ts"
import { type RemovalResult, type SandboxPlace, SandboxStore } from "./SandboxStore.ts"
import { Settings } from "./Settings.ts"

const everyMs = 60 * 60_000
const organizationsAtOnce = 256
/** Invoices of one step: some milliseconds of a database that others write to meanwhile. */
const invoicesAtOnce = 100
/** A subscription goes with all of its invoices: thousands, if its sandbox has seen many days. */
const subscriptionsAtOnce = 1
/** Between two steps, so that a sweep takes a small part of the database's time. */
const restMs = 50

/**
 * Sweeps every hour, if the settings say how long things are kept. Each sandbox goes by its own clock. A failed
 * sweep is logged; the next one does its work. Any number of servers may sweep at once.
 */
export const layer: Layer.Layer<never, never, SandboxStore | SandboxClocks> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { keptMs } = (yield* Settings).sandbox
    if (keptMs === null) return
    const sweep = yield* make(keptMs)
    yield* sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("SandboxJanitor: sweep failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(everyMs))),
      Effect.forkScoped
    )
  })
)

const make = Effect.fnUntraced(function* (keptMs: number) {
  const store = yield* SandboxStore
  const clocks = yield* SandboxClocks
  const rest = Effect.sleep(Duration.millis(restMs))

  /** Repeats a step until it finds less than it may take. */
  const exhaust = (step: Effect.Effect<number, StorageError>, limit: number) =>
    Effect.repeat(
      Effect.tap(step, (count) => (count > 0 ? rest : Effect.void)),
      { while: (count) => count >= limit }
    )

  const sweepOne = Effect.fnUntraced(function* (organizationId: OrganizationId, realBefore: number, aheadMs: number) {
    const asked = { organizationId, before: realBefore + aheadMs }
    yield* exhaust(store.forgetSubscriptions({ ...asked, limit: subscriptionsAtOnce }), subscriptionsAtOnce)
    let after: SandboxPlace | null = null
    do {
      const forgotten: RemovalResult = yield* store.forgetInvoices({ ...asked, limit: invoicesAtOnce, after })
      after = forgotten.next
      if (forgotten.invoices > 0) yield* rest
    } while (after !== null)
    // Limits count real days: a sandbox that is ahead must not lose what it has used of today's.
    const traces = { organizationId, before: realBefore, limit: invoicesAtOnce }
    yield* exhaust(store.forgetTraces(traces), invoicesAtOnce)
  })

  return Effect.gen(function* () {
    let after = ""
    for (;;) {
      const organizations = yield* store.organizations(after, organizationsAtOnce)
      for (const organizationId of organizations) {
        const aheadMs = (yield* clocks.all).get(organizationId) ?? 0
        yield* sweepOne(organizationId, (yield* Clock.currentTimeMillis) - keptMs, aheadMs)
      }
      if (organizations.length < organizationsAtOnce) return
      after = organizations.at(-1) ?? ""
    }
  })
})
