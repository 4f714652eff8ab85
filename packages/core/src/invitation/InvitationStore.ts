/** Port: where invitations are kept. Each verb is one atomic step. */
import { Context, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Membership, MemberTerms, Organization } from "../merchant/Merchant.ts"
import type { AccountId, InvitationId, OrganizationId } from "../value/Ids.ts"
import type { Invitation } from "./Invitation.ts"
import type { InvitationBounds } from "./InvitationSettings.ts"

/** The person is a member of the organization. Nothing was written. */
export class AlreadyMember extends refusal("AlreadyMember", "already_member") {}

/** As many invitations of the organization wait for an answer as may. Nothing was written. */
export class TooManyInvitations extends refusal("TooManyInvitations", "too_many_invitations") {}

/** The organization has made as many in the period as it may, or to this phone. Nothing was written. */
export class InvitationLimit extends refusal("InvitationLimit", "invitation_limit") {}

/** Whose: an organization's, or a person's, by the phone of their account. */
export type InvitationOwner = { readonly organizationId: OrganizationId } | { readonly accountId: AccountId }

/** An invitation, for the person who is invited. */
export interface OfferedInvitation {
  readonly invitation: Invitation
  readonly organization: Organization
}

/** Port: invitations. */
export class InvitationStore extends Context.Service<
  InvitationStore,
  {
    /**
     * Adds one at its `createdAt`, in place of the one of the organization that waits for the same phone, which is
     * withdrawn. The bounds are exact over all servers, however many are made at once.
     */
    readonly add: (
      invitation: Invitation,
      bounds: InvitationBounds,
      audit: AuditRecord
    ) => Effect.Effect<void, AlreadyMember | TooManyInvitations | InvitationLimit | StorageError>
    /** The invitation with this id, if it is theirs. */
    readonly find: (whose: InvitationOwner, id: InvitationId) => Effect.Effect<Option.Option<Invitation>, StorageError>
    /** Those of an organization, at most `limit`: what waits for an answer at `now`, then others; newest first. */
    readonly list: (
      organizationId: OrganizationId,
      now: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Invitation>, StorageError>
    /**
     * What waits at `now` for an answer of this person, newest first, at most `limit`. Organizations that are
     * archived, whose owners are blocked, or that they are members of are left out.
     */
    readonly offered: (
      accountId: AccountId,
      now: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OfferedInvitation>, StorageError>
    /** Writes how one ends, with its record. False, and nothing is written, if it has ended before. */
    readonly settle: (invitation: Invitation, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** The same of one that is accepted, with the membership that comes of it. */
    readonly accept: (
      invitation: Invitation,
      membership: Membership & MemberTerms,
      audits: ReadonlyArray<AuditRecord>
    ) => Effect.Effect<boolean, AlreadyMember | StorageError>
    /** Forgets those that had expired before an instant, at most `limit`; answers how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@tolem/core/InvitationStore") {}
