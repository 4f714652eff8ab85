/** Checks of what is asked of calendars of subscriptions. Pure. */
import { Result } from "effect"
import { dayOf, endOfDay, startOfDay } from "../../value/Calendar.ts"
import { isStorable } from "../../value/Checks.ts"
import { queryText } from "../../value/QueryChecks.ts"
import type { SchedulePlace } from "../SubscriptionStore.ts"
import type { TimeSpan } from "./Prospect.ts"

const dayForm = /^(20|21)\d\d-\d\d-\d\d$/

const dayAsked = (value: unknown, now: number): Result.Result<string, "invalid_from"> =>
  Result.flatMap(queryText(value, "invalid_from"), (text) => {
    if (text === null) return Result.succeed(dayOf(now))
    const isDay = dayForm.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
    return isDay && dayOf(startOfDay(text)) === text ? Result.succeed(text) : Result.fail("invalid_from")
  })

const spanOf = (from: string, to: string, now: number): TimeSpan => ({
  from: Math.max(startOfDay(from), now),
  to: endOfDay(to) + 1
})

/** The month of a day, with what of it is still to come. */
export const checkMonth = (value: unknown, now: number) =>
  Result.map(dayAsked(value, now), (day) => {
    const from = `${day.slice(0, 7)}-01`
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
    const next = month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`
    const to = dayOf(startOfDay(next) - 1)
    return { from, to, span: spanOf(from, to, now) }
  })

/** A day, with what of it is still to come. */
export const checkDay = (value: unknown, now: number) =>
  Result.map(dayAsked(value, now), (day) => ({ day, span: spanOf(day, day, now) }))

const placeForm = /^(\d{1,15})\.(.{1,64})$/

/** A place as the text that goes on from there. */
export const schedulePlaceText = ({ nextRunAt, id }: SchedulePlace): string => `${nextRunAt}.${id}`

/** The place of such a text; null: none is given. */
export const checkSchedulePlace = (value: unknown): Result.Result<SchedulePlace | null, "invalid_after"> =>
  Result.flatMap(queryText(value, "invalid_after"), (text) => {
    if (text === null) return Result.succeed(null)
    const [, at, id] = placeForm.exec(text) ?? []
    return at === undefined || id === undefined || !isStorable(id)
      ? Result.fail("invalid_after")
      : Result.succeed({ nextRunAt: Number(at), id })
  })
