/** A member's wishes as they are shown. Pure. */
import type { ChatInvitation } from "../messenger/MessengerLinks.ts"
import { toIso } from "../value/Calendar.ts"
import { toTenge } from "../value/Money.ts"
import type { NoticeChannel } from "./NoticeKinds.ts"
import type { NoticeLine } from "./NoticeLine.ts"
import type { NoticeView } from "./Notices.ts"

const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":")

const isoOrNull = (at: number | null) => (at === null ? null : toIso(at))

const lineJson = ({ kinds, minimum, quiet, language, status, toldAt, reason, gathered }: NoticeLine) => ({
  kinds,
  minimum: minimum === null ? null : toTenge(minimum),
  quiet: quiet === null ? null : { from: timeOf(quiet.from), to: timeOf(quiet.to), days: quiet.days },
  language,
  isGivenUp: status === "given_up",
  toldAt: isoOrNull(toldAt),
  reason,
  waiting: gathered.paid.count + gathered.late.count + gathered.troubles.length
})

/** The wishes by channel, null where there are none, and the ways to the member. */
export const noticesJson = ({ lines, email, hasLetters, chat: { isOffered, row } }: NoticeView) => {
  const of = (channel: NoticeChannel) => {
    const line = lines.find((each) => each.channel === channel)
    return line === undefined ? null : lineJson(line)
  }
  return {
    letter: of("letter"),
    telegram: of("telegram"),
    email,
    hasLetters,
    chat: {
      isOffered,
      isLinked: row?.status === "linked",
      end: row?.status === "ended" ? row.reason : null
    }
  }
}

/** What begins a chat. */
export const chatInvitationJson = ({ url, command, until }: ChatInvitation) => ({ url, command, until: toIso(until) })
