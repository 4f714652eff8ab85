/**
 * What this process has under way: a lane per endpoint with the jobs that run and the claimed ones that wait for their
 * turn. A lane knows how its endpoint fares right now, which the storage learns a moment later. Plain bookkeeping: no
 * effect, no clock.
 */
import { type Health, healthAfter, isPaused, outcomeOf, type Policy } from "./RetryPolicy.ts"
import type { Job } from "./Webhook.ts"
import type { Outcome } from "./WebhookStore.ts"

/** A job that is ours until its claim ends. */
export interface Claimed {
  readonly job: Job
  readonly until: number
}

/** How much may run at once. */
export interface Limits {
  readonly total: number
  readonly perEndpoint: number
}

interface Lane {
  running: number
  waiting: Array<Claimed>
  health: Health
}

/** See the file's head. */
export interface Lanes {
  /** Attempts that may still begin. */
  readonly free: () => number
  readonly running: () => number
  /** Endpoints that have anything under way. */
  readonly active: () => ReadonlyArray<string>
  /** Those of them that no further job is to be claimed for. */
  readonly busy: () => ReadonlyArray<string>
  /** Until when the endpoint rests, as far as this process has seen it; null where it does not. */
  readonly pausedUntil: (endpointId: string, now: number) => number | null
  /** Takes in jobs. Answers those that begin; the others wait for a place, or for their endpoint. */
  readonly enter: (jobs: ReadonlyArray<Claimed>) => ReadonlyArray<Claimed>
  /** The outcome of an attempt. Attempts at the same endpoint that end later take it into account. */
  readonly judge: (job: Job, delivered: boolean, endedAt: number, policy: Policy) => Outcome
  /**
   * A job has ended. Answers the one that begins in its place, if any: of an endpoint that has nothing under way, else
   * of the same one, else of any that has room.
   */
  readonly leave: (job: Job) => Claimed | undefined
  /** Takes out those of the waiting jobs that `which` names. */
  readonly takeWaiting: (which: (claimed: Claimed) => boolean) => ReadonlyArray<Claimed>
}

/** No lane is open yet. */
export const make = (limits: Limits): Lanes => {
  const lanes = new Map<string, Lane>()
  let running = 0

  const laneOf = ({ endpoint }: Job): Lane => {
    const { failureCount, pauseCount, pausedUntil } = endpoint
    const lane = lanes.get(endpoint.id) ?? {
      running: 0,
      waiting: [],
      health: { failureCount, pauseCount, pausedUntil }
    }
    lanes.set(endpoint.id, lane)
    return lane
  }

  const begin = (lane: Lane) => {
    lane.running++
    running++
  }

  const hasRoom = (lane: Lane) => lane.running < limits.perEndpoint

  // An endpoint without anything under way is known by the storage only, which other processes write too.
  const closeIfEmpty = (endpointId: string, lane: Lane) => {
    if (lane.running === 0 && lane.waiting.length === 0) lanes.delete(endpointId)
  }

  const nextOf = (own: Lane): Claimed | undefined => {
    const waiting = [...lanes.values()].filter((lane) => lane.waiting.length > 0 && hasRoom(lane))
    const idle = waiting.find((lane) => lane.running === 0)
    const lane = idle ?? (waiting.includes(own) ? own : waiting[0])
    const next = lane?.waiting.shift()
    if (lane !== undefined && next !== undefined) begin(lane)
    return next
  }

  return {
    free: () => Math.max(0, limits.total - running),
    running: () => running,
    active: () => [...lanes.keys()],
    busy: () =>
      [...lanes]
        .filter(([, lane]) => lane.waiting.length > 0 || lane.running >= limits.perEndpoint)
        .map(([endpointId]) => endpointId),
    pausedUntil: (endpointId, now) => {
      const health = lanes.get(endpointId)?.health
      return health !== undefined && isPaused(health, now) ? health.pausedUntil : null
    },
    enter: (jobs) =>
      jobs.filter((claimed) => {
        const lane = laneOf(claimed.job)
        if (running >= limits.total || lane.waiting.length > 0 || !hasRoom(lane)) {
          lane.waiting.push(claimed)
          return false
        }
        begin(lane)
        return true
      }),
    judge: (job, delivered, endedAt, policy) => {
      const lane = laneOf(job)
      const outcome = outcomeOf({ number: job.delivery.attemptCount + 1, delivered, endedAt }, lane.health, policy)
      lane.health = healthAfter(outcome, lane.health)
      return outcome
    },
    leave: ({ endpoint }) => {
      const lane = lanes.get(endpoint.id)
      if (lane === undefined) return undefined
      lane.running--
      running--
      const next = nextOf(lane)
      closeIfEmpty(endpoint.id, lane)
      return next
    },
    takeWaiting: (which) =>
      [...lanes].flatMap(([endpointId, lane]) => {
        const taken = lane.waiting.filter(which)
        if (taken.length > 0) lane.waiting = lane.waiting.filter((claimed) => !taken.includes(claimed))
        closeIfEmpty(endpointId, lane)
        return taken
      })
  }
}
