/**
 * Agent: keeps the sums of payment links right while servers of an earlier version, which move them otherwise, are
 * replaced one by one.
 */
import { Duration, Effect, Layer, Schedule } from "effect"
import { PaymentLinkStore } from "./PaymentLinkStore.ts"

const everyMs = 60 * 60_000
/** Links of one step: their invoices are counted while they are locked. */
const linksAtOnce = 8
/** Between two steps, so that a sweep takes a small part of the database's time. */
const restMs = 50

/** Sweeps every hour. A failed sweep is logged; the next one does its work. Any number of servers may sweep at once. */
export const layer: Layer.Layer<never, never, PaymentLinkStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* PaymentLinkStore
    const sweep = Effect.gen(function* () {
      let after: string | null = ""
      while (after !== null) {
        after = yield* store.mendTotals(after, linksAtOnce)
        if (after !== null) yield* Effect.sleep(Duration.millis(restMs))
      }
    })
    yield* sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("LinkKeeper: sweep failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(everyMs))),
      Effect.forkScoped
    )
  })
)
