/** Use-cases of an organization's tariff in the cabinet: what is used, what there is and was ordered, and ordering. */
import { Context, Effect, Layer, Result } from "effect"
import { type BillPlace, BillStore, type TariffBill } from "../../billing/BillStore.ts"
import { TariffSales } from "../../billing/TariffSales.ts"
import { refusal } from "../../error/Refusal.ts"
import { FieldRefused } from "../../error/Refusals.ts"
import { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import { MerchantSettings } from "../../merchant/MerchantSettings.ts"
import { InvalidTariff } from "../../tariff/Tariff.ts"
import { Tariffs } from "../../tariff/Tariffs.ts"
import type { JsonObject } from "../../value/Checks.ts"
import { queryLimit } from "../../value/QueryChecks.ts"
import type { Outlook } from "../Desks.ts"
import { checkListPlace } from "../ListPlace.ts"

/** It cannot be bought now, for a reason of the seller's; an order that is kept is taken up again by the next try. */
export class TariffUnavailable extends refusal("TariffUnavailable", "provider_error") {}

/** Which part of the list, as text from a query string. */
export interface BillsRequest {
  readonly limit?: unknown
  /** Where an earlier page ended. */
  readonly after?: unknown
}

/** A page of bills, newest first. `next`: where the next one begins; null: there is none. */
export interface BillPage {
  readonly limit: number
  readonly bills: ReadonlyArray<TariffBill>
  readonly next: BillPlace | null
}

/** Of which organization. */
type At = Pick<Outlook, "organization">

/** Most bills on a page. */
const mostBills = 50

const make = Effect.gen(function* () {
  const store = yield* BillStore
  const tariffs = yield* Tariffs
  const sales = yield* TariffSales
  const { catalogue, seller } = (yield* MerchantSettings).tariffs
  const { defaultPageSize, maxPageSize } = yield* InvoiceSettings
  const pages = {
    defaultPageSize: Math.min(defaultPageSize, mostBills),
    maxPageSize: Math.min(maxPageSize, mostBills)
  }

  const standing = Effect.fn("DeskTariffs.standing")(function* ({ organization }: At) {
    return { standing: yield* tariffs.standing(organization.id), catalogue, isSold: seller !== null }
  })

  const bills = Effect.fn("DeskTariffs.bills")(function* ({ organization }: At, request: BillsRequest) {
    const { limit, after } = yield* Effect.fromResult(
      Result.gen(function* () {
        return { limit: yield* queryLimit(request.limit, pages), after: yield* checkListPlace(request.after, "trf") }
      }).pipe(Result.mapError((code) => new FieldRefused({ code })))
    )
    // One more tells whether there are more.
    const found = yield* store.list(organization.id, after, limit + 1)
    const shown = found.slice(0, limit)
    const next = found.length > limit ? (shown.at(-1)?.order ?? null) : null
    return { limit, bills: shown, next } satisfies BillPage
  })

  const order = Effect.fn("DeskTariffs.order")(function* ({ organization }: At, { tariff }: JsonObject) {
    if (typeof tariff !== "string") return yield* new InvalidTariff()
    const bought = yield* Effect.result(sales.buy(organization.id, tariff))
    if (Result.isSuccess(bought)) return bought.success
    const { failure } = bought
    if (failure._tag === "InvalidTariff" || failure._tag === "StorageError") return yield* failure
    // The buyer cannot do anything about the seller's cashier or quota; those who run the platform can.
    yield* Effect.logWarning("DeskTariffs: the seller's invoice was not made").pipe(
      Effect.annotateLogs({ reason: failure._tag })
    )
    return yield* new TariffUnavailable()
  })

  return {
    /** The tariff as it was at one moment, the catalogue, and whether tariffs are sold here. */
    standing,
    /** A page of what the organization has ordered. */
    bills,
    /**
     * Orders a month of `{ tariff }`; see `TariffSales.buy`, also about repeating it. Whatever the seller's invoice is
     * refused for is `TariffUnavailable`.
     */
    order
  }
})

/** The tariff of an organization, for members. */
export class DeskTariffs extends Context.Service<DeskTariffs, Effect.Success<typeof make>>()(
  "@tolem/core/DeskTariffs"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(DeskTariffs, make)
}
