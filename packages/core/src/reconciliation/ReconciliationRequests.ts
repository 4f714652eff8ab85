/** Checks of what members ask of reconciliation. Pure. */
import { Result } from "effect"
import { dayAsked, daysFrom, monthOf, type Period, shifted } from "../cabinet/Periods.ts"
import { FieldRefused } from "../error/Refusals.ts"
import { dayOf, endOfDay } from "../value/Calendar.ts"
import { isStorable, type JsonObject } from "../value/Checks.ts"
import type { CommonSettings } from "../value/CommonSettings.ts"
import { type PageRequest, queryPage, queryText } from "../value/QueryChecks.ts"
import type { WorkItem } from "./WorkItem.ts"

/** The most days of a list. */
const maxDays = 62
const maxNote = 500

/** Days, both included, as a query string has them; without any those of this month. */
export interface DaysRequest {
  readonly from?: unknown
  readonly to?: unknown
}

/** The days that are asked for. */
export const checkDays = ({ from, to }: DaysRequest, now: number) =>
  Result.gen(function* () {
    const last = (yield* dayAsked(to, "invalid_to")) ?? dayOf(now)
    const first = (yield* dayAsked(from, "invalid_from")) ?? monthOf(last)
    const days = daysFrom(first, last)
    return days < 1 || days > maxDays
      ? yield* Result.fail("invalid_from" as const)
      : ({ from: first, to: last } satisfies Period)
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** Days and a page of what differs in them; `status`: `open` or `resolved`, without it both. */
export interface ItemsRequest extends DaysRequest, PageRequest {
  readonly status?: unknown
}

const statuses: ReadonlyArray<WorkItem["status"]> = ["open", "resolved"]

/** Which work items are asked for. */
export const checkItems = (request: ItemsRequest, now: number, settings: CommonSettings) =>
  Result.gen(function* () {
    const days = yield* checkDays(request, now)
    const page = yield* Result.mapError(queryPage(request, settings), (code) => new FieldRefused({ code }))
    const refused = () => new FieldRefused({ code: "invalid_status" })
    const text = yield* Result.mapError(queryText(request.status, "invalid_status"), refused)
    const status = statuses.find((each) => each === text) ?? null
    if (status === null && text !== null) return yield* Result.fail(refused())
    return { ...days, ...page, status }
  })

/** A day that has ended and is not too long ago, and its cashier: `{ day, connectionId }`. */
export const checkComparison = ({ day, connectionId }: JsonObject, now: number, maxAgeDays: number) =>
  Result.gen(function* () {
    const asked = yield* dayAsked(day, "invalid_day")
    const isOver = asked !== null && endOfDay(asked) < now
    if (!isOver || asked < shifted(dayOf(now), -maxAgeDays)) return yield* Result.fail("invalid_day" as const)
    if (typeof connectionId !== "string" || !isStorable(connectionId)) {
      return yield* Result.fail("invalid_connection_id" as const)
    }
    return { day: asked, connectionId }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** What a person has found out: `{ note }`, of 3 to 500 characters. */
export const checkNote = ({ note }: JsonObject) => {
  const text = typeof note === "string" ? note.trim() : ""
  return text.length < 3 || text.length > maxNote || !isStorable(text)
    ? Result.fail(new FieldRefused({ code: "invalid_note" }))
    : Result.succeed(text)
}
