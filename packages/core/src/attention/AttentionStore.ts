/** Port: what needs the attention of an organization's members. It only reads. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type {
  ConnectionId,
  DeliveryId,
  EndpointId,
  InvoiceId,
  OrganizationId,
  RefundId,
  SubscriptionId
} from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tiyn } from "../value/Money.ts"

/** What is read from rows. */
export type StoredKind =
  | "cashier_session_lost"
  | "endpoint_paused"
  | "refund_unknown"
  | "subscription_stuck"
  | "late_money"
  | "delivery_given_up"

/** What one thing is about; null: it is not about such a thing. */
export interface Concern {
  readonly since: number
  /** What the thing is called: a cashier's name, an endpoint's address, the number of an order. */
  readonly name: string | null
  readonly connectionId: ConnectionId | null
  readonly endpointId: EndpointId | null
  readonly invoiceId: InvoiceId | null
  readonly refundId: RefundId | null
  readonly subscriptionId: SubscriptionId | null
  readonly deliveryId: DeliveryId | null
  readonly amount: Tiyn | null
  /** The code of what went wrong. */
  readonly code: string | null
  /** When it ends by itself. */
  readonly until: number | null
}

const nothing: Omit<Concern, "since"> = {
  name: null,
  connectionId: null,
  endpointId: null,
  invoiceId: null,
  refundId: null,
  subscriptionId: null,
  deliveryId: null,
  amount: null,
  code: null,
  until: null
}

/** A thing that is about nothing but what is given. Pure. */
export const concernOf = (given: Partial<Concern> & Pick<Concern, "since">): Concern => ({ ...nothing, ...given })

/** Whose, and of which time. `among`: of these cashiers only, one at least. */
export interface AttentionQuery {
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly among?: ReadonlyArray<ConnectionId> | undefined
  readonly now: number
  /** Late money and deliveries that were given up are left out if they are older. */
  readonly from: number
  readonly limit: number
}

/** Port: what needs attention. */
export class AttentionStore extends Context.Service<
  AttentionStore,
  {
    /** What is so now, the newest first, at most `limit`. */
    readonly concerns: (kind: StoredKind, query: AttentionQuery) => Effect.Effect<ReadonlyArray<Concern>, StorageError>
  }
>()("@tolem/core/AttentionStore") {}
