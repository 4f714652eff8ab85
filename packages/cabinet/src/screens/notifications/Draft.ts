/** What is chosen of a channel, as a form has it. Pure. */
import { amountOf, amountText } from "../../parts/AmountText.ts"
import type { NoticeKindName } from "../../texts/NotificationsTexts.ts"
import type { NoticeLine } from "./Notices.ts"

/** The form. */
export interface WishDraft {
  readonly kinds: ReadonlyArray<NoticeKindName>
  readonly minimum: string
  readonly isQuiet: boolean
  readonly from: string
  readonly to: string
  /** 1 is Monday. */
  readonly days: ReadonlyArray<number>
  readonly language: NoticeLine["language"]
}

/** The days of a week. */
export const weekdays = [1, 2, 3, 4, 5, 6, 7]

const night = { from: "22:00", to: "08:00", days: weekdays }

/** What the form begins with: what is kept, or nothing in the person's own language. */
export const wishDraftOf = (
  line: NoticeLine | null,
  seen: ReadonlyArray<NoticeKindName>,
  language: WishDraft["language"]
): WishDraft => ({
  kinds: seen.filter((kind) => line?.kinds.includes(kind)),
  minimum: line === null || line.minimum === null || line.minimum === 0 ? "" : amountText(String(line.minimum)),
  isQuiet: line !== null && line.quiet !== null,
  ...(line?.quiet ?? night),
  language: line?.language ?? language
})

/** Whether payments are told, of which there may be a smallest one; late money is told whatever the sum. */
export const tellsPayments = ({ kinds }: WishDraft): boolean => kinds.includes("paid")

/** Whether two say the same. */
export const isSame = (one: WishDraft, other: WishDraft): boolean =>
  (Object.keys(one) as ReadonlyArray<keyof WishDraft>).every((name) => String(one[name]) === String(other[name]))

/** The first field that is wrong, by its name; null: none is. Quiet hours of nothing are not looked at. */
export const wishFaultOf = (draft: WishDraft): "minimum" | "from" | "days" | null => {
  const { kinds, minimum, isQuiet, from, to, days } = draft
  if (kinds.length === 0) return null
  if (tellsPayments(draft) && minimum.trim() !== "" && amountOf(minimum) === null) return "minimum"
  if (!isQuiet) return null
  if (from === "" || to === "" || from === to) return "from"
  return days.length === 0 ? "days" : null
}

/** What the server is asked to keep. */
export const wishOf = (draft: WishDraft) => {
  const { kinds, minimum, isQuiet, from, to, days, language } = draft
  const isKept = kinds.length > 0
  return {
    kinds,
    minimum: isKept && tellsPayments(draft) ? amountOf(minimum) : null,
    quiet: isKept && isQuiet ? { from, to, days } : null,
    language
  }
}

/** A list with a thing in it or not, in the order of the whole. */
export const toggled = <T>(whole: ReadonlyArray<T>, among: ReadonlyArray<T>, thing: T, isIn: boolean) =>
  whole.filter((each) => (each === thing ? isIn : among.includes(each)))
