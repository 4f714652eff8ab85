/** Checks of the requests about existing invoices: list, refund, simulate. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { isGiven, type JsonObject, maxIdempotencyKey, optionalNonEmptyText, optionalText } from "../value/Checks.ts"
import { fromTenge, type Tiyn } from "../value/Money.ts"
import { type PageCode, type PageRequest, queryInstant, queryPage, queryText } from "../value/QueryChecks.ts"
import { scopeOf, type Viewer } from "../value/Tenant.ts"
import { InvalidRefundAmount, InvoiceStatus } from "./Invoice.ts"
import type { InvoiceSettings } from "./InvoiceSettings.ts"
import type { InvoiceQuery } from "./InvoiceStore.ts"

/** Members of a list request, as text from a query string or as values. Absent ones do not filter. */
export interface ListRequest extends PageRequest {
  readonly status?: unknown
  readonly externalOrderId?: unknown
  readonly search?: unknown
  readonly mode?: unknown
  readonly from?: unknown
  readonly to?: unknown
}

/** A member of a list request breaks its rule. */
export type ListRefused = FieldRefused<
  | PageCode
  | "invalid_status"
  | "invalid_mode"
  | "invalid_external_order_id"
  | "invalid_search"
  | "invalid_from"
  | "invalid_to"
>

/**
 * The query that a list request is. `limit` and `offset` out of range are moved to the nearest bound. `otherMode` tells
 * that it asks for the mode that the caller does not see, so that the page is empty.
 */
export const checkList = (
  scope: Viewer,
  request: ListRequest,
  settings: InvoiceSettings
): Result.Result<{ readonly query: InvoiceQuery; readonly otherMode: boolean }, ListRefused> =>
  Result.gen(function* () {
    const mode = request.mode === "" ? undefined : request.mode
    if (isGiven(mode) && mode !== "sandbox" && mode !== "live") return yield* Result.fail("invalid_mode" as const)
    const page = yield* queryPage(request, settings)
    const externalOrderId = yield* optionalText(request.externalOrderId, 100, "invalid_external_order_id")
    const query: InvoiceQuery = {
      ...scopeOf(scope),
      ...page,
      statuses: yield* statusesOf(request.status),
      externalOrderId: externalOrderId === "" ? null : externalOrderId,
      search: yield* queryText(request.search, "invalid_search"),
      from: yield* queryInstant(request.from, "start", "invalid_from"),
      to: yield* queryInstant(request.to, "end", "invalid_to")
    }
    return { query, otherMode: isGiven(mode) && mode !== scope.mode }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** What a refund request asks for; a null `amount` means the whole remainder. */
export interface RefundRequest {
  readonly amount: Tiyn | null
  readonly reason: string | null
  readonly idempotencyKey: string | null
}

/** The most characters of the reason of a refund. */
export const maxReason = 500

/** A member of a refund request breaks its rule; of its amount see `InvalidRefundAmount`. */
export type RefundRefused = FieldRefused<"invalid_reason" | "invalid_idempotency_key">

/** The refund that `body` asks for. `headerKey` is the Idempotency-Key header; it wins over the body's member. */
export const checkRefund = (
  body: JsonObject,
  headerKey: string | undefined
): Result.Result<RefundRequest, RefundRefused | InvalidRefundAmount> =>
  Result.gen(function* () {
    const amount = isGiven(body["amount"]) ? fromTenge(body["amount"]) : Result.succeed(null)
    if (Result.isFailure(amount)) return yield* Result.fail(new InvalidRefundAmount())
    if (amount.success !== null && amount.success <= 0) return yield* Result.fail(new InvalidRefundAmount())
    const refused = Result.mapError((code: "invalid_reason" | "invalid_idempotency_key") => new FieldRefused({ code }))
    const reason = yield* refused(optionalText(body["reason"], maxReason, "invalid_reason"))
    const key = headerKey ?? body["idempotencyKey"]
    const idempotencyKey = yield* refused(optionalNonEmptyText(key, maxIdempotencyKey, "invalid_idempotency_key"))
    return { amount: amount.success, reason, idempotencyKey }
  })

/** What became of a refund, as a person has found out: made, under the provider's reference, or not. */
export type RefundResolution = { readonly made: true; readonly reference: string } | { readonly made: false }

const maxReference = 200

/** The provider's reference of what it has made; null: it has made nothing. */
export const checkResolution = (
  given: RefundResolution
): Result.Result<string | null, FieldRefused<"invalid_request">> => {
  const { made, reference = null } = { reference: null, ...given }
  const named = optionalNonEmptyText(reference, maxReference, "invalid_request")
  return Result.isSuccess(named) && typeof made === "boolean" && made === (named.success !== null)
    ? Result.succeed(named.success)
    : Result.fail(new FieldRefused({ code: "invalid_request" }))
}

/** What the sandbox can pretend. */
export type SimulatedStatus = "paid" | "failed" | "expired"

/** The status that a simulate request asks for. */
export const checkSimulate = (body: JsonObject): Result.Result<SimulatedStatus, FieldRefused<"invalid_status">> => {
  const status = body["status"]
  return status === "paid" || status === "failed" || status === "expired"
    ? Result.succeed(status)
    : Result.fail(new FieldRefused({ code: "invalid_status" }))
}

/** The statuses that a text names, one or several with commas; none where absent. */
export const statusesOf = (value: unknown): Result.Result<ReadonlyArray<InvoiceStatus>, "invalid_status"> => {
  if (!isGiven(value) || value === "") return Result.succeed([])
  if (typeof value !== "string") return Result.fail("invalid_status")
  const names = value.split(",").map((name) => name.trim())
  const known = InvoiceStatus.literals.filter((status) => names.includes(status))
  return names.every((name) => known.some((status) => status === name))
    ? Result.succeed(known)
    : Result.fail("invalid_status")
}
