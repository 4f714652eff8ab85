/** Checks of single members of a request body, shared by everything that takes one. Pure. */
import { DateTime, Option, Result } from "effect"

/** A JSON object as `JSON.parse` makes it. Unknown members are ignored. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether the value is a JSON object: not an array, not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a member was given: null counts as absent, as it does in answers. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Whether a text can be stored, and so found: PostgreSQL refuses NUL even to look for it, and both databases alter half
 * a surrogate pair without a word.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000")

const lengthOf = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A text of at most `max` characters (code points); null if absent. Fails with `code`. */
export const optionalText = <const Code extends string>(
  value: unknown,
  max: number,
  code: Code
): Result.Result<string | null, Code> => {
  if (!isGiven(value)) return Result.succeed(null)
  if (typeof value !== "string" || !isStorable(value)) return Result.fail(code)
  // A text has at most as many code points as code units: the count is needed for long ones only.
  return value.length <= max || (value.length <= 2 * max && lengthOf(value) <= max)
    ? Result.succeed(value)
    : Result.fail(code)
}

/** A text of 1 to `max` characters; null if absent. Fails with `code`. */
export const optionalNonEmptyText = <const Code extends string>(
  value: unknown,
  max: number,
  code: Code
): Result.Result<string | null, Code> =>
  Result.flatMap(optionalText(value, max, code), (text) => (text === "" ? Result.fail(code) : Result.succeed(text)))

/**
 * A text of 1 to `max` characters on one line: lists and terminals show it, and what controls those has no place in it.
 * Null where absent. Fails with `code`.
 */
export const optionalLine = <const Code extends string>(
  value: unknown,
  max: number,
  code: Code
): Result.Result<string | null, Code> =>
  Result.flatMap(optionalNonEmptyText(value, max, code), (text) =>
    text !== null && controls.test(text) ? Result.fail(code) : Result.succeed(text)
  )

const controls = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** The most characters of a key that makes a repeated request harmless. */
export const maxIdempotencyKey = 255

/** A phone: 7XXXXXXXXXX. */
export const phoneForm = /^7[0-9]{10}$/

/** A phone of 11 digits in the form 7XXXXXXXXXX; null if absent. */
export const optionalPhone = (value: unknown): Result.Result<string | null, "invalid_phone"> => {
  if (!isGiven(value)) return Result.succeed(null)
  return typeof value === "string" && phoneForm.test(value) ? Result.succeed(value) : Result.fail("invalid_phone")
}

/** An e-mail address; null if absent. */
export const optionalEmail = (value: unknown): Result.Result<string | null, "invalid_email"> => {
  if (!isGiven(value)) return Result.succeed(null)
  // What mail servers take in practice: no spaces, no control characters, one @, a domain with a dot, 254 characters.
  const valid =
    typeof value === "string" && value.length <= maxEmailLength && isStorable(value) && emailForm.test(value)
  return valid ? Result.succeed(value) : Result.fail("invalid_email")
}

/** The most characters of an e-mail address. */
export const maxEmailLength = 254

/** An e-mail address. */
export const emailForm = /^[^\s@<>"(),:;[\]\\]{1,64}@[^\s@<>"(),:;[\]\\.]+(\.[^\s@<>"(),:;[\]\\.]+)+$/

/** The most characters of an address that browsers are sent to. */
export const maxUrlLength = 2048

/** What stands for something else where a browser is sent; see `optionalUrl`. Clients may have encoded the braces. */
export const urlPlaceholder: RegExp = /(?:\{|%7b)(INVOICE_ID|STATUS)(?:\}|%7d)/gi

/**
 * An http or https address; null if absent. Kept as it was given. `{INVOICE_ID}` and `{STATUS}` may stand in it, behind
 * the host, which no invoice decides.
 */
export const optionalUrl = (value: unknown): Result.Result<string | null, "invalid_url"> => {
  if (!isGiven(value)) return Result.succeed(null)
  if (typeof value !== "string" || value.length > maxUrlLength || !isStorable(value)) return Result.fail("invalid_url")
  const url = URL.parse(value)
  const isWeb = url !== null && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== ""
  return isWeb && [url.host, url.username, url.password].every((part) => part.search(urlPlaceholder) < 0)
    ? Result.succeed(value)
    : Result.fail("invalid_url")
}

const dateTimeForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i

/** The instant, in milliseconds, of a date-time with an offset (ISO 8601); undefined if the text is none. */
export const instantOf = (text: string): number | undefined => {
  const day = dateTimeForm.exec(text)?.[1]
  const parsed = day !== undefined && isCalendarDay(day) ? DateTime.make(text) : Option.none()
  return Option.isSome(parsed) ? DateTime.toEpochMillis(parsed.value) : undefined
}

// JavaScript takes 30 February for 2 March.
const isCalendarDay = (day: string): boolean => {
  const midnight = DateTime.make(`${day}T00:00:00Z`)
  return Option.isSome(midnight) && DateTime.formatIsoDate(midnight.value) === day
}

/** Number of bytes of a text in UTF-8. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length
