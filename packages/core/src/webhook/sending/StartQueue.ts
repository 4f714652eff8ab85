/** Jobs that have their place, until they begin: a few in each turn of the event loop, so that requests have theirs. */
import { Clock, Duration, Effect, Queue } from "effect"
import type { Mode } from "../../value/Mode.ts"
import type * as Lanes from "./Lanes.ts"
import type { ClaimedJob } from "./Lanes.ts"

/** Attempts that begin in one turn of the event loop: some milliseconds of work, which requests wait for at most. */
const beginsPerTurn = 2

/**
 * For so many milliseconds after each attempt that fails none of the same mode begins at an endpoint that is not known
 * to be sound: what fails is not urgent, and very many may. While none fails nothing is held back.
 */
const holdMs = 10

/** However many fail, some begin when none has begun for so long. */
const maxHoldMs = 100

/** Those of one mode at endpoints that are not known to be sound. */
interface Held {
  readonly jobs: Set<ClaimedJob>
  until: number
  /** When one of them began last. */
  begunAt: number
}

/** For how long none of them begins. A clock that has gone back holds up nothing. */
const leftOf = ({ until }: Held, now: number) => (until - now > maxHoldMs ? 0 : Math.max(0, until - now))

/** Jobs in the order in which they are to begin. Asked once in each turn. */
export const make = ({ first, isSound }: Pick<ReturnType<typeof Lanes.make>, "first" | "isSound">) =>
  Effect.map(Queue.sliding<void>(1), (arrivals) => {
    const sound = new Set<ClaimedJob>()
    // Live ones wait for no sandbox.
    const held = {
      live: { jobs: new Set(), until: Number.NEGATIVE_INFINITY, begunAt: Number.NEGATIVE_INFINITY },
      sandbox: { jobs: new Set(), until: Number.NEGATIVE_INFINITY, begunAt: Number.NEGATIVE_INFINITY }
    } satisfies Record<Mode, Held>
    let isOfWorking = false

    const waiting = (): ReadonlyArray<Held> => Object.values(held).filter(({ jobs }) => jobs.size > 0)
    const takeOut = (which: ReadonlyArray<ClaimedJob>) => {
      for (const claimed of which) for (const jobs of [sound, held.live.jobs, held.sandbox.jobs]) jobs.delete(claimed)
      return which
    }
    const takeSome = Effect.map(Clock.currentTimeMillis, (now) => {
      const free = waiting().flatMap((each) => (leftOf(each, now) > 0 ? [] : [...each.jobs]))
      if (free.length === 0) return takeOut(first(sound, beginsPerTurn, true))
      const ofSound = first(sound, 1, true)
      const left = beginsPerTurn - ofSound.length
      isOfWorking = !isOfWorking
      const others = first(free, left, left > 1 || isOfWorking)
      for (const { job } of others) held[job.endpoint.mode].begunAt = now
      return takeOut([...ofSound, ...others])
    })
    const arrival = Queue.take(arrivals)
    const arrivalOrTurn = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const ms = Math.min(...waiting().map((each) => leftOf(each, now)))
      return ms > 0 ? Effect.timeoutOption(arrival, Duration.millis(ms)) : Effect.void
    })

    return {
      add: (claimed: ClaimedJob) =>
        Effect.suspend(() => {
          const { id, mode } = claimed.job.endpoint
          const jobs = isSound(id) ? sound : held[mode].jobs
          jobs.add(claimed)
          return Effect.asVoid(Queue.offer(arrivals, undefined))
        }),
      /** An attempt in this mode has failed at an instant. */
      failed: (mode: Mode, now: number): void => {
        const { begunAt } = held[mode]
        // A clock that has gone back has them begin as if one just had.
        const latest = Math.min(begunAt, now) + maxHoldMs
        held[mode].until = Math.min(now + leftOf(held[mode], now) + holdMs, latest)
      },
      /** Those that begin in this turn, once there are any jobs. May be none, if all of them are held back. */
      take: Effect.suspend(() => {
        if (sound.size > 0) return takeSome
        return Effect.andThen(waiting().length > 0 ? arrivalOrTurn : arrival, takeSome)
      }),
      takeAll: () => takeOut([...sound, ...held.live.jobs, ...held.sandbox.jobs])
    }
  })
