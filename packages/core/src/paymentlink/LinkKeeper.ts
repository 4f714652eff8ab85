/**
 * Agent: keeps the sums of payment links right while servers of an earlier version, which move them otherwise, are
 * replaced one by one. One server at a time does it for all.
 */
import { Clock, Duration, Effect, Layer, Option, Schedule } from "effect"
import * as AgentRuns from "../measure/AgentRuns.ts"
import { type LinkSweep, PaymentLinkStore } from "./PaymentLinkStore.ts"

const everyMs = 60 * 60_000
/** How soon another server goes on with a sweep whose server has ended. */
const lookMs = 5 * 60_000
const lentMs = 2 * 60_000
/** Servers of the version before are replaced within a day. Where a link sells out, its sums are looked at for ever. */
const wholeMs = 24 * 60 * 60_000
/** Links of one step: their invoices are counted while they are locked. */
const linksAtOnce = 8
/** Between two steps, so that a sweep takes a small part of the database's time. */
const restMs = 50

/** Sweeps every hour. A failed sweep is logged and taken up again. Any number of servers may ask for it. */
export const layer: Layer.Layer<never, never, PaymentLinkStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* PaymentLinkStore
    const sweep = Effect.gen(function* () {
      const begunAt = yield* Clock.currentTimeMillis
      const lent = yield* store.lendSweep(begunAt, begunAt + lentMs, wholeMs)
      if (Option.isNone(lent)) return
      let under: LinkSweep | null = lent.value
      while (under !== null) {
        const now = yield* Clock.currentTimeMillis
        under = yield* store.sweep(under, { limit: linksAtOnce, until: now + lentMs, nextAt: begunAt + everyMs })
        if (under !== null) yield* Effect.sleep(Duration.millis(restMs))
      }
    })
    yield* sweep.pipe(
      AgentRuns.observed("LinkKeeper", "sweep", lookMs),
      Effect.catchCause((cause) => Effect.logError("LinkKeeper: sweep failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(lookMs))),
      Effect.forkScoped
    )
  })
)
