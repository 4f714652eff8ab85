/** The words of letters about an invoice, the same set in each language. */

/** Of the letters. */
export interface LettersTexts {
  readonly title: string
  readonly about: string
  readonly kinds: Readonly<Record<"invoice" | "receipt", string>>
  readonly to: (recipient: string) => string
  readonly again: string
  readonly resent: string
  readonly statuses: Readonly<Record<"pending" | "sending" | "sent" | "failed" | "unknown" | "kept", string>>
}
