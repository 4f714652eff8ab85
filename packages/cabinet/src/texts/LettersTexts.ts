/** The words of letters about an invoice, the same set in each language. */

import type { MailReason } from "@tolem/core/mail/MailReasons"

/** Of the letters. */
export interface LettersTexts {
  readonly title: string
  readonly about: string
  readonly kinds: Readonly<Record<"invoice" | "receipt", string>>
  readonly to: (recipient: string) => string
  readonly again: string
  readonly resent: string
  /** Why one was not sent, or may not have been. */
  readonly reasons: Readonly<Record<MailReason, string>>
  /** The same in the words of the mail server. */
  readonly serverSaid: (words: string) => string
  readonly statuses: Readonly<Record<"pending" | "sending" | "sent" | "failed" | "unknown" | "kept", string>>
}
