/** Port: what a partner sees of the organizations that it has opened, and a referrer of those that he has brought. */
import { Context, type Effect } from "effect"
import type { Connection } from "../connection/Connection.ts"
import type { Status } from "../invoice/Invoice.ts"
import type { Mode } from "../Mode.ts"
import type { Tiyn } from "../Money.ts"
import type { Organization } from "../merchant/Merchant.ts"
import type { StorageError } from "../StorageError.ts"

/** Invoices of one organization, mode and status: in the month that was asked for, and in all. */
export interface StatusTotal {
  readonly organizationId: string
  readonly mode: Mode
  readonly status: Status
  readonly month: { readonly count: number; readonly amount: Tiyn; readonly refunded: Tiyn }
  readonly all: { readonly count: number; readonly amount: Tiyn; readonly refunded: Tiyn }
}

/** An organization that a referrer has brought, and what he earns by it. */
export interface Referred {
  readonly organizationId: string
  readonly name: string
  readonly createdAt: number
  readonly accrued: Tiyn
  readonly paidOut: Tiyn
}

/** See the file's head. */
export class PartnerStore extends Context.Service<
  PartnerStore,
  {
    /** Organizations that the partner has opened, newest first, and the number of all. */
    readonly clients: (
      partnerId: string,
      page: { readonly limit: number; readonly offset: number }
    ) => Effect.Effect<{ readonly total: number; readonly organizations: ReadonlyArray<Organization> }, StorageError>
    /** Totals of these organizations from the daily totals; `month`: `YYYY-MM`, of Almaty. */
    readonly statistics: (
      organizationIds: ReadonlyArray<string>,
      month: string
    ) => Effect.Effect<ReadonlyArray<StatusTotal>, StorageError>
    /** Cashiers of these organizations that work, without their sessions, oldest first. */
    readonly activeConnections: (
      organizationIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Connection>, StorageError>
    /** Organizations that the account has brought, oldest first. */
    readonly referred: (accountId: string) => Effect.Effect<ReadonlyArray<Referred>, StorageError>
  }
>()("@tolem/core/PartnerStore") {}
