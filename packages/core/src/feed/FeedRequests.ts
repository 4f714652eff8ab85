/** Checks of requests for events. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { type InvoiceEvent, InvoiceStatus } from "../invoice/Invoice.ts"
import { isGiven } from "../value/Checks.ts"
import { queryInstant, queryInteger, queryLimit, queryText } from "../value/QueryChecks.ts"
import { scopeOf, type Viewer } from "../value/Tenant.ts"
import { beginning, cursorFrom } from "./Cursor.ts"
import type { FeedSettings } from "./FeedSettings.ts"
import type { FeedQuery, FeedStart } from "./FeedStore.ts"

/** The types of events that there are. */
const eventTypes = [
  "invoice.created",
  ...InvoiceStatus.literals.filter((status) => status !== "new").map((status) => `invoice.${status}` as const)
] as const satisfies ReadonlyArray<InvoiceEvent["type"]>

/** What `types` may name: one of them, or all of one thing. */
export type EventType = InvoiceEvent["type"] | "invoice.*"

/** Members of a request, as text from a query string or as values. Absent ones: from the beginning, all, at once. */
export interface FeedRequest {
  /** A cursor, or an instant: an ISO 8601 date-time, or a date, which begins in Almaty. */
  readonly after?: unknown
  /** With commas between them, or as a list. */
  readonly types?: unknown
  readonly limit?: unknown
  /** Whole seconds to wait while there is nothing. */
  readonly wait?: unknown
}

/** The same for those who write one in TypeScript. */
export interface FeedOptions {
  /** A cursor, or an instant in ISO 8601. Absent: from the beginning. */
  readonly after?: string | null | undefined
  /** As `invoice.paid`; `invoice.*` is all of them. Absent: all. */
  readonly types?: ReadonlyArray<EventType> | undefined
  /** Most events of a page. */
  readonly limit?: number | undefined
}

/** A member of a request breaks its rule. */
export type FeedRefused = FieldRefused<"invalid_limit" | "invalid_wait" | "invalid_after" | "invalid_types">

/** The query that a request is, and how long it may wait. What is out of range is moved to the nearest bound. */
export const checkFeed = (
  viewer: Viewer,
  request: FeedRequest,
  settings: FeedSettings
): Result.Result<{ readonly query: FeedQuery; readonly waitMs: number }, FeedRefused> =>
  Result.gen(function* () {
    const limit = yield* queryLimit(request.limit, settings)
    const wait = yield* queryInteger(request.wait === "" ? null : request.wait, 0, "invalid_wait")
    const { lookedAt, maxWaitMs } = settings.feed
    const query: FeedQuery = {
      ...scopeOf(viewer),
      start: yield* startOf(viewer, request.after),
      types: yield* typesOf(request.types),
      limit,
      lookAt: Math.max(lookedAt, limit)
    }
    return { query, waitMs: Math.min(Math.max(wait, 0) * 1000, maxWaitMs) }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const startOf = (viewer: Viewer, after: unknown): Result.Result<FeedStart, "invalid_after"> =>
  Result.gen(function* () {
    const text = yield* queryText(after, "invalid_after")
    if (text === null) return { after: beginning }
    const cursor = cursorFrom(viewer, text)
    if (cursor !== undefined) return { after: cursor }
    const since = yield* queryInstant(text, "start", "invalid_after")
    return since === null ? { after: beginning } : { since }
  })

const typesOf = (value: unknown): Result.Result<ReadonlyArray<InvoiceEvent["type"]>, "invalid_types"> => {
  if (!isGiven(value) || value === "") return Result.succeed([])
  const given: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  if (given.some((each) => typeof each !== "string")) return Result.fail("invalid_types")
  const names = given.flatMap((each) => String(each).split(",")).map((name) => name.trim())
  const isKnown = (name: string) => name === "invoice.*" || eventTypes.some((type) => type === name)
  if (!names.every(isKnown)) return Result.fail("invalid_types")
  return Result.succeed(names.includes("invoice.*") ? [] : eventTypes.filter((type) => names.includes(type)))
}
