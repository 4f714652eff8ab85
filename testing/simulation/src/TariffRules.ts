/** What must hold of tariffs after a history: every order that was paid has taken effect, once, and no other one. */
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import type { Organization } from "@tolem/core/merchant/Merchant"
import { endAfter } from "@tolem/core/tariff/Tariff"
import type { Earning } from "@tolem/core/tariff/TariffStore"
import type { Shop } from "./World.ts"

/** Tariffs as a last reader finds them. */
export interface FoundTariffs {
  readonly organizations: ReadonlyArray<Organization>
  readonly earnings: ReadonlyArray<Earning>
}

/** The promises that were broken. */
export const brokenTariffs = (
  shops: ReadonlyArray<Shop>,
  details: ReadonlyArray<InvoiceDetail>,
  { organizations, earnings }: FoundTariffs
): ReadonlyArray<string> => {
  const orders = details.flatMap(({ invoice, events }) => {
    const [, order] = /^tariff\/(.+)$/.exec(invoice.idempotencyKey ?? "") ?? []
    const isPaid = events.some(({ type }) => type === "invoice.paid")
    return order !== undefined && isPaid ? [{ order, buyer: buyerOf(invoice.metadata) }] : []
  })
  const strange = earnings.filter(({ orderId }) => !orders.some(({ order }) => order === orderId))
  return [
    ...strange.map(({ id, orderId }) => `${id} was earned by ${orderId}, which was not paid`),
    ...shops.flatMap((shop) => {
      const bought = orders.filter(({ buyer }) => buyer === shop.organizationId)
      const found = organizations.find(({ id }) => id === shop.organizationId)
      const earned = earnings.filter(({ organizationId }) => organizationId === shop.organizationId)
      const wanted = shop.isReferred ? bought.length : 0
      return [
        ...(found?.tariffUntil === untilAfter(shop, bought.length)
          ? []
          : [
              `${shop.organizationId}: ${bought.length} months were paid, and its tariff ends at ${found?.tariffUntil}`
            ]),
        ...(earned.length === wanted
          ? []
          : [`${shop.organizationId}: ${wanted} payments earned ${earned.length} times`])
      ]
    })
  ]
}

const untilAfter = ({ tariff, tariffUntil }: Shop, months: number): number | null => {
  let until = tariffUntil
  for (let month = 0; month < months; month++)
    until = endAfter({ tariff, tariffUntil: until }, { tariff, months: 1 }, 0)
  return until
}

const buyerOf = (metadata: string | null): unknown => JSON.parse(metadata ?? "{}").organizationId
