/** How organizations pay for tariffs: with ordinary invoices of the operator's own organization. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { CurrentActor, recordOf } from "../audit/Audit.ts"
import { type Invoice, isOpen } from "../invoice/Invoice.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { MerchantSettings } from "../merchant/MerchantSettings.ts"
import { MerchantStore, OrganizationNotFound } from "../merchant/MerchantStore.ts"
import { endAfter, InvalidTariff, referralShareOf } from "../tariff/Tariff.ts"
import { type Earning, invoiceKeyOf, type TariffOrder, TariffStore } from "../tariff/TariffStore.ts"
import { Ids, type OrganizationId } from "../value/Ids.ts"
import { toTenge } from "../value/Money.ts"
import type { Tenant } from "../value/Tenant.ts"

/** A tariff that was ordered, and the invoice that pays for it. */
export interface Sale {
  readonly order: TariffOrder
  readonly invoice: Invoice
}

/** What a buyer wishes, and who sells it. */
interface Wish extends Pick<TariffOrder, "organizationId" | "tariff" | "months" | "amount"> {
  readonly seller: Tenant
}

const isOf = (order: TariffOrder, { months, amount, seller }: Wish): boolean =>
  order.months === months &&
  order.amount === amount &&
  order.sellerId === seller.organizationId &&
  order.sellerMode === seller.mode

/** How long an order without an invoice is taken up again: a day, for it is under way or was interrupted. */
const resumedMs = 24 * 3_600_000

/**
 * Whether an order can be paid as it is: its invoice is open and its window has not ended. One that has none yet is
 * given it, under its own key. Pure.
 */
const isPayable = (order: TariffOrder, invoice: Invoice | undefined, now: number): boolean =>
  invoice === undefined
    ? now < order.createdAt + resumedMs
    : isOpen(invoice.status) && (invoice.expiresAt === null || now < invoice.expiresAt)

/** A month at a time. */
const months = 1

const make = Effect.gen(function* () {
  const invoices = yield* Invoices
  const merchants = yield* MerchantStore
  const store = yield* TariffStore
  const invoiceStore = yield* InvoiceStore
  const ids = yield* Ids
  const { catalogue, seller, referralPercent } = (yield* MerchantSettings).tariffs

  /** The open order of what is wished, or a new one; none if another caller has added one since it was looked for. */
  const placed = Effect.fnUntraced(function* (wish: Wish) {
    const { organizationId, tariff, amount, seller } = wish
    const newest = Option.getOrUndefined(yield* store.newestOrder(organizationId, tariff))
    const now = yield* Clock.currentTimeMillis
    if (newest !== undefined && isOf(newest, wish)) {
      const invoice = Option.getOrUndefined(yield* invoiceStore.findKey(seller, invoiceKeyOf(newest)))
      if (isPayable(newest, invoice, now)) return Option.some(newest)
    }
    const order: TariffOrder = {
      id: yield* ids.next("trf"),
      organizationId,
      tariff,
      months: wish.months,
      amount,
      sellerId: seller.organizationId,
      sellerMode: seller.mode,
      // Behind the one before it, also where another server's clock is ahead.
      createdAt: Math.max(now, (newest?.createdAt ?? 0) + 1)
    }
    const deed = {
      action: "tariff.ordered",
      organizationId,
      subject: order.id,
      detail: JSON.stringify({ tariff, months: order.months, amount: toTenge(amount) })
    } as const
    // Stored before its invoice, which names it by the idempotency key: a payment always has its order.
    return (yield* store.addOrder(order, newest?.id ?? null, yield* recordOf(ids, deed)))
      ? Option.some(order)
      : Option.none()
  })

  const buy = Effect.fn("TariffSales.buy")(function* (organizationId: OrganizationId, tariff: string) {
    const wanted = catalogue.find(({ code }) => code === tariff)
    if (seller === null || wanted === undefined || wanted.price === null) return yield* new InvalidTariff()
    const buyer = yield* merchants.organization(organizationId)
    if (Option.isNone(buyer)) return yield* new OrganizationNotFound()
    const wish = { organizationId, tariff, months, amount: wanted.price, seller }
    // None: another caller has added one meanwhile, which is found now.
    const order = yield* Effect.flatMap(
      Effect.repeat(placed(wish), { until: Option.isSome }),
      Option.match({ onNone: () => Effect.die("TariffSales: no order"), onSome: Effect.succeed })
    )
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
    /**
     * Orders a month of a tariff. It starts, or is prolonged, when the invoice is paid. May be repeated: while an order
     * of the same tariff and price can be paid, it is answered with its invoice, also to two callers at once.
     */
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
