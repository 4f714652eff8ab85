/** Jobs that have their place, until they begin: a few in each turn of the event loop, so that requests have theirs. */
import { Clock, Duration, Effect, Queue } from "effect"
import type { Mode } from "../../value/Mode.ts"
import type * as Lanes from "./Lanes.ts"
import type { ClaimedJob } from "./Lanes.ts"

/**
 * Attempts that begin in one turn of the event loop, none of them of the same party as another one: a millisecond of
 * work or two, which requests wait for at most.
 */
const beginsPerTurn = 8

/** Of those, at endpoints that are not known to be sound, while nothing else is to begin. Beside others it is one. */
const unsoundPerTurn = 2

/**
 * Milliseconds between two attempts at endpoints that are not known to be sound, once one of the same mode has failed:
 * what fails is not urgent, and very many may.
 */
const maxSpaceMs = 10

/** Each attempt that arrives halves that time; less than this is none. So nothing is held back while none fails. */
const minSpaceMs = 2

/** Jobs of one mode at endpoints that are not known to be sound. */
interface Unsound {
  readonly jobs: Set<ClaimedJob>
  /** From one to the next. */
  spaceMs: number
  /** When the next one may begin. */
  nextAt: number
  /** A first failure has put off the next one, and none has begun since. */
  isPutOff: boolean
}

const noneUnsound = (): Unsound => ({
  jobs: new Set(),
  spaceMs: 0,
  nextAt: Number.NEGATIVE_INFINITY,
  isPutOff: false
})

/** For how long none of them begins. A clock that has gone back holds up nothing. */
const leftOf = ({ nextAt }: Unsound, now: number) =>
  nextAt - now > unsoundPerTurn * maxSpaceMs ? 0 : Math.max(0, nextAt - now)

/** Jobs in the order in which they are to begin. Asked once in each turn. */
export const make = ({ first, isSound }: Pick<ReturnType<typeof Lanes.make>, "first" | "isSound">) =>
  Effect.map(Queue.sliding<void>(1), (arrivals) => {
    const sound = new Set<ClaimedJob>()
    // Live ones wait for no sandbox.
    const unsound: Record<Mode, Unsound> = { live: noneUnsound(), sandbox: noneUnsound() }
    let isOfWorking = false

    const waiting = (): ReadonlyArray<Unsound> => Object.values(unsound).filter(({ jobs }) => jobs.size > 0)
    const takeOut = (which: ReadonlyArray<ClaimedJob>) => {
      for (const claimed of which) {
        for (const jobs of [sound, unsound.live.jobs, unsound.sandbox.jobs]) jobs.delete(claimed)
      }
      return which
    }
    /** What has arrived at an endpoint meanwhile lets its other jobs go on. */
    const regroup = () => {
      for (const { jobs } of waiting()) {
        for (const claimed of jobs) {
          if (!isSound(claimed.job.endpoint.id)) continue
          jobs.delete(claimed)
          sound.add(claimed)
        }
      }
    }
    const takeSome = Effect.map(Clock.currentTimeMillis, (now) => {
      regroup()
      const free = waiting().flatMap((each) => (leftOf(each, now) > 0 ? [] : [...each.jobs]))
      if (free.length === 0) return takeOut(first(sound, beginsPerTurn, true))
      const ofSound = first(sound, beginsPerTurn - 1, true)
      const left = ofSound.length > 0 ? 1 : unsoundPerTurn
      isOfWorking = !isOfWorking
      const others = first(free, left, left > 1 || isOfWorking)
      for (const { job } of others) {
        const mode = unsound[job.endpoint.mode]
        mode.nextAt = now + leftOf(mode, now) + mode.spaceMs
        mode.isPutOff = false
      }
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
          const jobs = isSound(id) ? sound : unsound[mode].jobs
          jobs.add(claimed)
          return Effect.asVoid(Queue.offer(arrivals, undefined))
        }),
      /** An attempt in this mode has ended at an instant, and what became of it is known to `isSound`. */
      ended: (mode: Mode, delivered: boolean, now: number): void => {
        const of = unsound[mode]
        if (delivered) {
          of.spaceMs = of.spaceMs < 2 * minSpaceMs ? 0 : of.spaceMs / 2
          // Its endpoint is sound from here on, and others of its jobs may wait.
          if (of.jobs.size > 0) Queue.offerUnsafe(arrivals, undefined)
          return
        }
        // The first failure counts from its own end: very many may have begun before it.
        if (of.spaceMs === 0 && !of.isPutOff) {
          of.nextAt = now + maxSpaceMs
          of.isPutOff = true
        }
        of.spaceMs = maxSpaceMs
      },
      /** Those that begin in this turn, once there are any jobs. May be none, if all of them are held back. */
      take: Effect.suspend(() => {
        if (sound.size > 0) return takeSome
        return Effect.andThen(waiting().length > 0 ? arrivalOrTurn : arrival, takeSome)
      }),
      takeAll: () => takeOut([...sound, ...unsound.live.jobs, ...unsound.sandbox.jobs])
    }
  })
