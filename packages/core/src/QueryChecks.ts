/** Checks of the members of a query string, where everything is text. Pure. */
import { Result } from "effect"
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

/** An instant in milliseconds: a date, or a date-time with an offset; null where absent. Fails with `code`. */
export const queryInstant = <const Code extends string>(
  value: unknown,
  code: Code
): Result.Result<number | null, Code> => {
  if (!isGiven(value) || value === "") return Result.succeed(null)
  if (typeof value !== "string") return Result.fail(code)
  // A plus sign that the client forgot to escape arrives as a space.
  const text = value.replace(/ (\d{2}:\d{2})$/, "+$1")
  const at = dateForm.test(text) ? instantOf(`${text}T00:00:00Z`) : instantOf(text)
  return at === undefined ? Result.fail(code) : Result.succeed(at)
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/
