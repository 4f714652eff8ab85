/** Agent: removes what was not touched in a sandbox for long. What is live, and the audit log, is never removed. */
import { Clock, Effect, Layer } from "effect"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import type { OrganizationId } from "../value/Ids.ts"
import * as Chores from "./Chores.ts"
import { type SandboxPlace, SandboxStore } from "./SandboxStore.ts"
import { Settings } from "./Settings.ts"

const everyMs = 60 * 60_000
const organizationsAtOnce = 256
/** Invoices of one step: some milliseconds of a database that others write to meanwhile. */
const invoicesAtOnce = 100
/** A subscription goes with all of its invoices: thousands, if its sandbox has seen many days. */
const subscriptionsAtOnce = 1

/**
 * Sweeps every hour, if the settings say how long things are kept. Each sandbox goes by its own clock. A failed
 * sweep is logged; the next one does its work. Any number of servers may sweep at once.
 */
export const layer: Layer.Layer<never, never, SandboxStore | SandboxClocks> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { keptMs } = (yield* Settings).sandbox
    if (keptMs === null) return
    const sweep = yield* make(keptMs)
    yield* Chores.sweepEvery(everyMs, "SandboxJanitor", sweep)
  })
)

const make = Effect.fnUntraced(function* (keptMs: number) {
  const store = yield* SandboxStore
  const clocks = yield* SandboxClocks

  const sweepOne = Effect.fnUntraced(function* (organizationId: OrganizationId, realBefore: number, aheadMs: number) {
    const asked = { organizationId, before: realBefore + aheadMs }
    yield* Chores.exhaust(subscriptionsAtOnce, (limit) => store.forgetSubscriptions({ ...asked, limit }))
    yield* Chores.walk((after: SandboxPlace | null) =>
      Effect.map(store.forgetInvoices({ ...asked, limit: invoicesAtOnce, after }), ({ invoices: removed, next }) => ({
        removed,
        next
      }))
    )
    // Limits count real days: a sandbox that is ahead must not lose what it has used of today's.
    const traces = { organizationId, before: realBefore }
    yield* Chores.exhaust(invoicesAtOnce, (limit) => store.forgetTraces({ ...traces, limit }))
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
