/** The words of subscriptions. The same set in each language. */

/** How a subscription stands. */
export type SubscriptionState = "active" | "paused" | "cancelled" | "finished"

/** What keeps a run from being made, as far as there is advice about it. */
export type StuckReason = "live" | "cashier" | "session" | "quota" | "provider" | "sandbox" | "other"

/** Fields of the dialog. */
export type SubscriptionField =
  | "amount"
  | "description"
  | "name"
  | "phone"
  | "email"
  | "every"
  | "dayOfMonth"
  | "startAt"
  | "nextRunAt"
  | "maxRuns"
  | "retry"

/** When a schedule falls due, in parts. */
export interface ScheduleParts {
  readonly interval: "day" | "week" | "month"
  readonly every: number
  /** Of the month. */
  readonly day: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** `HH:MM` in Almaty. */
  readonly time: string
}

/** The words of the screens. */
export interface SubscriptionsTexts {
  readonly title: string
  readonly text: string
  readonly create: string
  readonly none: string
  readonly noneText: string
  readonly noMatch: string
  readonly noMatchText: string
  readonly back: string
  readonly nameless: string
  readonly states: Readonly<Record<SubscriptionState, string>>
  readonly stuck: string
  readonly views: Readonly<Record<"view" | "list" | "calendar", string>>
  readonly filter: Readonly<Record<"name" | "search" | "status" | "all" | "stuck" | "reset", string>>
  readonly older: string
  readonly sums: Readonly<Record<"title" | "active" | "monthly" | "soon" | "stuck", string>>
  readonly soon: (runs: string, sum: string) => string
  readonly schedule: (parts: ScheduleParts) => string
  readonly next: (when: string) => string
  readonly calendar: Readonly<
    Record<"title" | "text" | "before" | "after" | "none" | "noneOfDay" | "more" | "looking", string>
  >
  readonly month: (year: string, month: number) => string
  readonly weekdays: readonly [string, string, string, string, string, string, string]
  readonly invoices: (count: string) => string
  readonly facts: Readonly<
    Record<
      | "title"
      | "amount"
      | "schedule"
      | "customer"
      | "kind"
      | "qr"
      | "push"
      | "made"
      | "retry"
      | "cashier"
      | "defaultCashier"
      | "upcoming"
      | "noUpcoming",
      string
    >
  >
  readonly madeOf: (runs: string, most: string | null) => string
  readonly retryAfter: (hours: string) => string
  readonly history: Readonly<Record<"title" | "none" | "outOfSchedule" | "older" | "caption", string>>
  readonly run: (number: string) => string
  readonly tryOf: (number: string, of: string) => string
  readonly againAt: (when: string) => string
  readonly offeredAt: (when: string) => string
  readonly stuckTitle: string
  readonly stuckSince: (since: string, tries: string, next: string | null) => string
  readonly toDo: Readonly<Record<StuckReason, string>>
  readonly change: string
  readonly pause: string
  readonly resume: string
  readonly runNow: string
  readonly cancel: string
  readonly cancelText: string
  readonly paused: string
  readonly resumed: string
  readonly ran: string
  readonly cancelled: string
  readonly made: string
  readonly saved: string
  readonly fields: Readonly<Record<SubscriptionField | "kind" | "interval" | "misfire" | "cashier", string>>
  readonly hints: Readonly<Partial<Record<SubscriptionField, string>>>
  readonly intervals: Readonly<Record<"day" | "week" | "month", string>>
  /** What becomes of dates that were missed. */
  readonly misfires: Readonly<Record<"run_once" | "skip", string>>
  readonly metadata: Readonly<Record<"title" | "text" | "add" | "nameless" | "twice" | "tooMuch", string>> &
    Readonly<Record<"name" | "value" | "remove", (number: number) => string>>
  readonly more: string
  readonly preview: string
  readonly previewNone: string
  readonly amountWrong: string
  readonly whole: string
}
