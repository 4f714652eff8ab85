/** The ways to members: where the messages of a line go, and who takes them there. */
import { Clock, Effect, Option } from "effect"
import { type HandOver, Mailer } from "../mail/Mailer.ts"
import type { Account } from "../merchant/Merchant.ts"
import { Messenger, type SendOutcome } from "../messenger/Messenger.ts"
import { MessengerLinkStore } from "../messenger/MessengerLinkStore.ts"
import { MessengerLinks } from "../messenger/MessengerLinks.ts"
import { type MessageFacts, messageLetter, messageText } from "./message/NoticeText.ts"
import type { NoticeChannel } from "./NoticeKinds.ts"

/** A way that is open. */
export interface NoticeWay {
  /** Takes a place where the number of messages is bounded; false: there is none for about a second. */
  readonly take: (now: number) => Effect.Effect<boolean, unknown>
  /** Hands a message over; never fails. `id` is the same at every try. */
  readonly send: (id: string, facts: MessageFacts) => Effect.Effect<HandOver | SendOutcome, unknown>
}

/** A chat takes a message a second. */
const chatPaceMs = 1_100

/** The ways that this server has; null: it has none. */
export const make = Effect.gen(function* () {
  const chats = yield* MessengerLinkStore
  const links = yield* MessengerLinks
  const mailer = Option.getOrNull(yield* Effect.serviceOption(Mailer))
  const messenger = Option.getOrNull(yield* Effect.serviceOption(Messenger))

  const byLetter = (account: Account): NoticeWay | null => {
    const { email } = account
    if (mailer === null || email === null) return null
    return {
      take: () => Effect.succeed(true),
      send: (id, facts) => mailer.send(messageLetter(facts, { id, to: email }))
    }
  }

  const byChat = Effect.fnUntraced(function* ({ id: accountId }: Account) {
    const row = messenger === null ? null : Option.getOrNull(yield* chats.find(accountId))
    if (messenger === null || row === null || row.chatId === null) return null
    const { chatId } = row
    const send = Effect.fnUntraced(function* (facts: MessageFacts) {
      const outcome = yield* messenger.send(chatId, messageText(facts))
      if (outcome._tag === "Blocked") yield* links.blocked(row)
      if (outcome._tag === "Later") {
        yield* chats.hold(accountId, (yield* Clock.currentTimeMillis) + outcome.waitMs)
      }
      return outcome
    })
    const way: NoticeWay = {
      take: (now) => chats.take(accountId, now, now + chatPaceMs),
      send: (_, facts) => send(facts)
    }
    return way
  })

  if (mailer === null && messenger === null) return null
  return (channel: NoticeChannel, account: Account) =>
    channel === "letter" ? Effect.succeed(byLetter(account)) : byChat(account)
})
