/** Port: where accounts, organizations and keys are kept. */

import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import type { ConnectionNotFound } from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { AccountId, ApiKeyId, ConnectionId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Account, ApiKey, KeyHolder, KeyUse, Organization, OwnedOrganization } from "./Merchant.ts"

/** No such organization. */
export class OrganizationNotFound extends refusal("OrganizationNotFound", "organization_inactive") {}

/** No account has this referral code. Nothing was written. */
export class InvalidReferralCode extends refusal("InvalidReferralCode", "invalid_referral_code") {}

/** The owner owns as many organizations as they may. Nothing was written. */
export class TooManyOrganizations extends refusal("TooManyOrganizations", "too_many_organizations") {}

/** The organization has as many keys in this mode as it may. */
export class TooManyKeys extends refusal("TooManyKeys", "too_many_keys") {}

/** What comes with a new organization. */
export interface OrganizationExtras {
  /**
   * Who has brought the merchant: the account with this code, or with this id. It counts for the first organization of
   * an account, and no account refers itself.
   */
  readonly referrer?: { readonly code: string } | { readonly id: AccountId } | null
  /** Accounts that become developers of it. */
  readonly developers?: ReadonlyArray<string>
  /** Its first key. */
  readonly key?: ApiKey
  /** The partner's name of the request: if it has opened an organization before, that one is answered. */
  readonly idempotencyKey?: string | null
  /** The application's own name of the organization: if there is one of this name, that one is answered. */
  readonly externalKey?: string | null
  /** As many as its owner may own with it; without it any number. */
  readonly maxOwned?: number | undefined
  /** What the audit log says of it. */
  readonly audits?: ReadonlyArray<AuditRecord>
}

/** An organization and its owner as they are stored. */
export interface StoredOrganization {
  readonly organization: Organization
  readonly owner: Account
  /** They were stored before, and nothing was written. */
  readonly replayed: boolean
}

/**
 * Port: organizations and their keys. Verbs that take an audit record write it with what they do, and only if they do
 * it.
 */
export class MerchantStore extends Context.Service<
  MerchantStore,
  {
    /**
     * Adds an organization owned by the account with `owner.phone`, which is added if it is missing; the owner is
     * its first member. Answers both as stored. `maxOwned` is exact under concurrency.
     */
    readonly addOrganization: (
      organization: Organization,
      owner: Account,
      opening?: OrganizationExtras
    ) => Effect.Effect<StoredOrganization, InvalidReferralCode | TooManyOrganizations | StorageError>
    /** The organization with this id. */
    readonly organization: (id: OrganizationId) => Effect.Effect<Option.Option<Organization>, StorageError>
    /** The same, with whether its owner may act. */
    readonly owned: (id: OrganizationId) => Effect.Effect<Option.Option<OwnedOrganization>, StorageError>
    /** Number of organizations, to tell a fresh database. */
    readonly organizationCount: Effect.Effect<number, StorageError>
    /**
     * Blocks or unblocks an account, archives or restores an organization. Sessions of an account that is blocked end
     * with it, for good. `audit` is written by the one that has changed it, not where it is so already. False if there
     * is none.
     */
    readonly setStatus: (
      subject:
        | { readonly account: string; readonly status: Account["status"] }
        | { readonly organization: string; readonly status: Organization["status"] },
      now: number,
      audit?: AuditRecord
    ) => Effect.Effect<boolean, StorageError>
    /** Switches the mode that an organization works in. False if there is none, or it works in this one already. */
    readonly setMode: (id: OrganizationId, mode: Mode, audit?: AuditRecord) => Effect.Effect<boolean, StorageError>
    /**
     * Adds a key to an existing organization, bound to a cashier of it or to none, if it has fewer than `limit` in
     * the key's mode; exact under concurrency.
     */
    readonly addKey: (
      key: ApiKey,
      limit: number,
      audit?: AuditRecord
    ) => Effect.Effect<void, OrganizationNotFound | ConnectionNotFound | TooManyKeys | StorageError>
    /** Notes when keys were used last; never an earlier instant. Unknown keys are passed over. */
    readonly noteUses: (uses: ReadonlyArray<KeyUse>) => Effect.Effect<void, StorageError>
    /** Keys by their digests; a missing one is absent from the answer. */
    readonly findKeys: (digests: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KeyHolder>, StorageError>
    /** The organization's keys, oldest first. */
    readonly keys: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ApiKey>, StorageError>
    /** Binds a key of the organization to a cashier of it, or to none. False if there is no such key. */
    readonly bindKey: (
      organizationId: OrganizationId,
      id: ApiKeyId,
      connectionId: ConnectionId | null,
      audit?: AuditRecord
    ) => Effect.Effect<boolean, ConnectionNotFound | StorageError>
    /** Deletes a key at once and for good. False if there is none. The record is of the key's organization. */
    readonly removeKey: (id: ApiKeyId, audit?: AuditRecord) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/MerchantStore") {}
