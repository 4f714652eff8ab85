/** What a member is told of, for the population. */
import { newLink } from "@tolem/core/messenger/MessengerLink"
import { MessengerLinkStore } from "@tolem/core/messenger/MessengerLinkStore"
import { newLine } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import { Tiyn } from "@tolem/core/value/Money"
import { startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

/** The owner is told of payments in a chat with the bot, whose messages are read. */
export const told = Effect.gen(function* () {
  const key = { organizationId: "org_shop", accountId: "acc_owner", mode: "live", channel: "telegram" } as const
  const quiet = { from: 1_320, to: 480, days: [1, 2] }
  const line = newLine(
    key,
    { kinds: ["paid", "late"], minimum: Tiyn(100), quiet, language: "ru" },
    { position: 0, eventId: null },
    startAt
  )
  const full = { ...line, going: ["x"], lookedAt: startAt, notBefore: startAt, toldAt: startAt }
  yield* NoticeStore.use((store) => store.add(full, auditOf({ action: "notices.chosen", subject: "acc_owner" })))
  const link = newLink("acc_owner", "d".repeat(64), startAt)
  yield* MessengerLinkStore.use((store) => store.add({ ...link, status: "linked", chatId: "7" }))
  yield* MessengerLinkStore.use((store) => store.leaseReading(startAt, startAt))
})
