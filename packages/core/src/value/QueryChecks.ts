/** Checks of the members of a query string, where everything is text. Pure. */
import { Result } from "effect"
import { endOfDay, startOfDay } from "./Calendar.ts"
import { instantOf, isGiven } from "./Checks.ts"

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

/**
 * An instant in milliseconds, or null where absent: a date-time with an offset, or a date, which means the beginning or
 * the end of that day in Almaty. Fails with `code`, also where it is given twice.
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

/** A text as it is; null where absent or empty. Fails with `code`, also where it is given twice. */
export const queryText = <const Code extends string>(
  value: unknown,
  code: Code
): Result.Result<string | null, Code> => {
  if (!isGiven(value) || value === "") return Result.succeed(null)
  return typeof value === "string" ? Result.succeed(value) : Result.fail(code)
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/
