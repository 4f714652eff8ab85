/** Invitations as they are shown. Pure. */
import { toIso } from "../value/Calendar.ts"
import { toTenge } from "../value/Money.ts"
import { type Invitation, statusAt } from "./Invitation.ts"
import type { OfferedInvitation } from "./InvitationStore.ts"

/** An invitation, for those who may see the members. */
export const invitationJson = (invitation: Invitation, at: number) => {
  const { id, phone, role, connectionIds, refundLimit, createdAt, expiresAt, settledAt } = invitation
  return {
    id,
    phone,
    role,
    connectionIds,
    refundLimit: refundLimit === null ? null : toTenge(refundLimit),
    status: statusAt(invitation, at),
    createdAt: toIso(createdAt),
    expiresAt: toIso(expiresAt),
    settledAt: settledAt === null ? null : toIso(settledAt)
  }
}

/** Invitations of an organization. */
export const invitationsJson = (all: ReadonlyArray<Invitation>, at: number) => ({
  invitations: all.map((each) => invitationJson(each, at))
})

/** What waits for an answer of a person: which organization, as what, until when. */
export const offeredJson = (all: ReadonlyArray<OfferedInvitation>) => ({
  invitations: all.map(({ invitation: { id, role, createdAt, expiresAt }, organization }) => ({
    id,
    organization: { id: organization.id, name: organization.name },
    role,
    createdAt: toIso(createdAt),
    expiresAt: toIso(expiresAt)
  }))
})
