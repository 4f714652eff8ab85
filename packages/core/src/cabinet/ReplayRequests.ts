/** Checks of what members ask to have sent again, and the place from which it goes on. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { isGiven, type JsonObject } from "../value/Checks.ts"
import { queryInstant } from "../value/QueryChecks.ts"
import type { DeliveriesInTime } from "./ReportStore.ts"

/** A replay, from its beginning or from where a part of it ended. */
export type Replay = Pick<DeliveriesInTime, "isFailedOnly" | "from" | "to" | "after">

/** The text of a replay behind `after`, opaque to clients. It says the whole of what was asked first. */
export const replayText = ({ isFailedOnly, from, to, after }: Replay & { readonly after: object }): string => {
  const instants = [from, to, after.createdAt].map((at) => at.toString(radix))
  return [`${prefix}${isFailedOnly ? "f" : "a"}`, ...instants, after.id].join(".")
}

/** The replay that is asked for: its end is now at the latest, as what it sends is made after that. */
export const checkReplay = ({ from, to, failedOnly }: JsonObject, now: number) =>
  Result.gen(function* () {
    if (isGiven(failedOnly) && typeof failedOnly !== "boolean") return yield* Result.fail("invalid_request" as const)
    const end = yield* queryInstant(to, "end", "invalid_to")
    const earlier = typeof from === "string" && from.startsWith(prefix) ? replayFrom(from) : undefined
    if (earlier !== undefined) return { ...earlier, to: Math.min(earlier.to, now) }
    const start = yield* queryInstant(from, "start", "invalid_from")
    if (start === null) return yield* Result.fail("invalid_from" as const)
    if (end !== null && end < start) return yield* Result.fail("invalid_to" as const)
    const replay: Replay = {
      isFailedOnly: failedOnly === true,
      from: Math.max(start, 0),
      to: Math.max(Math.min(end ?? now, now), 0),
      after: null
    }
    return replay
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const prefix = "rpl_"
const radix = 36
const form = /^rpl_([af])\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.(dlv_[0-9a-z]{1,60})$/

const replayFrom = (text: string): Replay | undefined => {
  const [, letter, start = "", end = "", last = "", id = ""] = form.exec(text) ?? []
  const [from = Number.NaN, to = Number.NaN, createdAt = Number.NaN] = [start, end, last].map((digits) =>
    Number.parseInt(digits, radix)
  )
  if (![from, to, createdAt].every(Number.isSafeInteger)) return undefined
  return { isFailedOnly: letter === "f", from, to, after: { createdAt, id } }
}
