/** Letters as they are shown. Pure. */
import { toIso } from "../value/Calendar.ts"
import type { Mail } from "./Mail.ts"

/** What became of a letter. A sandbox keeps those that may not leave: `reason` says why. */
const mailJson = ({ organizationId: _, createdAt, completedAt, dueAt, ...mail }: Mail) => ({
  ...mail,
  nextAttemptAt: isoOrNull(dueAt),
  createdAt: toIso(createdAt),
  completedAt: isoOrNull(completedAt)
})

/** The letters about an invoice. */
export const lettersJson = (mails: ReadonlyArray<Mail>) => ({ letters: mails.map(mailJson) })

const isoOrNull = (at: number | null): string | null => (at === null ? null : toIso(at))
