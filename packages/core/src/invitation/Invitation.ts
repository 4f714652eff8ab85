/** Invitations: a phone is asked to become a member of an organization. Pure. */
import { Result, Schema } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { GivenTerms } from "../merchant/TermRequests.ts"
import type { AccountId, InvitationId, OrganizationId } from "../value/Ids.ts"

/** Where an invitation stands. */
export const InvitationStatus = Schema.Literals(["pending", "accepted", "declined", "withdrawn", "expired"])
/** See the schema of the same name. */
export type InvitationStatus = typeof InvitationStatus.Type

/** How an invitation ends by what people do. */
export type InvitationEnd = "accepted" | "declined" | "withdrawn"

/** An invitation. What it offers never changes: another offer is another one. Instants are epoch milliseconds. */
export interface Invitation extends GivenTerms {
  readonly id: InvitationId
  readonly organizationId: OrganizationId
  /** 7XXXXXXXXXX. Whether there is an account with it is not known, and not told. */
  readonly phone: string
  /** As it is stored: one without an answer stays `pending`, see `statusAt`. */
  readonly status: "pending" | InvitationEnd
  /** The person who has made it in the cabinet; null: made another way. */
  readonly madeBy: AccountId | null
  readonly createdAt: number
  /** From then on it cannot be accepted. */
  readonly expiresAt: number
  readonly settledAt: number | null
}

/** It was answered otherwise, withdrawn, or has expired. Nothing was changed. */
export class InvitationClosed extends refusal("InvitationClosed", "invitation_closed") {}

/** Where it stands at an instant. */
export const statusAt = ({ status, expiresAt }: Invitation, now: number): InvitationStatus =>
  status === "pending" && expiresAt <= now ? "expired" : status

/** The invitation as it ends; itself if it has ended so before. */
export const settle = (
  invitation: Invitation,
  status: InvitationEnd,
  now: number
): Result.Result<Invitation, InvitationClosed> => {
  if (invitation.status === status) return Result.succeed(invitation)
  return statusAt(invitation, now) === "pending"
    ? Result.succeed({ ...invitation, status, settledAt: now })
    : Result.fail(new InvitationClosed())
}
