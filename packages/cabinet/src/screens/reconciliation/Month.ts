/** Days and months as texts, `YYYY-MM-DD`. Pure. */
import { isoDay, noonOf } from "@tolem/http-server/pages/Formats"

const dayMs = 86_400_000

/** A month of the calendar, by its first and last day. */
export interface Month {
  readonly from: string
  readonly to: string
}

/** The month of a day. */
export const monthWith = (day: string): Month => {
  const from = `${day.slice(0, 7)}-01`
  // Some day of the next month: no month has more than 31 days.
  const next = isoDay(noonOf(from) + 32 * dayMs)
  return { from, to: isoDay(noonOf(`${next.slice(0, 7)}-01`) - dayMs) }
}

/** The month before it, or after it. */
export const monthBeside = ({ from, to }: Month, side: -1 | 1): Month =>
  monthWith(isoDay(side < 0 ? noonOf(from) - dayMs : noonOf(to) + dayMs))
