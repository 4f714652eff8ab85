/** Port: what those who run the platform find in their console. It only reads, and never more than a page. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../../error/StorageError.ts"
import type { Account, OwnedOrganization } from "../../merchant/Merchant.ts"

/** Where a thing stands in a list of the newest. */
export interface ConsolePlace {
  readonly createdAt: number
  readonly id: string
}

/** A page of a list, newest first; only what stands behind `before`, going back. */
export interface ConsolePage {
  readonly before: ConsolePlace | null
  readonly limit: number
}

/** Port: lists of the console. */
export class ConsoleStore extends Context.Service<
  ConsoleStore,
  {
    /** Accounts, newest first. */
    readonly accounts: (page: ConsolePage) => Effect.Effect<ReadonlyArray<Account>, StorageError>
    /**
     * Accounts whose id, phone or name begins with one of some texts, as they are written; `limit` of each kind at
     * most, in no promised order. Takes as long as what it answers, however many accounts there are.
     */
    readonly findAccounts: (
      beginnings: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Account>, StorageError>
    /** Organizations, newest first. */
    readonly organizations: (page: ConsolePage) => Effect.Effect<ReadonlyArray<OwnedOrganization>, StorageError>
    /** The same as of accounts, by id, name, number of identification, or the phone of the owner. */
    readonly findOrganizations: (
      beginnings: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OwnedOrganization>, StorageError>
  }
>()("@tolem/core/ConsoleStore") {}
