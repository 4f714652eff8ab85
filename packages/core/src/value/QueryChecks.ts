/** Checks of the members of a query string, where everything is text. Pure. */
import { Result } from "effect"
import { endOfDay, startOfDay } from "./Calendar.ts"
import { instantOf, isGiven } from "./Checks.ts"
import type { CommonSettings } from "./CommonSettings.ts"

/** A whole number, or `absent`. Fails with `code`. */
export const queryInteger = <const Code extends string>(
  value: unknown,
  absent: number,
  code: Code
): Result.Result<number, Code> => {
  if (!isGiven(value)) return Result.succeed(absent)
  const number = typeof value === "string" && /^[+-]?[0-9]+$/.test(value) ? Number(value) : value
  return typeof number === "number" && (Number.isInteger(number) || Math.abs(number) === Number.POSITIVE_INFINITY)
    ? Result.succeed(number)
    : Result.fail(code)
}

/** Which page of a list is asked for, as text from a query string or as values. */
export interface PageRequest {
  readonly limit?: unknown
  readonly offset?: unknown
}

/** A page of a list: so many rows, after so many others. */
export interface PageBounds {
  readonly limit: number
  readonly offset: number
}

type PageSettings = Pick<CommonSettings, "defaultPageSize" | "maxPageSize">

/** Catalogue codes of what is no page. */
export type PageCode = "invalid_limit" | "invalid_offset"

/** The page that is asked for. Bounds out of range are moved to the nearest one. */
export const queryPage = (request: PageRequest, settings: PageSettings): Result.Result<PageBounds, PageCode> =>
  Result.gen(function* () {
    const limit = yield* queryLimit(request.limit, settings)
    const offset = yield* queryInteger(request.offset, 0, "invalid_offset")
    return { limit, offset: Math.min(Math.max(offset, 0), Number.MAX_SAFE_INTEGER) }
  })

/** How many rows are asked for. */
export const queryLimit = (
  value: unknown,
  { defaultPageSize, maxPageSize }: PageSettings
): Result.Result<number, "invalid_limit"> =>
  Result.map(queryInteger(value, defaultPageSize, "invalid_limit"), (limit) =>
    Math.min(Math.max(limit, 1), maxPageSize)
  )

/**
 * An instant in milliseconds, or null if absent: a date-time with an offset, or a date, which means the beginning or
 * the end of that day in Almaty. Fails with `code`, also if it is given twice.
 */
export const queryInstant = <const Code extends string>(
  value: unknown,
  edge: "start" | "end",
  code: Code
): Result.Result<number | null, Code> => {
  if (!isGiven(value) || value === "") return Result.succeed(null)
  if (typeof value !== "string") return Result.fail(code)
  // A plus sign that the client forgot to escape arrives as a space.
  const text = value.replace(/ (\d{2}:\d{2})$/, "+$1")
  const isDate = dateForm.test(text)
  const at = instantOf(isDate ? `${text}T00:00:00Z` : text)
  if (at === undefined) return Result.fail(code)
  return Result.succeed(!isDate ? at : edge === "start" ? startOfDay(text) : endOfDay(text))
}

/** A text as it is; null if absent or empty. Fails with `code`, also if it is given twice. */
export const queryText = <const Code extends string>(
  value: unknown,
  code: Code
): Result.Result<string | null, Code> => {
  if (!isGiven(value) || value === "") return Result.succeed(null)
  return typeof value === "string" ? Result.succeed(value) : Result.fail(code)
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/
