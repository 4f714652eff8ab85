/** Checks of what members ask of refunds. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../../error/Refusals.ts"
import type { RefundResolution } from "../../invoice/InvoiceRequests.ts"
import type { RefundStatus } from "../../invoice/Refund.ts"
import { isStorable, type JsonObject } from "../../value/Checks.ts"
import type { CommonSettings } from "../../value/CommonSettings.ts"
import { queryInstant, queryLimit, queryText } from "../../value/QueryChecks.ts"
import { cashierAsked, type Sight } from "../InvoiceFilters.ts"
import { checkListPlace } from "../ListPlace.ts"
import type { RefundQuery } from "./RefundListStore.ts"

/** All statuses of refunds. */
const refundStatuses: ReadonlyArray<RefundStatus> = ["pending", "succeeded", "failed", "unknown"]

/** Which refunds, as text from a query string. Absent members do not filter. */
export interface RefundFilterRequest {
  /** One status, or several with commas. */
  readonly status?: unknown
  /** Days in Almaty, or date-times. */
  readonly from?: unknown
  readonly to?: unknown
  readonly connectionId?: unknown
}

/** A page of them, as text from a query string. */
export interface RefundListRequest extends RefundFilterRequest {
  readonly limit?: unknown
  /** Where an earlier page ended. */
  readonly after?: unknown
}

/** Which are asked for, as far as the member sees: of a list, its sums and its file. */
export const checkRefundFilter = (sight: Sight, request: RefundFilterRequest) =>
  Result.mapError(filterAsked(sight, request), (code) => new FieldRefused({ code }))

/** A page of them. */
export const checkRefunds = (sight: Sight, request: RefundListRequest, settings: CommonSettings) =>
  Result.gen(function* () {
    return {
      query: yield* filterAsked(sight, request),
      limit: yield* queryLimit(request.limit, settings),
      after: yield* checkListPlace(request.after, "ref")
    }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const filterAsked = (sight: Sight, request: RefundFilterRequest) =>
  Result.gen(function* () {
    return {
      ...sight,
      connectionId: (yield* cashierAsked(request.connectionId)) ?? sight.connectionId,
      statuses: yield* statusesAsked(request.status),
      from: yield* queryInstant(request.from, "start", "invalid_from"),
      to: yield* queryInstant(request.to, "end", "invalid_to")
    } satisfies RefundQuery
  })

const maxNote = 500

/** What a member says of a refund, and how they know. */
interface FoundOut {
  readonly resolution: RefundResolution
  readonly note: string
}

/** What a member has found out of a refund: `{ made, reference?, note }`; the note has 3 to 500 characters. */
export const checkRefundResolution = ({
  made,
  reference,
  note
}: JsonObject): Result.Result<FoundOut, FieldRefused<"invalid_note" | "invalid_request">> => {
  const text = typeof note === "string" ? note.trim() : ""
  if (text.length < 3 || text.length > maxNote || !isStorable(text)) return refused("invalid_note")
  if (made === false) return Result.succeed({ resolution: { made: false }, note: text })
  const name = typeof reference === "string" ? reference.trim() : ""
  // How long it may be is a rule of refunds, not of the cabinet.
  return made === true && name !== "" && isStorable(name)
    ? Result.succeed({ resolution: { made: true, reference: name }, note: text })
    : refused("invalid_request")
}

const refused = (code: "invalid_note" | "invalid_request") => Result.fail(new FieldRefused({ code }))

const statusesAsked = (value: unknown): Result.Result<ReadonlyArray<RefundStatus>, "invalid_status"> =>
  Result.flatMap(queryText(value, "invalid_status"), (text) => {
    const names = text === null ? [] : text.split(",").map((name) => name.trim())
    const known = refundStatuses.filter((status) => names.includes(status))
    return names.every((name) => known.some((status) => status === name))
      ? Result.succeed(known)
      : Result.fail("invalid_status" as const)
  })
