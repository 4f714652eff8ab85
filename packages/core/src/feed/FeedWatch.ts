/** Waits for events. One look serves all requests that wait on this server; without one nothing is looked for. */
import { Deferred, Duration, Effect, Queue } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { OrganizationId } from "../value/Ids.ts"
import { type Tenant, tenantKey } from "../value/Tenant.ts"
import { Hints } from "../work/Hints.ts"
import { FeedSettings } from "./FeedSettings.ts"
import { FeedStore, type FeedWait } from "./FeedStore.ts"

/** As many requests wait on this server as may: of the organization and mode, or of all. */
export class TooManyWaiting extends refusal("TooManyWaiting", "too_many_waiting") {}

interface Waiter extends FeedWait {
  readonly woken: Deferred.Deferred<void>
}

/** A function that returns when there is an event behind a place. The caller bounds the time, and reads it. */
export const make = Effect.gen(function* () {
  const store = yield* FeedStore
  const hints = yield* Hints
  const { feed: limits } = yield* FeedSettings
  const waiters = new Set<Waiter>()
  const first = yield* Queue.sliding<void>(1)

  // One organization that cannot be read keeps no other from what it waits for.
  const place = (organizationId: OrganizationId) =>
    Effect.catchCause(store.place(organizationId, limits.placedAtOnce), (cause) =>
      Effect.logError("FeedWatch: events without a place", cause)
    )

  const look = Effect.gen(function* () {
    // A copy: who is woken here and waits again at once is looked at the next time.
    const waits = [...waiters]
    const organizations = Array.from(new Set(waits.map(({ organizationId }) => organizationId)))
    yield* Effect.forEach(yield* store.arrived(organizations), place, { discard: true })
    for (const { woken } of yield* store.ready(waits)) Deferred.doneUnsafe(woken, Effect.void)
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
