/** Writes what became of attempts: concurrent ones share a write, and a storage that is away is asked again. */
import { Clock, Duration, Effect, Exit } from "effect"
import { isOneItemsFault, overfull, type StorageError } from "../../error/StorageError.ts"
import { tenantKey } from "../../value/Tenant.ts"
import * as Batcher from "../../work/Batcher.ts"
import { WebhookSettings } from "../WebhookSettings.ts"
import { type Settlement, WebhookStore } from "../WebhookStore.ts"

/** Wait before a settlement is tried again. */
const againMs = 500

/**
 * A function that writes a settlement whose claim holds until `until`, and answers whether it still did. While it holds
 * no other server sends the delivery, so that trying again is worth the time. Closing the scope writes what waits.
 */
export const make = Effect.gen(function* () {
  const store = yield* WebhookStore
  const { batch } = yield* WebhookSettings
  const write = yield* Batcher.make({
    name: "settlements",
    ...batch,
    // Attempts begin a few in a turn, and end so.
    patience: 12,
    runAll: Effect.fnUntraced(function* (settlements: ReadonlyArray<Settlement>) {
      const held = yield* store.settleMany(settlements, yield* Clock.currentTimeMillis)
      return held.map((each) => Exit.succeed(each))
    }),
    lineOf: ({ job }: Settlement) => tenantKey(job.endpoint),
    full: () => overfull("WebhookStore.settleMany"),
    isolate: isOneItemsFault
  })
  const settle = (settlement: Settlement, until: number): Effect.Effect<boolean, StorageError> =>
    Effect.catch(write(settlement), (error) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        error.retryable && now + againMs < until
          ? Effect.andThen(Effect.sleep(Duration.millis(againMs)), settle(settlement, until))
          : Effect.fail(error)
      )
    )
  return settle
})
