/** What lists are asked for with, for those who write it in TypeScript. What is absent does not filter. */
import type { InvoiceStatus } from "../invoice/Invoice.ts"
import type { SubscriptionStatus } from "../subscription/Subscription.ts"
import type { DeliveryStatus } from "../webhook/Webhook.ts"

/** Which page of a list. What is out of range is moved to the nearest bound. */
export interface PageFilter {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

/** Which page of a list is answered, and how many there are of all that match. */
export interface ListPage {
  readonly total: number
  readonly limit: number
  readonly offset: number
}

/** Some of the invoices. */
export interface InvoiceFilter extends PageFilter {
  readonly status?: InvoiceStatus | ReadonlyArray<InvoiceStatus> | undefined
  readonly externalOrderId?: string | null | undefined
  /** Part of the id, the order's or the receipt's number, the description, or the customer's name, phone or e-mail. */
  readonly search?: string | null | undefined
  /** Made at this instant or later: an ISO 8601 date-time, or a date, which begins in Almaty. */
  readonly from?: string | null | undefined
  /** Made at this instant or before; a date ends in Almaty. */
  readonly to?: string | null | undefined
}

/** Some of the subscriptions. */
export interface SubscriptionFilter extends PageFilter {
  readonly status?: SubscriptionStatus | ReadonlyArray<SubscriptionStatus> | undefined
  /** Part of the id, the description, or the customer's name, phone or e-mail, in any case. */
  readonly search?: string | null | undefined
  /** Only those whose next run could not be made. */
  readonly stuck?: boolean | undefined
}

/** Some of the deliveries of an endpoint. */
export interface DeliveryFilter extends PageFilter {
  readonly status?: DeliveryStatus | undefined
}

/** The filter as a query string has it. */
export const queried = <Filter extends { readonly status?: string | ReadonlyArray<string> | undefined }>(
  filter: Filter
) => ({ ...filter, status: typeof filter.status === "object" ? filter.status.join(",") : filter.status })
