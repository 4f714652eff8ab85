/**
 * A member's wish to have the statement of each month by letter, as a row that falls due at the beginning of the next
 * month. Pure.
 */
import type { HandOver } from "../../mail/Mailer.ts"
import type { Role } from "../../merchant/Merchant.ts"
import { dayOf, endOfDay, startOfDay } from "../../value/Calendar.ts"
import type { AccountId, OrganizationId } from "../../value/Ids.ts"
import type { Period } from "../Periods.ts"

/** Why the letter of a month was not sent, or may not have been. Whatever else stands there is of the mail server. */
export const letterReasons = {
  noAddress: "the member has no e-mail address",
  nothingMoved: "no money has moved in the month",
  serverEnded: "the server ended while handing it over"
} as const

/** The wish of a member. Instants are epoch milliseconds, months of Almaty as `YYYY-MM`. */
export interface StatementLetter {
  readonly organizationId: OrganizationId
  readonly accountId: AccountId
  /** Of which the next letter is. */
  readonly month: string
  /** `sending`: it is being handed over; found so after its lease, it may have gone, and is not handed over again. */
  readonly status: "waiting" | "sending"
  readonly dueAt: number
  /** How often the letter of the month was handed over, or was about to be. */
  readonly tries: number
  /** Of which the last letter was that has gone. */
  readonly sentMonth: string | null
  /** Why the last one has not; null: it has. */
  readonly reason: string | null
  readonly createdAt: number
  /** Grows by one with every change; guards every write. */
  readonly version: number
}

/** The roles that money is told to in all. */
export const letterRoles: ReadonlyArray<Role> = ["owner", "accountant"]

/** After the month's end: what was paid in its last minutes may be heard of a little later. */
const restMs = 4 * 3_600_000

const monthOf = (at: number): string => dayOf(at).slice(0, 7)

const firstOf = (month: string): string => `${month}-01`

// The last day of a month may be any from the 28th on; four days later it is the next one in any case.
const monthAfter = (month: string): string => monthOf(startOfDay(`${month}-28`) + 4 * 86_400_000)

/** The month before the one of an instant. */
const monthBefore = (at: number): string => monthOf(startOfDay(firstOf(monthOf(at))) - 1)

/** The days of a month. */
export const daysOfMonth = (month: string): Period => ({
  from: firstOf(month),
  to: dayOf(startOfDay(firstOf(monthAfter(month))) - 1)
})

/** The instants of a month, both included. */
export const timeOfMonth = (month: string): { readonly from: number; readonly to: number } => {
  const { from, to } = daysOfMonth(month)
  return { from: startOfDay(from), to: endOfDay(to) }
}

const dueOf = (month: string): number => startOfDay(firstOf(monthAfter(month))) + restMs

/** A wish from now on: the first letter is of this month. */
export const newStatementLetter = (
  of: Pick<StatementLetter, "organizationId" | "accountId">,
  now: number
): StatementLetter => {
  const month = monthOf(now)
  const row = { month, status: "waiting", dueAt: dueOf(month), tries: 0, sentMonth: null, reason: null } as const
  return { ...of, ...row, createdAt: now, version: 1 }
}

/** The row whose letter is about to be handed over: of the last month, if servers were away for longer. */
export const begun = (row: StatementLetter, now: number): StatementLetter => {
  const month = [row.month, monthBefore(now)].toSorted().at(-1) ?? row.month
  const tries = month === row.month ? row.tries + 1 : 1
  return { ...row, month, status: "sending", tries, version: row.version + 1 }
}

/** The row once nothing more becomes of its month: it waits for the next one. `reason`: null if the letter has gone. */
export const passedOn = (row: StatementLetter, reason: string | null, now: number): StatementLetter => {
  const last = [row.month, monthBefore(now)].toSorted().at(-1) ?? row.month
  const month = monthAfter(last)
  const sentMonth = reason === null ? row.month : row.sentMonth
  const next = { month, status: "waiting", dueAt: dueOf(month), tries: 0, sentMonth, reason } as const
  return { ...row, ...next, version: row.version + 1 }
}

/** What becomes of a letter that was handed over. */
export const answered = (
  row: StatementLetter,
  outcome: HandOver,
  { now, retryWaitsMs }: { readonly now: number; readonly retryWaitsMs: ReadonlyArray<number> }
): StatementLetter => {
  if (outcome._tag === "Taken") return passedOn(row, null, now)
  const waitMs = outcome._tag === "Rejected" && outcome.retryable ? retryWaitsMs[row.tries - 1] : undefined
  if (waitMs === undefined) return passedOn(row, outcome.reason, now)
  return { ...row, status: "waiting", dueAt: now + waitMs, reason: outcome.reason, version: row.version + 1 }
}
