/** How organizations pay for tariffs: with ordinary invoices of the operator's own organization. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { CurrentActor, recordOf } from "../audit/Audit.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { MerchantSettings } from "../merchant/MerchantSettings.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { endAfter, InvalidTariff, referralShareOf } from "../tariff/Tariff.ts"
import { type Earning, invoiceKeyOf, type TariffOrder, TariffStore } from "../tariff/TariffStore.ts"
import { Ids, type OrganizationId } from "../value/Ids.ts"
import { toTenge } from "../value/Money.ts"

/** A tariff that was ordered, and the invoice that pays for it. */
export interface Sale {
  readonly order: TariffOrder
  readonly invoice: Invoice
}

/** A month at a time. */
const months = 1

const make = Effect.gen(function* () {
  const invoices = yield* Invoices
  const merchants = yield* MerchantStore
  const store = yield* TariffStore
  const ids = yield* Ids
  const { catalogue, seller, referralPercent } = (yield* MerchantSettings).tariffs

  const buy = Effect.fn("TariffSales.buy")(function* (organizationId: OrganizationId, tariff: string) {
    const wanted = catalogue.find(({ code }) => code === tariff)
    if (seller === null || wanted === undefined || wanted.price === null) return yield* new InvalidTariff()
    const buyer = yield* merchants.organization(organizationId)
    if (Option.isNone(buyer)) return yield* new OrganizationNotFound()
    const order: TariffOrder = {
      id: yield* ids.next("trf"),
      organizationId,
      tariff,
      months,
      amount: wanted.price,
      sellerId: seller.organizationId,
      sellerMode: seller.mode,
      createdAt: yield* Clock.currentTimeMillis
    }
    // Stored before its invoice, which names it by the idempotency key: a payment always has its order.
    yield* store.addOrder(order)
    const body = {
      amount: toTenge(order.amount),
      description: `Tölem: ${wanted.name}`,
      metadata: { tariffOrderId: order.id, organizationId, tariff }
    }
    const caller = { ...seller, connectionId: null, source: "system" } as const
    const { invoice } = yield* invoices.create(caller, { body, headerKey: invoiceKeyOf(order) })
    const sale: Sale = { order, invoice }
    return sale
  })

  const fulfil = Effect.fn("TariffSales.fulfil")(function* (order: TariffOrder) {
    const organization = Option.getOrUndefined(yield* merchants.organization(order.organizationId))
    if (organization === undefined) return
    const now = yield* Clock.currentTimeMillis
    const { referredBy } = organization
    const amount = referralShareOf(order.amount, referralPercent)
    const earning: Earning | null =
      referredBy === null || amount === 0
        ? null
        : {
            id: yield* ids.next("ern"),
            accountId: referredBy,
            organizationId: organization.id,
            orderId: order.id,
            amount,
            state: "accrued",
            createdAt: now,
            paidOutAt: null
          }
    const after = { tariff: order.tariff, tariffUntil: endAfter(organization, order, now) }
    const deed = {
      action: "tariff.paid",
      organizationId: organization.id,
      subject: order.id,
      detail: JSON.stringify({ ...after, ...(earning !== null && { earning: earning.id, earned: earning.amount }) })
    } as const
    const audit = yield* Effect.provideService(recordOf(ids, deed), CurrentActor, keeper)
    // If it was not written another server was faster, and it is looked at again.
    yield* store.fulfil({ order, before: organization, after, earning, now, audit })
  })

  return {
    /** Orders a month of a tariff. It starts, or is prolonged, when the invoice is paid. */
    buy,
    /** Lets a paid order take effect, once: the tariff, and the referrer's share. */
    fulfil
  }
})

/** The use-cases of buying tariffs. */
export class TariffSales extends Context.Service<TariffSales, Effect.Success<typeof make>>()(
  "@tolem/core/TariffSales"
) {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(TariffSales, make)
}

const keeper = { kind: "application", id: "tariff-keeper", origin: null } as const
