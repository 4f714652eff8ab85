/** Agent: forgets logins and sessions that can no longer be used. */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { LoginSettings } from "./LoginSettings.ts"
import { LoginStore } from "./LoginStore.ts"

const everyMs = 60 * 60_000
// Clocks of servers differ by seconds; an hour is also long enough to tell an expired login from one that never was.
const marginMs = 60 * 60_000

/**
 * Sweeps every hour. Challenges stay for as long as they count against the limits, sessions a day after their end. A
 * failed sweep is logged; the next one does its work.
 */
export const layer: Layer.Layer<never, never, LoginStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* LoginStore
    const { codes, codeMs, keptMs } = (yield* LoginSettings).login
    const sweep = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const challenges = now - Math.max(codes.periodMs, codeMs) - marginMs
      yield* store.forget({ challenges, sessions: now - keptMs })
    })
    yield* sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("LoginJanitor: sweep failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(everyMs))),
      Effect.forkScoped
    )
  })
)
