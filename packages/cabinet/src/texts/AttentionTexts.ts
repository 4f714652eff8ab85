/** The words of what needs attention, the same set in each language. */

/** A kind of it, as the server names it. */
export type AttentionKindName =
  | "cashier_session_lost"
  | "tariff_ended"
  | "quota_used_up"
  | "refund_unknown"
  | "subscription_stuck"
  | "endpoint_paused"
  | "delivery_given_up"
  | "late_money"
  | "quota_low"

/** Of the card. */
export interface AttentionTexts {
  readonly title: string
  /** How grave it is, for those who do not see the colour. */
  readonly severities: Readonly<Record<"error" | "warning", string>>
  /** What is so. */
  readonly kinds: Readonly<Record<AttentionKindName, string>>
  /** What a person can do about it. */
  readonly advice: Readonly<Record<AttentionKindName, string>>
  readonly until: (when: string) => string
  readonly periods: Readonly<Record<"month" | "day", string>>
  readonly others: (count: string) => string
}
