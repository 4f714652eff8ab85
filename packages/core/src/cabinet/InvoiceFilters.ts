/** Checks of what members ask of lists, sums and totals. Pure. */
import { Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import { InvoiceKind } from "../invoice/Invoice.ts"
import { type ListRequest, statusesOf } from "../invoice/InvoiceRequests.ts"
import type { InvoiceSettings } from "../invoice/InvoiceSettings.ts"
import { dayOf } from "../value/Calendar.ts"
import { isStorable, optionalText } from "../value/Checks.ts"
import type { ConnectionId } from "../value/Ids.ts"
import { fromTenge } from "../value/Money.ts"
import { type PageRequest, queryInstant, queryPage, queryText } from "../value/QueryChecks.ts"
import type { Viewer } from "../value/Tenant.ts"
import { dayAsked, daysFrom, maxPeriodDays, type Period, shifted } from "./Periods.ts"
import { type InvoicePlace, invoiceSources, type ListFilter } from "./ReportStore.ts"

/** Members of a request for invoices or sums of them, as text from a query string. Absent ones do not filter. */
export interface FilterRequest extends Omit<ListRequest, "limit" | "offset" | "mode"> {
  readonly kind?: unknown
  readonly connectionId?: unknown
  readonly source?: unknown
  readonly minAmount?: unknown
  readonly maxAmount?: unknown
}

/** A page of them. `after`: where an earlier page ended. */
export interface PlaceRequest extends FilterRequest, PageRequest {
  readonly after?: unknown
}

/** The text of a place, opaque to clients. */
export const placeText = ({ createdAt, id }: InvoicePlace): string => `${createdAt.toString(radix)}.${id}`

/** Whose invoices a member sees. */
export type Sight = Viewer & Pick<ListFilter, "among">

/** What a request lets through, as far as this viewer sees. */
export const checkFilter = (sight: Sight, request: FilterRequest) =>
  Result.gen(function* () {
    const externalOrderId = yield* optionalText(request.externalOrderId, 100, "invalid_external_order_id")
    const filter: ListFilter = {
      ...sight,
      connectionId: (yield* cashierAsked(request.connectionId)) ?? sight.connectionId,
      statuses: yield* statusesOf(request.status),
      kind: yield* wordOf(request.kind, InvoiceKind.literals, "invalid_kind"),
      source: yield* wordOf(request.source, invoiceSources, "invalid_source"),
      minAmount: yield* amountOf(request.minAmount),
      maxAmount: yield* amountOf(request.maxAmount),
      externalOrderId: externalOrderId === "" ? null : externalOrderId,
      search: yield* queryText(request.search, "invalid_search"),
      from: yield* queryInstant(request.from, "start", "invalid_from"),
      to: yield* queryInstant(request.to, "end", "invalid_to")
    }
    return filter
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** Where in the list to go on; null: at its beginning. */
export const checkAfter = (value: unknown) => Result.mapError(placeOf(value), (code) => new FieldRefused({ code }))

/** Where in the list a page begins, and how long it is. */
export const checkPlace = (request: PlaceRequest, settings: InvoiceSettings) =>
  Result.gen(function* () {
    return { after: yield* placeOf(request.after), ...(yield* queryPage(request, settings)) }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

/** A period that is asked for, and the cashier whose invoices. */
export const checkTotals = (sight: Sight, { from, to, connectionId }: FilterRequest, now: number) =>
  Result.gen(function* () {
    const cashier = yield* cashierAsked(connectionId)
    const { period, before } = yield* periods(from, to, now)
    return { period, before, sight: { ...sight, connectionId: cashier ?? sight.connectionId } }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))

const radix = 36

const wordOf = <A extends string, const Code extends string>(value: unknown, words: ReadonlyArray<A>, code: Code) =>
  Result.flatMap(queryText(value, code), (text) => {
    const word = words.find((each) => each === text)
    return text === null || word !== undefined ? Result.succeed(word ?? null) : Result.fail(code)
  })

/** The cashier that is asked for; null: none is. */
export const cashierAsked = (value: unknown): Result.Result<ConnectionId | null, "invalid_connection_id"> =>
  Result.filterOrFail(
    queryText(value, "invalid_connection_id"),
    (text) => text === null || isStorable(text),
    () => "invalid_connection_id" as const
  )

const amountOf = (value: unknown): Result.Result<number | null, "invalid_amount"> =>
  Result.flatMap(queryText(value, "invalid_amount"), (text): Result.Result<number | null, "invalid_amount"> => {
    if (text === null) return Result.succeed(null)
    if (!/^\d{1,12}(\.\d{1,2})?$/.test(text)) return Result.fail("invalid_amount")
    return Result.mapError(fromTenge(Number(text)), () => "invalid_amount" as const)
  })

const placeOf = (value: unknown): Result.Result<InvoicePlace | null, "invalid_after"> =>
  Result.flatMap(queryText(value, "invalid_after"), (text) => {
    if (text === null) return Result.succeed(null)
    const [, digits = "", id = ""] = /^([0-9a-z]{1,11})\.(inv_[0-9a-z]{1,60})$/.exec(text) ?? []
    const createdAt = Number.parseInt(digits, radix)
    return Number.isSafeInteger(createdAt) ? Result.succeed({ createdAt, id }) : Result.fail("invalid_after" as const)
  })

// The last seven days if none are named, and as many days before them.
const periods = (first: unknown, last: unknown, now: number) =>
  Result.gen(function* () {
    const to = (yield* dayAsked(last, "invalid_to")) ?? dayOf(now)
    const from = (yield* dayAsked(first, "invalid_from")) ?? shifted(to, -6)
    const days = daysFrom(from, to)
    if (days < 1 || days > maxPeriodDays) return yield* Result.fail("invalid_from" as const)
    const period: Period = { from, to }
    const before: Period = { from: shifted(from, -days), to: shifted(from, -1) }
    return { period, before }
  })
