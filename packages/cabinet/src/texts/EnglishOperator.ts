/** The words of the console in English. */
import type { OperatorTexts } from "./OperatorTexts.ts"

/** The texts of the console in English. */
export const englishOperator: OperatorTexts = {
  title: "Console of the platform",
  mark: "Console of the platform",
  markText: "What you do here concerns merchants other than yours, and is written down.",
  leave: "Back to the cabinet",
  search: "Find",
  more: "Show more",
  isCut: "More was found than is shown. Type more of it.",
  none: "Nothing found",
  noneText: "Look for the beginning of something else.",
  people: {
    title: "People",
    text: "Everyone with an account, newest first.",
    hint: "The beginning of a phone, a name or an id",
    unnamed: "Without a name",
    active: "active",
    blocked: "blocked",
    since: (day) => `since ${day}`,
    sessions: (count) => `Live sessions: ${count}`,
    isOperator: "runs the platform",
    organizations: "Organizations",
    noOrganizations: "They are a member of none.",
    block: "Block",
    blockText: "Their sessions end at once, and the keys of organizations that they own are refused.",
    unblock: "Unblock",
    unblockText: "They may log in again, and the keys of their organizations work again.",
    endSessions: "End sessions",
    endSessionsText: "They have to log in again, on every device.",
    ended: (count) => `Sessions ended: ${count}`,
    done: "Done"
  }
}
