/** Verbs of notices and chats, called with fixed values. */
import { beginning } from "@tolem/core/feed/Cursor"
import { newLink } from "@tolem/core/messenger/MessengerLink"
import { MessengerLinkStore } from "@tolem/core/messenger/MessengerLinkStore"
import { type NoticeKey, type NoticeWish, newLine } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import { startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const key: NoticeKey = { organizationId: "org_shop", accountId: "acc_owner", mode: "live", channel: "telegram" }
const wish: NoticeWish = { kinds: ["paid"], minimum: null, quiet: null, language: "ru" }
const line = newLine(key, wish, beginning, startAt)

export const notices = Effect.map(NoticeStore, (store) => ({
  "choose notices": store.add(line, auditOf()),
  "find notices": store.find(key),
  "list notices": store.list(key),
  "claim of notices of a tenant": store.claim(startAt - 1, startAt, 5, { tenants: [key], each: 2 }),
  "waiting for notices": store.waiting(startAt, ""),
  "claim of notices": store.claim(startAt, startAt + 1, 5),
  "replace notices": store.replace({ ...line, version: 2 }),
  "choose other notices": store.replace({ ...line, version: 3 }, auditOf()),
  "end notices": store.remove(key, auditOf())
}))

const link = newLink("acc_owner", "d".repeat(64), startAt)

export const chats = Effect.map(MessengerLinkStore, (store) => ({
  "ask for a chat": store.add(link),
  "find a chat": store.find("acc_owner"),
  "find a chat by its code": store.findByCode(link.codeDigest ?? ""),
  "begin a chat": store.replace({ ...link, status: "linked", chatId: "7", version: 2 }, auditOf()),
  "ask for another chat": store.replace({ ...link, status: "linked", chatId: "7", version: 3 }),
  "accounts of a chat": store.ofChat("7"),
  "take a place of a chat": store.take("acc_owner", startAt, startAt + 1),
  "hold a chat": store.hold("acc_owner", startAt + 2),
  "leave a chat": store.remove("acc_owner", auditOf()),
  "lease the reading": store.leaseReading(startAt, startAt + 1),
  "note the reading": store.noteReading({ offset: 0, dueAt: startAt + 1 }, 5, startAt)
}))
