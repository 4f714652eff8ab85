/** Checks of what members ask of statements and reports of a till. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../../error/Refusals.ts"
import { dayOf, endOfDay, startOfDay } from "../../value/Calendar.ts"
import { queryInstant } from "../../value/QueryChecks.ts"
import { cashierAsked, type FilterRequest, type Sight } from "../InvoiceFilters.ts"
import { dayAsked, daysFrom, maxPeriodDays, monthOf, type Period } from "../Periods.ts"
import type { MovementQuery } from "./MovementStore.ts"

/** A period of days, and of which cashier; as text from a query string. */
export type StatementRequest = Pick<FilterRequest, "from" | "to" | "connectionId">

/** What a statement is of. */
export interface StatementScope {
  readonly period: Period
  readonly query: MovementQuery
}

/** The period that is asked for: up to today, and from the first day of that month, if nothing is said. */
export const checkStatement = (sight: Sight, { from, to, connectionId }: StatementRequest, now: number) =>
  Result.gen(function* () {
    const cashier = yield* cashierAsked(connectionId)
    const last = (yield* dayAsked(to, "invalid_to")) ?? dayOf(now)
    const first = (yield* dayAsked(from, "invalid_from")) ?? monthOf(last)
    const days = daysFrom(first, last)
    if (days < 1 || days > maxPeriodDays) return yield* Result.fail("invalid_from" as const)
    const period: Period = { from: first, to: last }
    const time = { from: startOfDay(first), to: endOfDay(last) }
    return {
      period,
      query: { ...sight, connectionId: cashier ?? sight.connectionId, ...time }
    } satisfies StatementScope
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** The time that is asked for: of today, if nothing is said. */
export const checkShift = (sight: Sight, { from, to, connectionId }: StatementRequest, now: number) =>
  Result.gen(function* () {
    const cashier = yield* cashierAsked(connectionId)
    const first = (yield* queryInstant(from, "start", "invalid_from")) ?? startOfDay(dayOf(now))
    const last = (yield* queryInstant(to, "end", "invalid_to")) ?? endOfDay(dayOf(Math.max(now, first)))
    if (last < first || daysFrom(dayOf(first), dayOf(last)) > maxPeriodDays) {
      return yield* Result.fail("invalid_from" as const)
    }
    return { ...sight, connectionId: cashier ?? sight.connectionId, from: first, to: last } satisfies MovementQuery
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))
