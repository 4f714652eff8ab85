/** Jobs that have their place, until they begin: a few in each turn of the event loop, so that requests have theirs. */
import { Clock, Effect, Queue } from "effect"
import type { ClaimedJob } from "./Lanes.ts"
import type * as Lanes from "./Lanes.ts"

/** Attempts that begin in one turn of the event loop: some milliseconds of work, which requests wait for at most. */
const beginsPerTurn = 2

/**
 * From one attempt to the next at endpoints that are not known to be sound, however many of them are due: so many turns
 * of the event loop, or so many milliseconds if the turns take longer. On an idle machine it is hardly any time; on a
 * busy one these attempts, most of which may fail, leave the turns between to requests and to other attempts.
 */
const turnsPerUnsound = 32
const msPerUnsound = 10

/** Jobs in the order in which they are to begin. Asked once in each turn. */
export const make = ({ first, isSound }: Pick<ReturnType<typeof Lanes.make>, "first" | "isSound">) =>
  Effect.map(Queue.sliding<void>(1), (arrivals) => {
    const sound = new Set<ClaimedJob>()
    const unsound = new Set<ClaimedJob>()
    /** Turns since the last one began that is not sound, as long as there were any to begin; and when it began. */
    let turns = turnsPerUnsound
    let unsoundAt = Number.NEGATIVE_INFINITY
    let isOfWorking = false

    const takeOut = (jobs: Set<ClaimedJob>, which: ReadonlyArray<ClaimedJob>) => {
      for (const claimed of which) jobs.delete(claimed)
      return which
    }
    const takeUnsound = (now: number) => {
      turns++
      if (unsound.size === 0 || (turns < turnsPerUnsound && now - unsoundAt < msPerUnsound)) return []
      turns = 0
      unsoundAt = now
      isOfWorking = !isOfWorking
      return takeOut(unsound, first(unsound, 1, isOfWorking))
    }
    const takeSome = Effect.map(Clock.currentTimeMillis, (now) => [
      ...takeOut(sound, first(sound, beginsPerTurn, true)),
      ...takeUnsound(now)
    ])

    return {
      add: (claimed: ClaimedJob) =>
        Effect.suspend(() => {
          const jobs = isSound(claimed.job.endpoint.id) ? sound : unsound
          jobs.add(claimed)
          return Effect.asVoid(Queue.offer(arrivals, undefined))
        }),
      /** Those that begin in this turn, once there are any jobs. May be none, if all have to wait for a later turn. */
      take: Effect.suspend(() => {
        if (sound.size + unsound.size > 0) return takeSome
        turns = turnsPerUnsound
        return Effect.andThen(Queue.take(arrivals), takeSome)
      }),
      takeAll: () => [...takeOut(sound, [...sound]), ...takeOut(unsound, [...unsound])]
    }
  })
