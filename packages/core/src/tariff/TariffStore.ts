/** Port: what organizations have used of their tariffs, how they pay for them, and who earns by that. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { Connection } from "../connection/Connection.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Organization } from "../merchant/Merchant.ts"
import type { AccountId, EarningId, OrganizationId, TariffOrderId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tiyn } from "../value/Money.ts"

/** Live invoices that an organization has made in the Almaty month and day of an instant. */
export interface Usage {
  readonly month: number
  readonly day: number
}

/** An organization with what it has used of its tariff, and its cashiers without their sessions, oldest first. */
export interface OrganizationUsage {
  readonly organization: Organization
  readonly usage: Usage
  readonly connections: ReadonlyArray<Connection>
}

/** A tariff that an organization wants, and that is paid with an invoice of the operator's own organization. */
export interface TariffOrder {
  readonly id: TariffOrderId
  readonly organizationId: OrganizationId
  readonly tariff: string
  readonly months: number
  readonly amount: Tiyn
  /** Whose invoice pays for it, and in which mode: the one with the idempotency key `tariff/{id}`. */
  readonly sellerId: OrganizationId
  readonly sellerMode: Mode
  readonly createdAt: number
}

/** What a referrer earns by a payment. `accrued`: still to be paid out. */
export interface Earning {
  readonly id: EarningId
  readonly accountId: AccountId
  /** The organization that has paid. */
  readonly organizationId: OrganizationId
  readonly orderId: string
  readonly amount: Tiyn
  readonly state: "accrued" | "paid_out"
  readonly createdAt: number
  readonly paidOutAt: number | null
}

/** A tariff as an organization has it. */
export interface Term {
  readonly tariff: string
  readonly tariffUntil: number | null
}

/** A paid order that takes effect: the order, the organization's tariff, and the referrer's share. */
export interface Fulfilment {
  readonly order: TariffOrder
  readonly before: Term
  readonly after: Term
  readonly earning: Earning | null
  readonly now: number
  readonly audit: AuditRecord
}

/** Port: orders of tariffs, what was used, and what referrers earn. */
export class TariffStore extends Context.Service<
  TariffStore,
  {
    /** What was used in the month and on the day of `at`. */
    readonly usage: (organizationId: OrganizationId, at: number) => Effect.Effect<Usage, StorageError>
    /** The organization's standing as it was at one moment, with what was used in the month and on the day of `at`. */
    readonly standing: (
      organizationId: OrganizationId,
      at: number
    ) => Effect.Effect<Option.Option<OrganizationUsage>, StorageError>
    /** Changes a tariff where it is still `before`. False: it is not, and nothing was written. */
    readonly setTerm: (
      organizationId: OrganizationId,
      before: Term,
      after: Term,
      audit: AuditRecord
    ) => Effect.Effect<boolean, StorageError>
    /** The newest order of the organization of this tariff, whatever became of it. */
    readonly newestOrder: (
      organizationId: OrganizationId,
      tariff: string
    ) => Effect.Effect<Option.Option<TariffOrder>, StorageError>
    /**
     * Adds an order if `after` is still the newest one of its organization and tariff (null: there is none). False: it
     * is not, and nothing was written. Of two callers at once, of an organization that exists, one adds its order. The
     * record is written with it.
     */
    readonly addOrder: (
      order: TariffOrder,
      after: TariffOrderId | null,
      audit: AuditRecord
    ) => Effect.Effect<boolean, StorageError>
    /** Orders made since `since` whose invoices are paid and that have not taken effect, oldest first. */
    readonly paidOrders: (since: number, limit: number) => Effect.Effect<ReadonlyArray<TariffOrder>, StorageError>
    /**
     * Lets a paid order take effect, once. False if it has before, or if the organization's tariff is not
     * `before` any more; then nothing was written.
     */
    readonly fulfil: (fulfilment: Fulfilment) => Effect.Effect<boolean, StorageError>
    /** Earnings, newest first: of one account where given. */
    readonly earnings: (
      accountId: AccountId | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Earning>, StorageError>
    /** The earning becomes paid out, once; none if it is unknown or was paid out before. */
    readonly payOut: (
      id: EarningId,
      now: number,
      audit: AuditRecord
    ) => Effect.Effect<Option.Option<Earning>, StorageError>
  }
>()("@tolem/core/TariffStore") {}

/** Idempotency key of the invoice that pays for an order. */
export const invoiceKeyOf = ({ id }: Pick<TariffOrder, "id">): string => `tariff/${id}`
