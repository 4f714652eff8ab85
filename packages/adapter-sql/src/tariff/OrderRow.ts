/** Orders of tariffs as rows. */
import type { TariffOrder } from "@tolem/core/tariff/TariffStore"
import { type RowOf, table } from "../base/Table.ts"

/** The table of orders. When one took effect is written by `TariffStore.fulfil` alone. */
export const orderTable = table<TariffOrder>("tariff_orders")({
  id: "text",
  organizationId: "text",
  tariff: "text",
  months: "bigint",
  amount: "bigint",
  sellerId: "text",
  sellerMode: "text",
  createdAt: "bigint"
})

/** A row of it. */
export type OrderRow = RowOf<typeof orderTable>
