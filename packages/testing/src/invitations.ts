/** Invitations for tests. */
import type { Invitation } from "@tolem/core/invitation/Invitation"
import type { InvitationBounds } from "@tolem/core/invitation/InvitationSettings"
import { noTerms } from "@tolem/core/merchant/Merchant"
import { accountOf, freshId, startAt } from "./fixtures.ts"

/** Bounds of invitations that are met by none. */
export const invitationBounds: InvitationBounds = {
  maxPending: 100,
  perPeriod: 100,
  perPhone: 100,
  periodMs: 24 * 3_600_000
}

/** An invitation that waits for an answer, to a phone of its own. */
export const invitationOf = (members: Partial<Invitation> = {}): Invitation => {
  const createdAt = members.createdAt ?? startAt
  return {
    id: freshId("ivt"),
    organizationId: "org_shop",
    phone: accountOf().phone,
    role: "manager",
    ...noTerms,
    status: "pending",
    madeBy: null,
    createdAt,
    expiresAt: createdAt + 7 * 24 * 3_600_000,
    settledAt: null,
    ...members
  }
}
