/**
 * Which dates a rhythm has. Pure. Steps are taken in Almaty's calendar, always from the anchor: a day that a month
 * lacks becomes that month's last one, and the anchor's day returns afterwards.
 */
import { DateTime } from "effect"
import { offsetAt } from "./Calendar.ts"

/** The step of a schedule. */
export type Interval = "day" | "week" | "month"

/** When invoices are due: the n-th date is a function of these and n alone, so that no error adds up. */
export interface Rhythm {
  readonly interval: Interval
  /** 1 to 12. */
  readonly every: number
  /** 1 to 28, at 10:00 in Almaty; null: the anchor's own day and time. */
  readonly dayOfMonth: number | null
  /** Date 0, in milliseconds. */
  readonly anchorAt: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Hour of the day, in Almaty, at which subscriptions with a day of the month fall due. */
const hourOfDay = 10

/** Date `index` of the rhythm, in milliseconds; date 0 is the anchor. */
export const dateOf = (rhythm: Rhythm, index: number): number => {
  if (index === 0) return rhythm.anchorAt
  const steps = index * rhythm.every
  const local = toLocal(rhythm.anchorAt)
  switch (rhythm.interval) {
    case "day":
      return fromLocal(local + steps * dayMs)
    case "week":
      return fromLocal(local + 7 * steps * dayMs)
    case "month":
      return fromLocal(monthsLater(local, steps))
  }
}

/** The first date that comes after the instant. */
export const indexAfter = (rhythm: Rhythm, at: number): number => {
  if (at < rhythm.anchorAt) return 0
  let index = Math.max(0, estimate(rhythm, at))
  while (index > 0 && dateOf(rhythm, index - 1) > at) index--
  while (dateOf(rhythm, index) <= at) index++
  return index
}

/** The anchor of a rhythm with a day of the month: the first such day, at 10:00 in Almaty, that is not before `at`. */
export const dayOfMonthFrom = (dayOfMonth: number, at: number): number => {
  const local = toLocal(at)
  const { year, month } = DateTime.toPartsUtc(DateTime.makeUnsafe(local))
  const inMonth = (months: number) => {
    const first = firstOfMonth(year, month - 1 + months)
    return fromLocal(first + (dayOfMonth - 1) * dayMs + hourOfDay * hourMs)
  }
  return inMonth(0) >= at ? inMonth(0) : inMonth(1)
}

// Never off by more than a step or two: an offset changes by an hour, and a month has 28 days at least.
const estimate = ({ interval, every, anchorAt }: Rhythm, at: number): number => {
  if (interval === "day") return Math.floor((at - anchorAt) / (every * dayMs)) - 1
  if (interval === "week") return Math.floor((at - anchorAt) / (7 * every * dayMs)) - 1
  const [from, to] = [anchorAt, at].map((each) => DateTime.toPartsUtc(DateTime.makeUnsafe(toLocal(each))))
  return Math.floor(((to!.year - from!.year) * 12 + to!.month - from!.month) / every) - 1
}

const monthsLater = (local: number, months: number): number => {
  const { year, month, day } = DateTime.toPartsUtc(DateTime.makeUnsafe(local))
  const first = firstOfMonth(year, month - 1 + months)
  const days = Math.round((firstOfMonth(year, month + months) - first) / dayMs)
  const timeOfDay = ((local % dayMs) + dayMs) % dayMs
  return first + (Math.min(day, days) - 1) * dayMs + timeOfDay
}

/** Midnight of the first day of a month, counted from January of `year` as 0. */
const firstOfMonth = (year: number, months: number): number =>
  DateTime.toEpochMillis(
    DateTime.makeUnsafe({ year: year + Math.floor(months / 12), month: (((months % 12) + 12) % 12) + 1, day: 1 })
  )

// Local times are kept as if they were UTC, so that days and months can be added to them.
const toLocal = (at: number): number => at + offsetAt(at)

/** The instant of a local time; of two, the earlier one; where a clock skipped it, as if the clock had not. */
const fromLocal = (local: number): number => {
  const before = offsetAt(local - dayMs)
  const after = offsetAt(local + dayMs)
  const instants = [local - before, local - after].filter((at) => toLocal(at) === local)
  return instants.length === 0 ? local - before : Math.min(...instants)
}
