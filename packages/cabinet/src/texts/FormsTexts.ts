/** The words of form hooks. The same set in each language. */

/** The words of both screens. */
export interface FormsTexts {
  readonly title: string
  readonly text: string
  readonly create: string
  readonly none: string
  readonly noneText: string
  readonly back: string
  readonly active: string
  readonly paused: string
  readonly name: string
  readonly nameWrong: string
  readonly sites: string
  readonly sitesHint: string
  readonly honeypot: string
  readonly honeypotHint: string
  readonly successUrl: string
  readonly failUrl: string
  readonly urlHint: string
  readonly change: string
  readonly pause: string
  readonly resume: string
  readonly pausedNow: string
  readonly resumedNow: string
  readonly remove: string
  readonly removeText: string
  readonly removed: string
  readonly saved: string
  readonly made: string
  readonly address: string
  readonly copy: string
  readonly snippet: string
  readonly snippetText: string
  readonly fields: Readonly<Record<FormFieldName, string>>
  readonly pay: string
  readonly trial: string
  readonly trialText: string
  readonly send: string
  readonly accepted: string
  readonly refused: string
  readonly refusals: string
  readonly refusalsText: string
  readonly refusalsNone: string
  readonly all: string
  readonly caught: string
  readonly reasonOf: Readonly<Record<string, string>>
  readonly sent: (names: string) => string
  readonly from: (site: string) => string
  readonly noFields: string
  readonly newest: string
}

/** A field of a form. */
export type FormFieldName = "amount" | "name" | "phone" | "email" | "comment"
