/** Port: what needs a person, over all organizations. It only reads; for operators only. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type {
  ConnectionId,
  DeliveryId,
  EndpointId,
  InvoiceId,
  MailId,
  OrganizationId,
  RefundId,
  SubscriptionId,
  TariffOrderId,
  WorkItemId
} from "../value/Ids.ts"
import type { Tiyn } from "../value/Money.ts"

/** What needs a person. Only what is live, the most urgent first. */
export const workKinds = [
  "refund_unknown",
  "difference_open",
  "order_unfulfilled",
  "cashier_session_lost",
  "subscription_stuck",
  "endpoint_paused",
  "delivery_given_up",
  "letter_failed"
] as const
/** One of them. */
export type WorkKind = (typeof workKinds)[number]

/** A thing that needs a person, and whose it is. It has nothing of customers. Null: it is not about such a thing. */
export interface Work {
  readonly organizationId: OrganizationId
  /** What the organization is called. */
  readonly organization: string
  /** Since when, epoch milliseconds. */
  readonly since: number
  readonly until: number | null
  readonly amount: Tiyn | null
  /** The code of what went wrong. */
  readonly code: string | null
  readonly connectionId: ConnectionId | null
  readonly endpointId: EndpointId | null
  readonly invoiceId: InvoiceId | null
  readonly refundId: RefundId | null
  readonly subscriptionId: SubscriptionId | null
  readonly deliveryId: DeliveryId | null
  readonly workItemId: WorkItemId | null
  readonly orderId: TariffOrderId | null
  readonly letterId: MailId | null
}

/** Where a page goes on: behind the row of this instant and id. */
export interface WorkPlace {
  readonly at: number
  readonly id: string
}

/** Which page. */
export interface WorkQuery {
  readonly after: WorkPlace | null
  readonly now: number
  /** What ended for good before is left out: deliveries and letters, and orders made before. */
  readonly from: number
  readonly limit: number
}

/** A page. Rows that are looked at and are none count in a bound of their own, so a page may be short, or empty. */
export interface WorkPage {
  readonly items: ReadonlyArray<Work>
  /** Null: there are no more. */
  readonly next: WorkPlace | null
}

/** Port: work for people. */
export class WorkStore extends Context.Service<
  WorkStore,
  {
    /**
     * Things of a kind, in the order of an index, oldest first: `limit` at most. Paused endpoints are in the order in
     * which their pauses end, cashiers in that in which they were made.
     */
    readonly work: (kind: WorkKind, query: WorkQuery) => Effect.Effect<WorkPage, StorageError>
  }
>()("@tolem/core/WorkStore") {}
