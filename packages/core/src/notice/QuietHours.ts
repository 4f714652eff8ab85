/** Hours in which a member is told nothing, of Almaty; what happens meanwhile is told together afterwards. Pure. */
import { dayOf, startOfDay } from "../value/Calendar.ts"

/** From one minute of a day to another, on the days on which it begins; over midnight if `to` is before `from`. */
export interface QuietHours {
  /** Minutes since midnight, 0 to 1439. The two differ. */
  readonly from: number
  readonly to: number
  /** 1 is Monday, 7 is Sunday; one at least, each once. */
  readonly days: ReadonlyArray<number>
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

// Days are counted since Thursday, 1 January 1970.
const weekdayOf = (day: string): number => ((Date.parse(`${day}T00:00:00Z`) / dayMs + 3) % 7) + 1

const endOn = ({ from, to, days }: QuietHours, day: string, now: number): number | null => {
  if (!days.includes(weekdayOf(day))) return null
  const midnight = startOfDay(day)
  const [begins, ends] = [midnight + from * minuteMs, midnight + to * minuteMs + (to > from ? 0 : dayMs)]
  return begins <= now && now < ends ? ends : null
}

/** When the quiet hours end that an instant lies in; null: it lies in none. */
export const quietUntil = (quiet: QuietHours | null, now: number): number | null => {
  if (quiet === null) return null
  // Those of the day before may last into this one.
  return endOn(quiet, dayOf(now), now) ?? endOn(quiet, dayOf(now - dayMs), now)
}
