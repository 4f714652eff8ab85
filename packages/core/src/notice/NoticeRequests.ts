/** What members ask for, checked. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { isGiven, isObject, type JsonObject } from "../value/Checks.ts"
import { fromTenge, type Tiyn } from "../value/Money.ts"
import { type NoticeChannel, noticeChannels, noticeKinds, noticeLanguages } from "./NoticeKinds.ts"
import type { NoticeWish } from "./NoticeLine.ts"
import type { QuietHours } from "./QuietHours.ts"

const refused = Result.fail(new FieldRefused({ code: "invalid_request" } as const))

const timeForm = /^([01]\d|2[0-3]):([0-5]\d)$/

/** Minutes since midnight of a time as `22:30`; undefined if it is none. */
const minutesOf = (value: unknown): number | undefined => {
  const [, hours, minutes] = (typeof value === "string" ? timeForm.exec(value) : null) ?? []
  return hours === undefined || minutes === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** The words of a list, each once and in the order of the table; undefined if it holds another. */
const wordsOf = <const Word>(value: unknown, words: ReadonlyArray<Word>): ReadonlyArray<Word> | undefined =>
  Array.isArray(value) && value.length <= words.length && value.every((each) => words.includes(each))
    ? words.filter((word) => value.includes(word))
    : undefined

const weekdays = [1, 2, 3, 4, 5, 6, 7]

const quietOf = (value: unknown): QuietHours | null | undefined => {
  if (!isGiven(value)) return null
  if (!isObject(value)) return undefined
  const [from, to] = [minutesOf(value["from"]), minutesOf(value["to"])]
  const days = wordsOf(value["days"], weekdays)
  if (from === undefined || to === undefined || from === to || days === undefined || days.length === 0) return undefined
  return { from, to, days }
}

const minimumOf = (value: unknown): Tiyn | null | undefined => {
  if (!isGiven(value)) return null
  const amount = fromTenge(value)
  return Result.isSuccess(amount) && amount.success >= 0 ? amount.success : undefined
}

/** The channel that a request names. */
export const checkChannel = (value: unknown): Result.Result<NoticeChannel, FieldRefused<"invalid_request">> => {
  const channel = noticeChannels.find((each) => each === value)
  return channel === undefined ? refused : Result.succeed(channel)
}

type WishRefused = FieldRefused<"invalid_request"> | FieldRefused<"invalid_amount">

/** What a member wishes of a channel; null: nothing at all. */
export const checkWish = (body: JsonObject): Result.Result<NoticeWish | null, WishRefused> => {
  const kinds = wordsOf(body["kinds"], noticeKinds)
  const [quiet, minimum] = [quietOf(body["quiet"]), minimumOf(body["minimum"])]
  const language = noticeLanguages.find((each) => each === body["language"])
  if (kinds === undefined || quiet === undefined || language === undefined) return refused
  if (minimum === undefined) return Result.fail(new FieldRefused({ code: "invalid_amount" }))
  return Result.succeed(kinds.length === 0 ? null : { kinds, quiet, minimum, language })
}
