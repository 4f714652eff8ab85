/** Agent: forgets request windows that are no longer counted in. */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { RateStore } from "./RateStore.ts"
import { startOf, windowMs } from "./RateWindow.ts"

// Clocks of servers differ by seconds, not by minutes: no server counts in a window this old.
const keptWindows = 10

/** Sweeps once every few windows. A failed sweep is logged; the next one does its work. */
export const layer: Layer.Layer<never, never, RateStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* RateStore
    const sweep = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      yield* store.forget(startOf(now) - keptWindows * windowMs)
    })
    yield* sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("RateJanitor: sweep failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(keptWindows * windowMs))),
      Effect.forkScoped
    )
  })
)
