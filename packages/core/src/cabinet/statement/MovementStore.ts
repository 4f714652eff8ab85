/** Port: money that has moved, by the instant at which it did. It only reads. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../../error/StorageError.ts"
import type { ConnectionId, InvoiceId } from "../../value/Ids.ts"
import type { Tiyn, TiynSum } from "../../value/Money.ts"
import type { Viewer } from "../../value/Tenant.ts"
import type { InvoiceSource } from "../ReportStore.ts"

/** Payments and refunds of a viewer between two instants, both included. */
export interface MovementQuery extends Viewer {
  /** Of these cashiers only, one at least. */
  readonly among?: ReadonlyArray<ConnectionId> | undefined
  readonly from: number
  readonly to: number
}

/** How many payments and refunds there were, and of which sums. */
export interface Moved {
  readonly payments: number
  readonly paid: TiynSum
  /** Those of the payments that came after their invoice had ended. */
  readonly latePayments: number
  readonly late: TiynSum
  readonly refunds: number
  readonly refunded: TiynSum
}

/** The sums of a time, by each of three things; those without movements are left out. */
export interface MovedSums {
  /** By the Almaty day on which money moved, in order. */
  readonly days: ReadonlyArray<Moved & { readonly day: string }>
  /** By cashier; null: by none. In no order. */
  readonly cashiers: ReadonlyArray<Moved & { readonly connectionId: ConnectionId | null }>
  /** By what the invoice came from. In no order. */
  readonly sources: ReadonlyArray<Moved & { readonly source: InvoiceSource }>
}

/** Where a part of movements ended: the one that was read last. */
export interface MovementPlace {
  readonly at: number
  /** Of the invoice that was paid, or of the refund. */
  readonly id: string
}

/** A payment, or money given back. */
export interface Movement extends MovementPlace {
  readonly kind: "payment" | "refund"
  readonly invoiceId: InvoiceId
  readonly amount: Tiyn
  /** Whether the invoice had ended before the payment came. */
  readonly late: boolean
  readonly connectionId: ConnectionId | null
  readonly source: InvoiceSource
  readonly receiptNumber: string | null
  readonly externalOrderId: string | null
  readonly description: string | null
  readonly customerName: string | null
  /** The provider's, of the payment or of the refund. */
  readonly providerReference: string | null
  /** Why it was given back. */
  readonly reason: string | null
}

/** Port: what moved. Every verb has the organization in its condition. */
export class MovementStore extends Context.Service<
  MovementStore,
  {
    /** The sums of a time: all at one moment, and each of the three adds up to the same. */
    readonly sums: (query: MovementQuery) => Effect.Effect<MovedSums, StorageError>
    /** The payments and refunds of a time, oldest first, behind `after`, at most `limit`. */
    readonly page: (
      query: MovementQuery,
      after: MovementPlace | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Movement>, StorageError>
    /** The first and the last payment of a time; none: there was no payment. */
    readonly edges: (query: MovementQuery) => Effect.Effect<ReadonlyArray<Movement>, StorageError>
  }
>()("@tolem/core/MovementStore") {}
