/** Port: what a partner sees of the organizations that it has opened, and a referrer of those they have brought. */
import { Context, type Effect, type Option } from "effect"
import type { Connection } from "../connection/Connection.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { InvoiceStatus } from "../invoice/Invoice.ts"
import type { Organization, OwnedOrganization } from "../merchant/Merchant.ts"
import type { AccountId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { TiynSum } from "../value/Money.ts"

/** Invoices of one organization, mode and status: in the month that was asked for, and in all. */
export interface StatusTotal {
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly status: InvoiceStatus
  readonly month: { readonly count: number; readonly amount: TiynSum; readonly refunded: TiynSum }
  readonly all: { readonly count: number; readonly amount: TiynSum; readonly refunded: TiynSum }
}

/** An organization that a referrer has brought, and what they earn by it. */
export interface Referred {
  readonly organizationId: OrganizationId
  readonly name: string
  readonly createdAt: number
  readonly accrued: TiynSum
  readonly paidOut: TiynSum
}

/** An organization with what its partner may know of it. Connections are without their sessions. */
export interface PartnerClient {
  readonly organization: Organization
  readonly totals: ReadonlyArray<StatusTotal>
  readonly connections: ReadonlyArray<Connection>
}

/** What a person earns by those that they have brought, oldest first. */
export interface Earned {
  readonly referralCode: string
  readonly referred: ReadonlyArray<Referred>
}

/** Port: a partner's clients. What one verb answers is of one moment. */
export class PartnerStore extends Context.Service<
  PartnerStore,
  {
    /**
     * Organizations that the partner has opened, newest first, with those of their cashiers who work, and the number of
     * all. Totals are of the daily totals; `month`: `YYYY-MM`, of Almaty.
     */
    readonly clients: (
      partnerId: OrganizationId,
      month: string,
      page: { readonly limit: number; readonly offset: number }
    ) => Effect.Effect<{ readonly total: number; readonly clients: ReadonlyArray<PartnerClient> }, StorageError>
    /** The organization with this id and all its cashiers, of any partner: the caller decides what is seen. */
    readonly client: (
      id: OrganizationId,
      month: string
    ) => Effect.Effect<Option.Option<PartnerClient & OwnedOrganization>, StorageError>
    /**
     * The account's code, and the organizations that it has brought, with those that the partner has opened, if one is
     * named. Without such an account the code is empty.
     */
    readonly earned: (accountId: AccountId, partnerId: OrganizationId | null) => Effect.Effect<Earned, StorageError>
  }
>()("@tolem/core/PartnerStore") {}
