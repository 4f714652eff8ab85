/** Periods of days of Almaty, as members ask for them. Pure. */
import { Result } from "effect"
import { dayOf, startOfDay } from "../value/Calendar.ts"
import { queryText } from "../value/QueryChecks.ts"

/** A period of days of Almaty, both included. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** The most days of a period. */
export const maxPeriodDays = 366

const dayMs = 86_400_000

/** The day so many days later. Almaty has no summer time any more, and noon is far from either end of any day. */
export const shifted = (day: string, days: number): string => dayOf(startOfDay(day) + dayMs / 2 + days * dayMs)

/** How many days a period has; less than one: it ends before it begins. */
export const daysFrom = (from: string, to: string): number =>
  Math.round((startOfDay(to) - startOfDay(from)) / dayMs) + 1

/** The first day of the month of a day. */
export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`

/** A day that is asked for; null: none is. */
export const dayAsked = <const Code extends string>(value: unknown, code: Code): Result.Result<string | null, Code> =>
  Result.flatMap(queryText(value, code), (text) => {
    if (text === null) return Result.succeed(null)
    const isDay = /^(19|2\d)\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
    return isDay && dayOf(startOfDay(text)) === text ? Result.succeed(text) : Result.fail(code)
  })
