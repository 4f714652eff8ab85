/** Port: where accounts, organizations and keys are kept. */
import { Context, Data, type Effect, type Option } from "effect"
import type { StorageError } from "../StorageError.ts"
import type { Account, ApiKey, KeyHolder, Organization } from "./Merchant.ts"

/** No such organization. */
export class OrganizationNotFound extends Data.TaggedError("OrganizationNotFound") {
  readonly code = "organization_inactive"
}

/** See the file's head. */
export class MerchantStore extends Context.Service<
  MerchantStore,
  {
    /**
     * Adds an organization owned by the account with `owner.phone`, which is added where it is missing. Answers the
     * owner as stored.
     */
    readonly addOrganization: (organization: Organization, owner: Account) => Effect.Effect<Account, StorageError>
    /** The organization with this id. */
    readonly organization: (id: string) => Effect.Effect<Option.Option<Organization>, StorageError>
    /** The same, where it is not archived and its owner's account is not blocked. */
    readonly organizationInForce: (id: string) => Effect.Effect<Option.Option<Organization>, StorageError>
    /** Number of organizations, to tell a fresh database. */
    readonly organizationCount: Effect.Effect<number, StorageError>
    /** Blocks or unblocks an account, archives or revives an organization. False where there is none. */
    readonly setStatus: (
      subject:
        | { readonly account: string; readonly status: Account["status"] }
        | { readonly organization: string; readonly status: Organization["status"] }
    ) => Effect.Effect<boolean, StorageError>
    /** Adds a key to an existing organization. */
    readonly addKey: (key: ApiKey) => Effect.Effect<void, OrganizationNotFound | StorageError>
    /** Keys by their digests; a missing one is absent from the answer. */
    readonly findKeys: (digests: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KeyHolder>, StorageError>
    /** The organization's keys, oldest first. */
    readonly keys: (organizationId: string) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError>
    /** Binds a key of the organization to a cashier, or to none. False where there is no such key. */
    readonly bindKey: (
      organizationId: string,
      id: string,
      connectionId: string | null
    ) => Effect.Effect<boolean, StorageError>
    /** Deletes a key at once and for good. False where there is none. */
    readonly removeKey: (id: string) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/MerchantStore") {}
