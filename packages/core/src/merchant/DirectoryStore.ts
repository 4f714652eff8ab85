/** Port: people, organizations and memberships. For the operator, and for people who have logged in. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { AccountId, OrganizationId } from "../value/Ids.ts"
import type { Account, Membership, MemberTerms, Organization, OwnedOrganization, Role } from "./Merchant.ts"

/** A page of a list. `search`: part of a name, a phone or an id, as it is written; ASCII letters in any case. */
export interface DirectoryQuery {
  readonly search: string | null
  readonly limit: number
  readonly offset: number
}

/** A person's part in an organization, with the organization. */
export interface MembershipView extends MemberTerms {
  readonly organization: Organization
  readonly role: Role
}

/** A member of an organization, with the account. */
export interface Member extends MemberTerms {
  readonly account: Account
  readonly role: Role
}

/** Port: accounts, organizations and memberships. */
export class DirectoryStore extends Context.Service<
  DirectoryStore,
  {
    /** Accounts, newest first, and the number of all that match. */
    readonly accounts: (
      query: DirectoryQuery
    ) => Effect.Effect<{ readonly total: number; readonly accounts: ReadonlyArray<Account> }, StorageError>
    /** Organizations, newest first, and the number of all that match. */
    readonly organizations: (
      query: DirectoryQuery
    ) => Effect.Effect<
      { readonly total: number; readonly organizations: ReadonlyArray<OwnedOrganization> },
      StorageError
    >
    /** The account with this id, or with this phone. */
    readonly account: (
      wanted: { readonly id: AccountId } | { readonly phone: string }
    ) => Effect.Effect<Option.Option<Account>, StorageError>
    /** Adds an account if its phone has none yet. Answers the one that has it. */
    readonly addAccount: (account: Account) => Effect.Effect<Account, StorageError>
    /** Notes an account's e-mail address; null: it has none. */
    readonly setEmail: (
      accountId: AccountId,
      email: string | null,
      audit: AuditRecord
    ) => Effect.Effect<void, StorageError>
    /** Gives an account another name. */
    readonly setName: (accountId: AccountId, name: string, audit: AuditRecord) => Effect.Effect<void, StorageError>
    /** What an account is a member of, oldest first. */
    readonly parts: (accountId: AccountId) => Effect.Effect<ReadonlyArray<MembershipView>, StorageError>
    /** Members of an organization, oldest first. */
    readonly members: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<Member>, StorageError>
    /**
     * E-mail addresses of members. A partner may name any person the owner: the one of the owner of a
     * partner's client is among them only while a session of theirs is known that began since they became it.
     */
    readonly addresses: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<string>, StorageError>
    /** Makes an account a member, or gives it another role. The owner keeps theirs: then false. */
    readonly setMember: (membership: Membership, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /**
     * Gives a member another role and other terms. False, and nothing is written, if they are not as in `before`: gone,
     * the owner, or changed since.
     */
    readonly changeMember: (
      member: Omit<Membership, "createdAt"> & MemberTerms,
      before: MemberTerms & Pick<Membership, "role">,
      audit: AuditRecord
    ) => Effect.Effect<boolean, StorageError>
    /** Ends a membership. False if there is none, or for the owner. */
    readonly removeMember: (
      organizationId: OrganizationId,
      accountId: AccountId,
      audit: AuditRecord
    ) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/DirectoryStore") {}
