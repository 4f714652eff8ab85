/** Waits for events. One look serves all who wait on this server, and nothing is looked for while nobody waits. */

import { Deferred, Duration, Effect, Queue } from "effect"
import { refusal } from "../error/Refusal.ts"
import { type Tenant, tenantKey } from "../value/Tenant.ts"
import { Hints } from "../work/Hints.ts"
import { FeedSettings } from "./FeedSettings.ts"
import { FeedStore, type FeedWait } from "./FeedStore.ts"

/** As many requests wait on this server as may: of the organization and mode, or of all. */
export class TooManyWaiting extends refusal("TooManyWaiting", "too_many_waiting") {}

interface Waiter extends FeedWait {
  readonly woken: Deferred.Deferred<void>
}

/**
 * A function that returns when there may be something behind a place. The caller bounds the time, and looks for itself:
 * what is there may be of another type than it waits for.
 */
export const make = Effect.gen(function* () {
  const store = yield* FeedStore
  const hints = yield* Hints
  const { feed: limits } = yield* FeedSettings
  const waiters = new Set<Waiter>()
  const first = yield* Queue.sliding<void>(1)

  const look = Effect.gen(function* () {
    const waits = new Map<string, FeedWait>()
    for (const waiter of waiters) {
      const known = waits.get(tenantKey(waiter))
      if (known === undefined || waiter.position < known.position) waits.set(tenantKey(waiter), waiter)
    }
    const ready = new Set((yield* store.ready([...waits.values()])).map(tenantKey))
    for (const waiter of waiters) {
      if (ready.has(tenantKey(waiter))) Deferred.doneUnsafe(waiter.woken, Effect.void)
    }
  })
  const turn = Effect.gen(function* () {
    if (waiters.size === 0) return yield* Queue.take(first)
    yield* Effect.raceFirst(hints.awaitChange, Effect.sleep(Duration.millis(limits.pollMs)))
    yield* Effect.catchCause(look, (cause) => Effect.logError("FeedWatch: look failed", cause))
    yield* Effect.sleep(Duration.millis(limits.restMs))
  })
  yield* Effect.forkScoped(Effect.forever(turn))

  const isFull = (tenant: Tenant) => {
    if (waiters.size >= limits.waiting) return true
    const key = tenantKey(tenant)
    let count = 0
    for (const waiter of waiters) if (tenantKey(waiter) === key) count++
    return count >= limits.waitingOfTenant
  }

  return (wait: FeedWait): Effect.Effect<void, TooManyWaiting> =>
    Effect.suspend(() => {
      if (isFull(wait)) return Effect.fail(new TooManyWaiting())
      const waiter: Waiter = { ...wait, woken: Deferred.makeUnsafe() }
      waiters.add(waiter)
      Queue.offerUnsafe(first, undefined)
      const leave = Effect.sync(() => waiters.delete(waiter))
      return Effect.ensuring(Deferred.await(waiter.woken), leave)
    })
})
