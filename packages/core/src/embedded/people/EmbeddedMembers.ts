/** Members of organizations, as promises; see `createEngine`. */
import { teamMemberJson } from "../../cabinet/DeskJson.ts"
import type { Engine } from "../../engine/Engine.ts"
import type { Member, MembershipView } from "../../merchant/DirectoryStore.ts"
import { memberJson } from "../../merchant/KeyJson.ts"
import type { MemberRequest } from "../../merchant/Members.ts"
import type { GivenRole } from "../../merchant/Merchant.ts"
import type { AccountId, ConnectionId, OrganizationId } from "../../value/Ids.ts"
import { faceOf, type RunPromise, same } from "../Faces.ts"

type MemberObject = ReturnType<typeof memberJson>

/** What a member may do. */
export interface MemberTermsRequest {
  readonly role?: GivenRole
  /** Cashiers that are given to them. */
  readonly connectionIds?: ReadonlyArray<ConnectionId>
  /** Up to which sum, in tenge, they may give back; null: nothing. */
  readonly refundLimit?: number | null
}

/** Members of organizations. */
export interface EmbeddedMembers {
  /** Oldest first. */
  readonly list: (organizationId: OrganizationId) => Promise<{ readonly members: ReadonlyArray<MemberObject> }>
  /**
   * Makes the person with this phone a member, or gives them another role; the owner keeps theirs. With `email` it
   * notes their address, for the operator to vouch for; null takes it away.
   */
  readonly add: (organizationId: OrganizationId, wanted: MemberRequest) => Promise<MemberObject>
  /** Gives a member another role, other cashiers, or another limit of refunds; what is not named stays. */
  readonly change: (
    organizationId: OrganizationId,
    accountId: AccountId,
    terms: MemberTermsRequest
  ) => Promise<ReturnType<typeof teamMemberJson>>
  /** Ends a membership. False if there is none, or for the owner. */
  readonly remove: (organizationId: OrganizationId, phone: string) => Promise<boolean>
  /**
   * Lets a member act for an organization that is in force; answers their role. Others are refused alike, whether or
   * not it exists.
   */
  readonly enter: (accountId: AccountId, organizationId: OrganizationId) => Promise<Pick<MembershipView, "role">>
}

/** Members of organizations, as promises. */
export const membersOf = ({ members, team }: Engine["Service"], run: RunPromise): EmbeddedMembers => {
  const verbs = {
    ...members,
    change: (organizationId: OrganizationId, accountId: AccountId, terms: MemberTermsRequest) =>
      team.change({ organization: { id: organizationId } }, accountId, { ...terms })
  }
  return faceOf<EmbeddedMembers>()(run)(verbs, {
    list: (all: ReadonlyArray<Member>) => ({ members: all.map(memberJson) }),
    enter: ({ role }: MembershipView) => ({ role }),
    add: memberJson,
    change: teamMemberJson,
    remove: same
  })
}
