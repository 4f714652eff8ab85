/** Port: what members are shown of many invoices and deliveries: pages, sums and totals. It only reads. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { Invoice, InvoiceKind, InvoiceStatus } from "../invoice/Invoice.ts"
import type { ConnectionId, DeliveryId, EndpointId, InvoiceId, OrganizationId, PaymentLinkId } from "../value/Ids.ts"
import type { TiynSum } from "../value/Money.ts"
import type { PageBounds } from "../value/QueryChecks.ts"
import type { Tenant, Viewer } from "../value/Tenant.ts"
import type { Delivery } from "../webhook/Webhook.ts"

/** What an invoice came from: a merchant has asked for it, or a thing of theirs has made it. */
export type InvoiceSource = "request" | "subscription" | "payment-link" | "form-hook"

/** All of them. */
export const invoiceSources: ReadonlyArray<InvoiceSource> = ["request", "subscription", "payment-link", "form-hook"]

/** Which invoices. Empty `statuses` means all; null does not filter; bounds are inclusive. */
export interface ListFilter extends Viewer {
  /** Of these cashiers only, one at least. */
  readonly among?: ReadonlyArray<ConnectionId> | undefined
  readonly statuses: ReadonlyArray<InvoiceStatus>
  readonly kind: InvoiceKind | null
  readonly source: InvoiceSource | null
  readonly minAmount: number | null
  readonly maxAmount: number | null
  readonly externalOrderId: string | null
  readonly search: string | null
  readonly from: number | null
  readonly to: number | null
}

/** Where a page ended: the invoice that was shown last. */
export interface InvoicePlace {
  readonly createdAt: number
  readonly id: InvoiceId
}

/** A look at the newest invoices behind `after`, at so many rows at most, whatever a filter lets through. */
export interface Look {
  readonly after: InvoicePlace | null
  readonly rows: number
}

/** What a look has found, and where it has ended before the list has; null: it has come to the end. */
export interface Found<A> {
  readonly found: A
  readonly end: InvoicePlace | null
}

/** How many match; `isExact`: no more than these. */
export interface Count {
  readonly count: number
  readonly isExact: boolean
}

/** How many invoices, and of which sums. */
export interface Sum {
  readonly count: number
  readonly amount: TiynSum
  readonly refunded: TiynSum
}

/** The sum of those of one status. */
export interface StatusSum extends Sum {
  readonly status: InvoiceStatus
}

/** The sum of those of one status, cashier (null: none) and Almaty day of their making. */
export interface DaySum extends StatusSum {
  readonly day: string
  readonly connectionId: ConnectionId | null
}

/** The sum of those of one status and source. */
export interface SourceSum extends StatusSum {
  readonly source: InvoiceSource
}

/** Those of a time. `isExact`: of all its days. */
export interface SourceSums {
  readonly found: ReadonlyArray<SourceSum>
  readonly isExact: boolean
}

/** Days of Almaty, both included, of what a viewer sees. */
export interface DaysQuery extends Viewer {
  readonly among?: ReadonlyArray<ConnectionId> | undefined
  readonly from: string
  readonly to: string
}

/** What was made at a payment link on one day. */
export interface LinkDay {
  /** Days since the first one that was asked for. */
  readonly nth: number
  readonly made: number
  /** Those whose code was asked for. */
  readonly opened: number
  /** Those that were paid by now, whatever was refunded since. */
  readonly paid: number
  readonly paidAmount: TiynSum
  readonly refunded: TiynSum
}

/** Where a part of deliveries ended: the one that was read last. */
export interface DeliveryPlace {
  readonly createdAt: number
  readonly id: DeliveryId
}

/**
 * Events that were sent to an endpoint in a time, bounds included, each as its first delivery in it, oldest first,
 * behind `after`. `isFailedOnly`: those of which all deliveries to it, of whatever time, have failed. Test events are
 * left out.
 */
export interface DeliveriesInTime {
  readonly endpointId: EndpointId
  readonly isFailedOnly: boolean
  readonly from: number
  readonly to: number
  readonly after: DeliveryPlace | null
  readonly limit: number
}

/** Port: what is read for many at once. Every verb has the organization in its condition. */
export class ReportStore extends Context.Service<
  ReportStore,
  {
    /**
     * The newest of those that match, without the first `offset` of them. A page that is full ends with its last
     * invoice, not where the look does.
     */
    readonly page: (
      filter: ListFilter,
      look: Look,
      bounds: PageBounds
    ) => Effect.Effect<Found<ReadonlyArray<Invoice>>, StorageError>
    /**
     * The sums of those that match, by status; none of a status that has none. Where only whole days, cashiers,
     * statuses, kinds and sources are asked for, from the beginning, of all at once, from what is kept of days; else of
     * a look.
     */
    readonly sums: (filter: ListFilter, look: Look) => Effect.Effect<Found<ReadonlyArray<StatusSum>>, StorageError>
    /** How many match: all, if what is kept of days tells; else at most so many, of a look at so many rows. */
    readonly count: (
      filter: ListFilter,
      most: { readonly rows: number; readonly count: number }
    ) => Effect.Effect<Count, StorageError>
    /** The sums of days, from what is kept of them; in no order. */
    readonly days: (query: DaysQuery) => Effect.Effect<ReadonlyArray<DaySum>, StorageError>
    /**
     * The same by source. Days of which that is not kept, as servers of an earlier version have counted on them, are
     * counted from so many rows at most; those that have more are left out.
     */
    readonly sources: (query: DaysQuery, rows: number) => Effect.Effect<SourceSums, StorageError>
    /**
     * What was made at a link since `from`, by days of 24 hours, in their order, of its newest `rows` + 1 invoices.
     * Days without are left out.
     */
    readonly linkDays: (
      of: { readonly organizationId: OrganizationId; readonly linkId: PaymentLinkId; readonly from: number },
      rows: number
    ) => Effect.Effect<ReadonlyArray<LinkDay>, StorageError>
    /** Deliveries of an invoice of the organization, oldest first, at most `limit`. */
    readonly deliveriesOf: (
      owner: { readonly organizationId: OrganizationId; readonly invoiceId: InvoiceId },
      limit: number
    ) => Effect.Effect<ReadonlyArray<Delivery>, StorageError>
    /** One delivery for each event that was sent to an endpoint of the tenant in a time. */
    readonly deliveriesIn: (
      tenant: Tenant,
      query: DeliveriesInTime
    ) => Effect.Effect<ReadonlyArray<Delivery>, StorageError>
  }
>()("@tolem/core/ReportStore") {}
