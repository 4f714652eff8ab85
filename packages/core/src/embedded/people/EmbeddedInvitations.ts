/** Invitations to organizations, as promises; see `createEngine`. */
import type { Engine } from "../../engine/Engine.ts"
import { invitationJson, invitationsJson, offeredJson } from "../../invitation/InvitationJson.ts"
import { membershipJson } from "../../merchant/KeyJson.ts"
import type { GivenRole } from "../../merchant/Merchant.ts"
import type { AccountId, ConnectionId, InvitationId, OrganizationId } from "../../value/Ids.ts"
import { faceOf, nothing, type RunPromise } from "../Faces.ts"

type InvitationObject = ReturnType<typeof invitationJson>

/** The phone to ask, and what the person is to be. */
export interface InvitationRequest {
  /** 7XXXXXXXXXX. */
  readonly phone: string
  readonly role: GivenRole
  /** Cashiers that they will be given. */
  readonly connectionIds?: ReadonlyArray<ConnectionId>
  /** Up to which sum, in tenge, they may give back; null: nothing. */
  readonly refundLimit?: number | null
}

/** Invitations of phones to organizations. Nothing is sent: people see theirs when they have logged in. */
export interface EmbeddedInvitations {
  /**
   * Asks a phone to become a member, in place of what was asked of it before. A member is refused with
   * `already_member`; whether others have an account shows in nothing.
   */
  readonly create: (organizationId: OrganizationId, wanted: InvitationRequest) => Promise<InvitationObject>
  /** Those of an organization: first what waits for an answer, then what has ended; newest first, 50 at most. */
  readonly list: (organizationId: OrganizationId) => Promise<{ readonly invitations: ReadonlyArray<InvitationObject> }>
  /** Takes one back that waits for an answer. */
  readonly withdraw: (organizationId: OrganizationId, id: InvitationId) => Promise<void>
  /** What waits for an answer of this person, by the phone of their account. */
  readonly offered: (accountId: AccountId) => Promise<ReturnType<typeof offeredJson>>
  /** Makes the person a member, as the invitation says, without the cashiers who are gone since. */
  readonly accept: (accountId: AccountId, id: InvitationId) => Promise<ReturnType<typeof membershipJson>>
  /** Says no for the person. */
  readonly decline: (accountId: AccountId, id: InvitationId) => Promise<void>
}

/** Invitations, as promises. */
export const invitationsOf = ({ invitations }: Engine["Service"], run: RunPromise): EmbeddedInvitations => {
  const verbs = {
    ...invitations,
    create: (organizationId: OrganizationId, wanted: InvitationRequest) =>
      invitations.create(organizationId, { ...wanted })
  }
  return faceOf<EmbeddedInvitations>()(run)(verbs, {
    create: invitationJson,
    list: invitationsJson,
    withdraw: nothing,
    offered: offeredJson,
    accept: membershipJson,
    decline: nothing
  })
}
