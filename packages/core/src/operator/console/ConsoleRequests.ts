/** Checks of what operators ask their console for. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../../error/Refusals.ts"
import { isStorable } from "../../value/Checks.ts"
import type { ConsolePlace } from "./ConsoleStore.ts"

/** The fewest and the most characters of the reason of a look. */
const reasonBounds = { least: 10, most: 300 }

/** Why an operator looks at what customers owe; its owner reads it. */
export const checkReason = (given: unknown): Result.Result<string, FieldRefused<"invalid_look_reason">> => {
  const text = typeof given === "string" ? given.trim() : ""
  const isRight = [...text].length >= reasonBounds.least && text.length <= reasonBounds.most
  return isRight && isStorable(text) && !/\p{Cc}/u.test(text)
    ? Result.succeed(text)
    : Result.fail(new FieldRefused({ code: "invalid_look_reason" }))
}

/** The most characters of the note of a payout. */
const maxNote = 300

/** How a referrer was paid, as the operator tells it: the document of the bank, for one. */
export const checkPayoutNote = (given: unknown): Result.Result<string, FieldRefused<"invalid_payout_note">> => {
  const text = typeof given === "string" ? given.trim() : ""
  return text !== "" && text.length <= maxNote && isStorable(text) && !/\p{Cc}/u.test(text)
    ? Result.succeed(text)
    : Result.fail(new FieldRefused({ code: "invalid_payout_note" }))
}

/** For how many months a tariff is granted; null, and absent: without end. */
export const checkMonths = (given: unknown): Result.Result<number | null, FieldRefused<"invalid_months">> => {
  if (given === undefined || given === null) return Result.succeed(null)
  const isRight = Number.isSafeInteger(given) && (given as number) >= 1 && (given as number) <= 120
  return isRight ? Result.succeed(given as number) : Result.fail(new FieldRefused({ code: "invalid_months" }))
}

/** Things on a page. */
export const pageSize = 50

/** What a list is asked for with, as text from a query string. */
export interface ConsoleListRequest {
  /** The beginning of an id, a phone, a name, or a number of identification. */
  readonly search?: unknown
  /** The end of the page before. */
  readonly after?: unknown
}

const maxSearch = 100

const isAbsent = (given: unknown): boolean => given === undefined || given === null || given === ""

/**
 * How what is looked for may be written: as it was given, and as a name begins. Null: nothing is looked for; of what
 * can be in no row there is nothing.
 */
export const checkSearch = (given: unknown): ReadonlyArray<string> | null => {
  if (isAbsent(given)) return null
  const text = typeof given === "string" ? given.trim() : ""
  if (text === "" || text.length > maxSearch || !isStorable(text)) return []
  const [first = "", ...rest] = text
  // A phone is written in many ways, and kept in one.
  const digits = /^\+?[\d ()-]+$/.test(text) ? text.replaceAll(/\D/g, "").replace(/^8(?=\d{10}$)/, "7") : text
  return [...new Set([text, first.toUpperCase() + rest.join(""), digits])].filter((each) => each !== "")
}

const form = /^([0-9]{1,15})\.([a-z]{3}_[0-9a-z]{1,40})$/

/** The place that a request names; null: the beginning. */
export const placeAsked = (given: unknown): Result.Result<ConsolePlace | null, FieldRefused<"invalid_after">> => {
  if (isAbsent(given)) return Result.succeed(null)
  const [, at, id] = form.exec(typeof given === "string" ? given : "") ?? []
  return at === undefined || id === undefined
    ? Result.fail(new FieldRefused({ code: "invalid_after" }))
    : Result.succeed({ createdAt: Number(at), id })
}

/** A place as the next request names it. */
const afterText = ({ createdAt, id }: ConsolePlace): string => `${createdAt}.${id}`

/** A page of what was read with a limit of one more, and where the next one begins; null: there is none. */
export const pageOf = <A extends ConsolePlace>(found: ReadonlyArray<A>) => {
  const items = found.slice(0, pageSize)
  const last = items.at(-1)
  return { items, next: found.length > pageSize && last !== undefined ? afterText(last) : null }
}

/** What was found of something looked for, the newest first: a page, and whether there may be more. */
export const foundOf = <A extends ConsolePlace>(found: ReadonlyArray<A>) => {
  const sorted = found.toSorted((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
  return { items: sorted.slice(0, pageSize), isCut: found.length > pageSize }
}
