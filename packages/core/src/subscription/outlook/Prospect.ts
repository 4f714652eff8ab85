/** Which runs a schedule has in a time to come, if nothing keeps them from being made. Pure. */
import { dateOf, indexAfter } from "../../value/Rhythm.ts"
import { plan, type Scheduled } from "../RunDecisions.ts"
import type { SubscriptionSettings } from "../SubscriptionSettings.ts"

/** A schedule with the runs that are left to it; null: no end. */
export interface Prospect extends Scheduled {
  readonly left: number | null
}

/** A time: `from` is part of it, `to` is not. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/**
 * The instants of runs in `span`, in their order, `most` at most. What is late is made now, once for all dates that
 * were missed, or left out, as `misfire` says. How far away the span is makes no difference to the work.
 */
export const runsWithin = (
  prospect: Prospect,
  now: number,
  { from, to }: TimeSpan,
  settings: SubscriptionSettings,
  most = Number.POSITIVE_INFINITY
): ReadonlyArray<number> => {
  const left = prospect.left ?? Number.POSITIVE_INFINITY
  if (prospect.status !== "active" || left <= 0) return []
  const due = plan(prospect, now, settings)
  const first = due._tag === "Nothing" ? prospect.nextRunAt : due._tag === "Run" ? now : null
  const onward = due._tag === "Nothing" ? indexAfter(prospect, prospect.nextRunAt) : due.onward.nextIndex
  const found: Array<number> = []
  if (first !== null && first >= from && first < to) found.push(first)
  const start = Math.max(onward, indexAfter(prospect, from - 1))
  const end = start + left - (first === null ? 0 : 1) - (start - onward)
  for (let index = start; index < end && found.length < most; index++) {
    const date = dateOf(prospect, index)
    if (date >= to) break
    found.push(date)
  }
  return found.length > most ? found.slice(0, most) : found
}

/** The next runs, `most` at most. */
export const nextRuns = (
  prospect: Prospect,
  now: number,
  settings: SubscriptionSettings,
  most: number
): ReadonlyArray<number> => runsWithin(prospect, now, { from: 0, to: Number.POSITIVE_INFINITY }, settings, most)

/** What `left` is of a subscription. */
export const leftOf = ({ runs, maxRuns }: { readonly runs: number; readonly maxRuns: number | null }): number | null =>
  maxRuns === null ? null : Math.max(0, maxRuns - runs)
