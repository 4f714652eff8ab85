/** The words of the console in English. */
import { englishPlatform } from "./EnglishPlatform.ts"
import type { OperatorTexts } from "./OperatorTexts.ts"

/** The texts of the console in English. */
export const englishOperator: OperatorTexts = {
  platform: englishPlatform,
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
  },
  merchants: {
    title: "Organizations",
    text: "All organizations, newest first. Nothing of their customers is shown here.",
    hint: "The beginning of a name, an id, a BIN, or the owner's phone",
    active: "active",
    archived: "archived",
    owner: "Owner",
    tariff: "Tariff",
    endless: "without end",
    used: "Live invoices today / this month",
    counts: "Members / keys / cashiers",
    grant: "Grant a tariff",
    grantText: "Free of charge. The same tariff is prolonged.",
    months: "Months (empty: without end)",
    archive: "Archive",
    archiveText: "Its keys are refused from now on, and its people do not get in.",
    restore: "Restore",
    restoreText: "Its keys work again, and its people get in again."
  },
  looks: {
    title: "Invoices",
    one: "Look at an invoice",
    text: "What customers owe is the merchant's. Say why you have to see it: the owner reads that in their journal.",
    invoice: "Id of the invoice",
    reason: "Reason",
    reasonHint: "At least 10 characters",
    look: "Look",
    amount: "Amount",
    description: "Description",
    customer: "Customer",
    made: "Made"
  }
}
