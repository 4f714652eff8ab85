/** The words of invitations, the same set in each language. */

/** Of invitations. */
export interface InvitationsTexts {
  readonly invite: string
  readonly about: string
  readonly phone: string
  readonly send: string
  readonly made: string
  readonly tell: (phone: string) => string
  readonly copy: string
  readonly share: string
  readonly done: string
  readonly title: string
  readonly listed: string
  readonly until: (day: string) => string
  readonly statuses: Readonly<Record<"pending" | "accepted" | "declined" | "withdrawn" | "expired", string>>
  readonly withdraw: string
  readonly withdrawn: string
  readonly yours: string
  readonly yoursText: string
  readonly accept: string
  readonly decline: string
  readonly joined: (name: string) => string
}
