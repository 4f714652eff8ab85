/** Use-cases of refunds over all invoices: what members see of them, and what they say of those that are unknown. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { InvoiceNotFound } from "../../error/Refusals.ts"
import { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import { InvoiceStore } from "../../invoice/InvoiceStore.ts"
import { type RefundChecks, refundChecks } from "../../invoice/live/LiveSchedule.ts"
import { Refunds } from "../../invoice/live/Refunds.ts"
import { isStorable, type JsonObject } from "../../value/Checks.ts"
import type { RefundId } from "../../value/Ids.ts"
import { type Desk, Desks, type Outlook } from "../Desks.ts"
import { isEmpty, sightOf } from "../Reports.ts"
import { type ListedRefund, RefundListStore, type RefundPlace, type RefundSums } from "./RefundListStore.ts"
import { checkRefundResolution, checkRefunds, type RefundListRequest } from "./RefundRequests.ts"

/** A refund with when the provider is asked about it; null: it is not asked any more, or need not be. */
export interface ShownRefund extends ListedRefund {
  readonly checks: RefundChecks | null
}

/** A page of refunds, newest first. `next`: where the next one begins; null: there is none. */
export interface RefundPage {
  readonly limit: number
  readonly refunds: ReadonlyArray<ShownRefund>
  readonly next: RefundPlace | null
}

/** Refunds of an organization that one request looks at: some milliseconds, however many the other mode has. */
const rowsPerLook = 5_000

const nothing: RefundSums = { sums: [], isExact: true }

const make = Effect.gen(function* () {
  const store = yield* RefundListStore
  const invoices = yield* InvoiceStore
  const refunds = yield* Refunds
  const desks = yield* Desks
  const settings = yield* InvoiceSettings

  const page = Effect.fn("DeskRefunds.page")(function* (desk: Outlook, request: RefundListRequest) {
    const { query, limit, after } = yield* Effect.fromResult(checkRefunds(sightOf(desk), request, settings))
    if (isEmpty(query)) return { limit, refunds: [], next: null } satisfies RefundPage
    const now = yield* Clock.currentTimeMillis
    // One more tells whether there are more.
    const { found, end } = yield* store.page(query, { after, rows: rowsPerLook }, limit + 1)
    const shown = found.slice(0, limit).map(
      (one): ShownRefund => ({
        ...one,
        checks: desk.mode === "live" ? refundChecks(one.refund, now, settings) : null
      })
    )
    return { limit, refunds: shown, next: found.length > limit ? (shown.at(-1)?.refund ?? null) : end }
  })

  const sums = Effect.fn("DeskRefunds.sums")(function* (desk: Outlook, request: RefundListRequest) {
    const { query } = yield* Effect.fromResult(checkRefunds(sightOf(desk), request, settings))
    return isEmpty(query) ? nothing : yield* store.sums(query, settings.rowsPerLook)
  })

  const resolve = Effect.fn("DeskRefunds.resolve")(function* (desk: Desk, id: RefundId, body: JsonObject) {
    const { resolution, note } = yield* Effect.fromResult(checkRefundResolution(body))
    const refund = isStorable(id) ? Option.getOrUndefined(yield* invoices.findRefund(id)) : undefined
    if (refund === undefined) return yield* new InvoiceNotFound()
    const caller = yield* desks.callerFor(desk, refund.invoiceId)
    return yield* refunds.resolve(caller, id, resolution, note)
  })

  return {
    /** A page of the refunds that are theirs to see, newest first. */
    page,
    /** The sums by status of those that a request lets through. */
    sums,
    /**
     * Writes what a member has found out of an unknown live refund, with their note in the audit log; see
     * `Refunds.resolve`. One that they may not see is `InvoiceNotFound`.
     */
    resolve
  }
})

/** Refunds over all invoices, for members. */
export class DeskRefunds extends Context.Service<DeskRefunds, Effect.Success<typeof make>>()(
  "@tolem/core/DeskRefunds"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(DeskRefunds, make)
}
