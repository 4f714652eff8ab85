/** Jobs that have their place, until they begin: a few in each turn of the event loop, so that requests have theirs. */
import { Clock, Duration, Effect, Queue } from "effect"
import type { ClaimedJob } from "./Lanes.ts"
import type * as Lanes from "./Lanes.ts"

/** Attempts that begin in one turn of the event loop: some milliseconds of work, which requests wait for at most. */
const beginsPerTurn = 2

/**
 * For so many milliseconds after each attempt that fails none begins at an endpoint that is not known to be sound: what
 * fails is not urgent, and very many may. Where attempts arrive nothing is held back.
 */
const holdMs = 10

/** All that have failed together hold the others back for no longer. */
const maxHoldMs = 100

/** Jobs in the order in which they are to begin. Asked once in each turn. */
export const make = ({ first, isSound }: Pick<ReturnType<typeof Lanes.make>, "first" | "isSound">) =>
  Effect.map(Queue.sliding<void>(1), (arrivals) => {
    const sound = new Set<ClaimedJob>()
    const unsound = new Set<ClaimedJob>()
    let heldUntil = Number.NEGATIVE_INFINITY
    let isOfWorking = false

    /** For how long none of those that are not sound begins. A clock that has gone back holds up nothing. */
    const held = (now: number) => (heldUntil - now > maxHoldMs ? 0 : Math.max(0, heldUntil - now))

    const takeOut = (jobs: Set<ClaimedJob>, which: ReadonlyArray<ClaimedJob>) => {
      for (const claimed of which) jobs.delete(claimed)
      return which
    }
    const takeSome = Effect.map(Clock.currentTimeMillis, (now) => {
      if (unsound.size === 0 || held(now) > 0) return takeOut(sound, first(sound, beginsPerTurn, true))
      const ofSound = takeOut(sound, first(sound, 1, true))
      const left = beginsPerTurn - ofSound.length
      isOfWorking = !isOfWorking
      return [...ofSound, ...takeOut(unsound, first(unsound, left, left > 1 || isOfWorking))]
    })
    const arrival = Queue.take(arrivals)
    const arrivalOrTurn = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      held(now) > 0 ? Effect.timeoutOption(arrival, Duration.millis(held(now))) : Effect.void
    )

    return {
      add: (claimed: ClaimedJob) =>
        Effect.suspend(() => {
          const jobs = isSound(claimed.job.endpoint.id) ? sound : unsound
          jobs.add(claimed)
          return Effect.asVoid(Queue.offer(arrivals, undefined))
        }),
      /** An attempt has failed at an instant. */
      failed: (now: number): void => {
        heldUntil = now + Math.min(held(now) + holdMs, maxHoldMs)
      },
      /** Those that begin in this turn, once there are any jobs. May be none, if all of them are held back. */
      take: Effect.suspend(() => {
        if (sound.size > 0) return takeSome
        return Effect.andThen(unsound.size > 0 ? arrivalOrTurn : arrival, takeSome)
      }),
      takeAll: () => [...takeOut(sound, [...sound]), ...takeOut(unsound, [...unsound])]
    }
  })
