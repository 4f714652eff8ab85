/** Requests as members are shown them, and the place from which a list goes on. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { toIso } from "../value/Calendar.ts"
import { isStorable, type JsonObject } from "../value/Checks.ts"
import type { KeptRequest, RequestHour, RequestPlace } from "./LoggedRequest.ts"
import type { RequestSearch } from "./RequestLog.ts"

/** Requests on a page. */
const pageSize = 50

/** What a query of the list asks for. One request more than a page has tells whether there is another page. */
export const checkRequestSearch = ({ errors, requestId, after }: JsonObject) =>
  Result.gen(function* () {
    const before = after === undefined ? null : placeFrom(after)
    if (before === undefined) return yield* Result.fail(new FieldRefused({ code: "invalid_after" }))
    const named = typeof requestId === "string" && requestId !== "" && isStorable(requestId) ? requestId : null
    const search: RequestSearch = { before, errorsOnly: errors === "1", requestId: named, limit: pageSize + 1 }
    return search
  })

const form = /^([0-9]{1,15})\.([0-9]{1,9})$/

const placeFrom = (text: unknown): RequestPlace | undefined => {
  const [, at, place] = form.exec(typeof text === "string" ? text : "") ?? []
  return at === undefined ? undefined : { at: Number(at), place: Number(place) }
}

const placeText = ({ at, place }: RequestPlace): string => `${at}.${place}`

/** A page of requests; `next` is the `after` of the one that follows, null if there is none. */
export const requestsJson = (found: ReadonlyArray<KeptRequest>) => {
  const shown = found.slice(0, pageSize)
  const last = shown.at(-1)
  return {
    requests: shown.map((request) => ({
      id: placeText(request),
      at: toIso(request.at),
      requestId: request.requestId,
      keyEnding: request.keyEnding,
      method: request.method,
      route: request.route,
      status: request.status,
      code: request.code,
      durationMs: request.durationMs
    })),
    next: found.length > pageSize && last !== undefined ? placeText(last) : null
  }
}

/** The counts of hours. */
export const requestHoursJson = (hours: ReadonlyArray<RequestHour>) => ({
  hours: hours.map(({ hourAt, requests, refused, failed }) => ({ from: toIso(hourAt), requests, refused, failed }))
})
