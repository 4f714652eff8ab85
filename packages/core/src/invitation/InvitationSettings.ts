/** Phones that organizations ask to become members. Durations are milliseconds. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, hours, shareOf } from "../value/CommonSettings.ts"

/** How many invitations there may be of an organization. */
export interface InvitationBounds {
  /** That wait for an answer at a moment. */
  readonly maxPending: number
  /** That are made in a period: an organization that was opened to bother strangers reaches no more phones. */
  readonly perPeriod: number
  /** The same, to one phone: a person who has declined is not asked again and again. */
  readonly perPhone: number
  readonly periodMs: number
}

/** The settings of invitations. */
export interface InvitationSettings extends CommonSettings {
  readonly invitations: InvitationBounds & {
    /** How long a person may take to answer. */
    readonly openMs: number
  }
}

/** Their defaults. */
export const invitationDefaults: InvitationSettings = {
  ...commonDefaults,
  invitations: {
    maxPending: 20,
    perPeriod: 30,
    perPhone: 3,
    periodMs: 24 * hours,
    openMs: 7 * 24 * hours
  }
}

/** Those in force. */
export const InvitationSettings: Effect.Effect<InvitationSettings> = shareOf(invitationDefaults)
