/** How an earning is kept. */
import type { Earning } from "@tolem/core/tariff/TariffStore"
import { type RowOf, table } from "../base/Table.ts"

/** Columns of what referrers earn; the payout of one is told by the payout. */
export const earningTable = table<Earning>("referral_earnings")({
  id: "text",
  accountId: "text",
  organizationId: "text",
  orderId: "text",
  amount: "bigint",
  state: "text",
  createdAt: "bigint",
  paidOutAt: "bigint"
})

/** A row of it. */
export type EarningRow = RowOf<typeof earningTable>
