/** An organization's tariff and its bills as members are shown them. Pure. */
import type { TariffBill } from "../../billing/BillStore.ts"
import type { Sale } from "../../billing/TariffSales.ts"
import { invoiceObject, payUrl, receiptUrl } from "../../invoice/InvoiceJson.ts"
import type { InvoiceSettings } from "../../invoice/InvoiceSettings.ts"
import type { Tariff } from "../../merchant/TariffPlan.ts"
import { accountJson } from "../../partner/AccountJson.ts"
import type { TariffOrder } from "../../tariff/TariffStore.ts"
import type { TariffStanding } from "../../tariff/Tariffs.ts"
import { toIso } from "../../value/Calendar.ts"
import { toTenge } from "../../value/Money.ts"
import { listPlaceText } from "../ListPlace.ts"
import type { BillPage } from "./DeskTariffs.ts"

interface Standing {
  readonly standing: TariffStanding
  readonly catalogue: ReadonlyArray<Tariff>
  readonly isSold: boolean
}

/** The tariff, and those that there are. One can be bought if tariffs are sold here and it has a price. */
export const deskTariffJson = ({ standing, catalogue, isSold }: Standing) => ({
  tariff: { ...accountJson(standing, standing.organization.mode, []).tariff, partner: standing.tariff.partner },
  isSold,
  catalogue: catalogue.map(({ code, name, monthlyLimit, dailyLimit, price, partner }) => ({
    code,
    name,
    monthlyLimit,
    dailyLimit,
    price: price === null ? null : toTenge(price),
    partner
  }))
})

const orderJson = ({ id, tariff, months, amount, createdAt }: TariffOrder) => ({
  id,
  tariff,
  months,
  amount: toTenge(amount),
  createdAt: toIso(createdAt)
})

const billJson = ({ order, appliedAt, invoice }: TariffBill, settings: InvoiceSettings) => ({
  ...orderJson(order),
  appliedAt: appliedAt === null ? null : toIso(appliedAt),
  invoice:
    invoice === null
      ? null
      : {
          id: invoice.id,
          status: invoice.status,
          payUrl: payUrl(invoice.id, settings),
          receiptNumber: invoice.receiptNumber,
          receiptUrl: invoice.receiptNumber === null ? null : receiptUrl(invoice.id, settings)
        }
})

/** A page; `next` is the `after` of the one that follows, null if there is none. */
export const billPageJson = ({ limit, bills, next }: BillPage, settings: InvoiceSettings) => ({
  limit,
  bills: bills.map((bill) => billJson(bill, settings)),
  next: next === null ? null : listPlaceText(next)
})

/** What was ordered, and how it is paid: of the seller's invoice what its pay page shows to everyone. */
export const saleJson = ({ order, invoice }: Sale, settings: InvoiceSettings) => {
  const { id, status, payUrl, qrUrl, qrImageUrl, deepLink, expiresAt } = invoiceObject(invoice, settings)
  return { ...orderJson(order), invoice: { id, status, payUrl, qrUrl, qrImageUrl, deepLink, expiresAt } }
}
