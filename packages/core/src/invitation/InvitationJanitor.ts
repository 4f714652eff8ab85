/** Agent: forgets invitations that have long ended. */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { InvitationSettings } from "./InvitationSettings.ts"
import { InvitationStore } from "./InvitationStore.ts"

const everyMs = 60 * 60_000
/** Rows that are removed together. */
const portion = 200

/** Sweeps every hour, in portions. A failed sweep is logged; the next one does its work. */
export const layer: Layer.Layer<never, never, InvitationStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* InvitationStore
    const { keptMs } = (yield* InvitationSettings).invitations
    const sweep = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      while ((yield* store.forget(now - keptMs, portion)) === portion);
    })
    yield* sweep.pipe(
      Effect.catchCause((cause) => Effect.logError("InvitationJanitor: sweep failed", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(everyMs))),
      Effect.forkScoped
    )
  })
)
