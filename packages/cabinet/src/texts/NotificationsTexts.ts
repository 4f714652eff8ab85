/** The words of what a person is told of. The same set in each language. */

/** What may be told. */
export type NoticeKindName =
  | "paid"
  | "late"
  | "cashiers"
  | "webhooks"
  | "refunds"
  | "subscriptions"
  | "tariff"
  | "reconciliation"

interface NoticeKindTexts {
  readonly name: string
  readonly hint: string
}

/** The words of the screen. */
export interface NotificationsTexts {
  readonly title: string
  readonly about: (organization: string, mode: "sandbox" | "live") => string
  readonly letters: string
  readonly lettersTo: (email: string) => string
  readonly noEmail: string
  readonly toProfile: string
  readonly noLetters: string
  readonly telegram: string
  readonly telegramText: string
  readonly link: string
  readonly linkText: string
  readonly linked: string
  readonly isLinked: string
  readonly open: string
  readonly command: string
  readonly until: (time: string) => string
  readonly waits: string
  readonly over: string
  readonly again: string
  readonly end: string
  readonly endTitle: string
  readonly endText: string
  readonly ended: string
  readonly ends: Readonly<Record<"blocked" | "stopped", string>>
  readonly kinds: string
  readonly kind: Readonly<Record<NoticeKindName, NoticeKindTexts>>
  readonly minimum: string
  readonly minimumHint: string
  readonly minimumWrong: string
  readonly quiet: string
  readonly quietHint: string
  readonly from: string
  readonly to: string
  readonly timesWrong: string
  readonly days: string
  readonly daysWrong: string
  /** From Monday on: as they are shown, and as they are read out. */
  readonly weekdays: ReadonlyArray<readonly [short: string, whole: string]>
  readonly language: string
  readonly save: string
  readonly saved: string
  readonly savedNone: string
  readonly discard: string
  readonly test: string
  readonly tested: string
  readonly testedText: string
  readonly nothing: string
  readonly told: (ago: string) => string
  readonly notYet: string
  readonly waiting: (count: number) => string
  readonly givenUp: string
  /** The last message was not taken, or may not have been; the next one is near. */
  readonly trouble: string
  readonly reason: (reason: string) => string
  readonly serverEnded: string
}
