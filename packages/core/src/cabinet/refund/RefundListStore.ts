/** Port: refunds over all invoices of a tenant. It only reads. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../../error/StorageError.ts"
import type { Refund, RefundStatus } from "../../invoice/Refund.ts"
import type { ConnectionId, RefundId } from "../../value/Ids.ts"
import type { TiynSum } from "../../value/Money.ts"
import type { Viewer } from "../../value/Tenant.ts"

/** Which refunds. Empty `statuses` means all; bounds of when they were asked for are inclusive milliseconds. */
export interface RefundQuery extends Viewer {
  /** Of these cashiers only, one at least. */
  readonly among?: ReadonlyArray<ConnectionId> | undefined
  readonly statuses: ReadonlyArray<RefundStatus>
  readonly from: number | null
  readonly to: number | null
}

/** A refund in the order of lists: newest first. */
export interface RefundPlace {
  readonly createdAt: number
  readonly id: RefundId
}

/** A refund with what members know its invoice by. */
export interface ListedRefund {
  readonly refund: Refund
  readonly connectionId: ConnectionId | null
  readonly externalOrderId: string | null
  readonly description: string | null
  readonly receiptNumber: string | null
}

/** A part of the list. `end`: where the look ended before the list did and before the part was full, else null. */
export interface RefundPart {
  readonly found: ReadonlyArray<ListedRefund>
  readonly end: RefundPlace | null
}

/** How many refunds of a status, and their sum. */
export interface RefundSum {
  readonly status: RefundStatus
  readonly count: number
  readonly amount: TiynSum
}

/** The sums by status. `isExact`: of all that match, not of the newest rows alone. */
export interface RefundSums {
  readonly sums: ReadonlyArray<RefundSum>
  readonly isExact: boolean
}

/** Port: refunds of a tenant. Every verb has the organization in its condition. */
export class RefundListStore extends Context.Service<
  RefundListStore,
  {
    /**
     * The newest that match, behind `after`, at most `limit`, of a look at `rows` refunds of the organization: those of
     * the other mode and of other cashiers are looked at too.
     */
    readonly page: (
      query: RefundQuery,
      look: { readonly after: RefundPlace | null; readonly rows: number },
      limit: number
    ) => Effect.Effect<RefundPart, StorageError>
    /** The sums of those that match, of the newest `rows` refunds of the organization in that time. */
    readonly sums: (query: RefundQuery, rows: number) => Effect.Effect<RefundSums, StorageError>
  }
>()("@tolem/core/RefundListStore") {}
