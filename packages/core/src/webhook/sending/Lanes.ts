/**
 * What this process has under way: a lane per endpoint with the jobs that run and the claimed ones that wait for their
 * turn. A lane knows how its endpoint fares right now, which the storage learns a moment later. Plain bookkeeping: no
 * effect, no clock.
 */

import type { EndpointId } from "../../value/Ids.ts"
import type { Job } from "../Webhook.ts"
import type { AttemptOutcome, DueEndpoint } from "../WebhookStore.ts"
import { type EndpointHealth, type HealthPolicy, healthAfter, isPaused, outcomeOf } from "./EndpointHealth.ts"
import * as Places from "./Places.ts"
import { makeServed, makeStartOrder, remember } from "./Recent.ts"

/** A job that is ours until its claim ends. */
export interface ClaimedJob {
  readonly job: Job
  readonly until: number
}

/** How much may run at once. */
export interface LaneLimits extends Places.PlaceShares {
  readonly perEndpoint: number
}

/** An endpoint, and whose it is. */
export type OwnedEndpoint = Pick<DueEndpoint, "id" | "organizationId" | "mode">

/** Endpoints to claim for: each may begin one job at least, with all that the others begin, or has jobs already. */
export interface Choice {
  /** More than one of each may be claimed, and wait for the endpoint's next place. */
  readonly roomy: ReadonlyArray<string>
  /** Others have to wait for a place, of the same party or with none at all, so that these get no more than one. */
  readonly pressed: ReadonlyArray<string>
  /** Jobs of theirs that were to wait for their endpoint's next place, and now do not. */
  readonly dropped: ReadonlyArray<ClaimedJob>
  /** Those that were left out though they had room: there was no place for their parties. */
  readonly leftOut: ReadonlyArray<OwnedEndpoint>
}

interface Lane {
  readonly party: Places.Party
  running: number
  /** Attempts that have ended, and are not settled yet. */
  unsettled: number
  waiting: Array<ClaimedJob>
  /** With no more than so many that wait, it is time to claim more. Above 0 only if more is likely to be due. */
  low: number
  health: EndpointHealth
}

/** A lane per endpoint: the jobs that run, and those that wait for their turn. No lane is open yet. */
export const make = (limits: LaneLimits) => {
  const lanes = new Map<string, Lane>()
  /** Lanes in which something waits, by the endpoint. */
  const waiting = new Map<string, Lane>()
  /** Whether the last attempt arrived of a party, and at an endpoint; of those that were heard of lately. */
  const arrived = { of: new Map<string, boolean>(), at: new Map<string, boolean>() }
  const { places, held } = Places.makeHeld<Job>(limits)
  const served = makeServed()
  const order = makeStartOrder<ClaimedJob>(({ job }) => Places.keyOf(job.endpoint), served)
  /** No claim of a job that waits ends before this instant. */
  let firstEnd = Number.POSITIVE_INFINITY

  const laneOf = ({ endpoint }: Job): Lane => {
    const { failureCount, pauseCount, pausedUntil, organizationId, mode } = endpoint
    const lane = lanes.get(endpoint.id) ?? {
      party: { organizationId, mode },
      running: 0,
      unsettled: 0,
      waiting: [],
      low: 0,
      health: { failureCount, pauseCount, pausedUntil }
    }
    lanes.set(endpoint.id, lane)
    return lane
  }

  const begin = (claimed: ClaimedJob, lane: Lane) => {
    const { id } = claimed.job.endpoint
    lane.running++
    held.begin(claimed.job, lane.party, isSound(id))
    served.note(id)
    order.begins(claimed)
  }

  /** Whether the endpoint is known to take what it is sent. */
  const isSound = (endpointId: string) => arrived.at.get(endpointId) === true

  const hasPlace = (party: Places.Party, id: string) => held.hasRoom(party) && places.has(party, isSound(id))

  const mayBegin = (id: string, { running, party }: Lane) => running < limits.perEndpoint && hasPlace(party, id)

  // An endpoint without anything under way is known by the storage only, which other processes write too.
  const closeIfEmpty = (endpointId: EndpointId, lane: Lane) => {
    if (lane.waiting.length === 0) waiting.delete(endpointId)
    if (lane.running + lane.unsettled + lane.waiting.length === 0) lanes.delete(endpointId)
  }

  /** The lane that has least of those that may begin something; of several the one that was served longest ago. */
  const nextLane = (): Lane | undefined => {
    let least: { readonly lane: Lane; readonly share: number; readonly at: number } | undefined
    for (const [endpointId, lane] of waiting) {
      if (!mayBegin(endpointId, lane)) continue
      const share = places.takenBy(lane.party) * (limits.perEndpoint + 1) + lane.running
      const at = served.at(endpointId)
      if (least === undefined || share < least.share || (share === least.share && at < least.at)) {
        least = { lane, share, at }
      }
    }
    return least?.lane
  }

  // One place that comes free may let several parties have one more.
  const beginWaiting = (): ReadonlyArray<ClaimedJob> => {
    const begun: Array<ClaimedJob> = []
    for (;;) {
      const lane = nextLane()
      if (lane === undefined) return begun
      const next = lane.waiting.shift()!
      if (lane.waiting.length === 0) waiting.delete(next.job.endpoint.id)
      begin(next, lane)
      begun.push(next)
    }
  }

  /** Until when the endpoint rests, as far as this process has seen it; null if it does not. */
  const pausedUntil = (endpointId: EndpointId, now: number) => restsUntil(lanes.get(endpointId), now)

  const hasRoom = ({ id }: DueEndpoint, now: number) => {
    const lane = lanes.get(id)
    return (
      lane === undefined ||
      (lane.waiting.length === 0 && lane.running < limits.perEndpoint && pausedUntil(id, now) === null)
    )
  }

  /** Takes out those of the waiting jobs that `which` names. */
  const takeWaiting = (which: (claimed: ClaimedJob) => boolean): ReadonlyArray<ClaimedJob> =>
    [...waiting].flatMap(([endpointId, lane]) => {
      const taken = lane.waiting.filter(which)
      if (taken.length > 0) lane.waiting = lane.waiting.filter((claimed) => !taken.includes(claimed))
      closeIfEmpty(endpointId, lane)
      return taken
    })

  /** Takes out those of the waiting jobs whose claim ends before an instant. Asked often, and hardly ever any. */
  const takeLate = (before: number): ReadonlyArray<ClaimedJob> => {
    if (before <= firstEnd) return []
    const late = takeWaiting(({ until }) => until < before)
    const ends = [...waiting.values()].flatMap((lane) => lane.waiting.map(({ until }) => until))
    firstEnd = ends.reduce((first, until) => Math.min(first, until), Number.POSITIVE_INFINITY)
    return late
  }

  /** What to claim for of these endpoints. Those that have least go first, then those that were served longest ago. */
  const choose = (due: ReadonlyArray<DueEndpoint>, now: number): Choice => {
    const running = (each: DueEndpoint) => lanes.get(each.id)?.running ?? 0
    const servedOf = (each: DueEndpoint) => served.at(Places.keyOf(each))
    const would = places.copy()
    const open = due
      .filter((each) => hasRoom(each, now))
      .toSorted((a, b) => running(a) - running(b) || served.at(a.id) - served.at(b.id) || a.dueAt - b.dueAt)
    // One endpoint of each party, then a second one of each, for as long as there are places.
    const turns = [...Map.groupBy(open, Places.keyOf).values()]
      .flatMap((own) => own.map((each, turn) => ({ each, turn: turn + would.takenBy(each) })))
      .toSorted((a, b) => a.turn - b.turn || servedOf(a.each) - servedOf(b.each) || a.each.dueAt - b.each.dueAt)
    const chosen: Array<DueEndpoint> = []
    const leftOut: Array<DueEndpoint> = []
    const pressed = new Set<string>()
    for (const { each } of turns) {
      const mayLeaveMore = held.hasRoom(each)
      if (mayLeaveMore && would.has(each, isSound(each.id))) {
        would.take(each, isSound(each.id))
        chosen.push(each)
        continue
      }
      leftOut.push(each)
      // What has ended there is about to be settled: none of the others is in its way.
      if (!mayLeaveMore) continue
      // What is kept for sound ones is out of its reach: only the others are in its way then.
      const kind = would.has(each, true) ? unsound : ""
      pressed.add(kind + Places.keyOf(each))
      // A party that has no place at all comes before anything that could follow in another one's.
      if (would.takenBy(each) === 0) pressed.add(kind + each.mode)
    }
    const isPressed = (endpoint: OwnedEndpoint) =>
      [Places.keyOf(endpoint), endpoint.mode, "live"].some(
        (name) => pressed.has(name) || (pressed.has(unsound + name) && !isSound(endpoint.id))
      )
    const ahead = due.filter(
      (each) =>
        !hasRoom(each, now) && isSound(each.id) && would.has(each, true) && mayClaimAhead(lanes.get(each.id), now)
    )
    return {
      roomy: [...chosen, ...ahead].filter((each) => !isPressed(each)).map(({ id }) => id),
      pressed: chosen.filter(isPressed).map(({ id }) => id),
      dropped: takeWaiting(({ job }) => isPressed(job.endpoint)),
      leftOut
    }
  }

  return {
    running: places.taken,
    isSound,
    /** Whether a job that has a place got it when its endpoint was sound. */
    wasSound: held.wasSound,
    /** Whether the endpoint's party may have one more place for it. */
    hasPlaceFor: (endpoint: OwnedEndpoint) => hasPlace(endpoint, endpoint.id),
    choose,
    /** Whether so few jobs wait at the endpoint that it is time to claim more. */
    isLow: (endpointId: EndpointId) => isLow(lanes.get(endpointId)),
    /** So many jobs of the endpoint were claimed and taken in, of as many as were wanted: if all, more may be due. */
    claimed: (endpointId: string, count: number, wanted: number): void => {
      const lane = lanes.get(endpointId)
      if (lane !== undefined) lane.low = count < wanted ? 0 : Math.floor(count * lowShare)
    },
    pausedUntil,
    /** Takes in jobs. Answers those that begin; the others wait for a place, or for their endpoint. */
    enter: (jobs: ReadonlyArray<ClaimedJob>): ReadonlyArray<ClaimedJob> =>
      jobs.filter((claimed) => {
        const lane = laneOf(claimed.job)
        if (lane.waiting.length > 0 || !mayBegin(claimed.job.endpoint.id, lane)) {
          lane.waiting.push(claimed)
          firstEnd = Math.min(firstEnd, claimed.until)
          waiting.set(claimed.job.endpoint.id, lane)
          return false
        }
        begin(claimed, lane)
        return true
      }),
    /**
     * Of jobs that begin the first ones to, one of each party at most: of those whose parties were served longest ago
     * before them. At their head is, if so wanted, one of a party whose last attempt has not failed: parties whose
     * receivers work do not wait for all the others.
     */
    first: (jobs: Iterable<ClaimedJob>, count: number, isOfWorking: boolean): ReadonlyArray<ClaimedJob> =>
      order.first(jobs, count, ({ job }) => !isOfWorking || arrived.of.get(Places.keyOf(job.endpoint)) !== false),
    /** The outcome of an attempt. Attempts at the same endpoint that end later take it into account. */
    judge: (job: Job, delivered: boolean, endedAt: number, policy: HealthPolicy): AttemptOutcome => {
      const lane = laneOf(job)
      const claimedAt = job.endpoint.pauseCount
      const number = job.delivery.attemptCount + 1
      remember(arrived.of, Places.keyOf(lane.party), delivered)
      remember(arrived.at, job.endpoint.id, delivered)
      const outcome = outcomeOf({ number, claimedAt, delivered, endedAt }, lane.health, policy)
      lane.health = healthAfter({ outcome, claimedAt }, lane.health)
      return outcome
    },
    /** The attempt of a job has ended, and is now written down. Answers those that begin in its place. */
    ended: (job: Job): ReadonlyArray<ClaimedJob> => {
      const lane = lanes.get(job.endpoint.id)
      if (lane === undefined || !held.end(job)) return []
      lane.running--
      lane.unsettled++
      return beginWaiting()
    },
    /** A job is settled, or will not be. Answers those that begin in its place: of parties that have least. */
    leave: (job: Job): ReadonlyArray<ClaimedJob> => {
      const { endpoint } = job
      const lane = lanes.get(endpoint.id)
      if (lane === undefined) return []
      if (held.leave(job)) lane.unsettled--
      else lane.running--
      const next = beginWaiting()
      closeIfEmpty(endpoint.id, lane)
      return next
    },
    takeWaiting,
    takeLate
  }
}

const restsUntil = (lane: Lane | undefined, now: number) =>
  lane !== undefined && isPaused(lane.health, now) ? lane.health.pausedUntil : null

const isLow = (lane: Lane | undefined) => lane === undefined || lane.waiting.length <= lane.low

/** Whether more is to be claimed for a lane that has jobs: they would be sent before more of them has come. */
const mayClaimAhead = (lane: Lane | undefined, now: number) =>
  lane !== undefined && lane.low > 0 && isLow(lane) && restsUntil(lane, now) === null

/** The part of a claim that is left when more is claimed: sending that takes about as long as the next claim does. */
const lowShare = 0.5

/** What presses only those that are not sound. */
const unsound = "unsound "
