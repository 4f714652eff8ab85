/** The words of notices: channels, kinds of news, languages. */

/** How members are told. */
export const noticeChannels = ["letter", "telegram"] as const
/** See the list. */
export type NoticeChannel = (typeof noticeChannels)[number]

/** What members may be told of. */
export const noticeKinds = [
  "paid",
  "late",
  "cashiers",
  "webhooks",
  "refunds",
  "subscriptions",
  "tariff",
  "reconciliation"
] as const
/** See the list. */
export type NoticeKind = (typeof noticeKinds)[number]

/** The languages of messages. */
export const noticeLanguages = ["kk", "ru", "en"] as const
/** See the list. */
export type NoticeLanguage = (typeof noticeLanguages)[number]

/** Whether a member wishes to be told of payments. */
export const wishesPayments = (kinds: ReadonlyArray<NoticeKind>): boolean =>
  kinds.includes("paid") || kinds.includes("late")

/** Whether a member wishes to be told of any trouble. */
export const wishesTroubles = (kinds: ReadonlyArray<NoticeKind>): boolean =>
  kinds.some((kind) => kind !== "paid" && kind !== "late")
