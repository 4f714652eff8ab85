/** Port: what organizations have ordered of tariffs, with what they may know of the invoices that pay for it. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { InvoiceStatus } from "../invoice/Invoice.ts"
import type { TariffOrder } from "../tariff/TariffStore.ts"
import type { InvoiceId, OrganizationId } from "../value/Ids.ts"

/** Where an order stands in the list of its organization: newest first. */
export type BillPlace = Pick<TariffOrder, "createdAt" | "id">

/** Of the invoice that pays for an order, what its buyer may know: it is another organization's. */
export interface BillInvoice {
  readonly id: InvoiceId
  readonly status: InvoiceStatus
  readonly receiptNumber: string | null
}

/** An order, when it took effect, and the invoice that pays for it. Null: not yet; none was made, or it is gone. */
export interface TariffBill {
  readonly order: TariffOrder
  readonly appliedAt: number | null
  readonly invoice: BillInvoice | null
}

/** Port: bills of tariffs, to read. */
export class BillStore extends Context.Service<
  BillStore,
  {
    /** Orders of the organization behind `after` (null: from the newest on), newest first, each with its invoice. */
    readonly list: (
      organizationId: OrganizationId,
      after: BillPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TariffBill>, StorageError>
  }
>()("@tolem/core/BillStore") {}
