/** Use-cases of people's chats with the bot: each person sees and changes their own. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { recordOf } from "../audit/Audit.ts"
import { inRealTime } from "../time/SandboxClocks.ts"
import { type AccountId, Ids } from "../value/Ids.ts"
import { Messenger } from "./Messenger.ts"
import { askedAgain, begunIn, codeMs, endedBy, type MessengerLink, newLink } from "./MessengerLink.ts"
import { MessengerLinkStore } from "./MessengerLinkStore.ts"

/** What opens a chat with the bot, shown once. */
export interface ChatInvitation {
  /** The address that begins the chat: the code is a part of it. */
  readonly url: string
  /** What the person sends where the address does not. */
  readonly command: string
  readonly until: number
}

/** A chat as its person is shown it. */
export interface ChatView {
  /** Whether there is a messenger at all. */
  readonly isOffered: boolean
  readonly row: MessengerLink | null
}

const randomBytes = 16
const turns = 5
const utf8 = new TextEncoder()
const startForm = /^\/start ([A-Za-z0-9_-]{22})$/
const stopForm = /^\/stop(?:@[A-Za-z0-9_]{1,64})?$/

const make = Effect.gen(function* () {
  const store = yield* MessengerLinkStore
  const ids = yield* Ids
  const random = yield* SecureRandom.SecureRandom
  const digest = yield* Digest.Digest
  const messenger = Option.getOrNull(yield* Effect.serviceOption(Messenger))
  const now = inRealTime(Clock.currentTimeMillis)
  const digestOf = (code: string) => digest.digestHex(Digest.sha256, utf8.encode(code))
  const noted = (action: "messenger.linked" | "messenger.ended", subject: AccountId, detail: string | null = null) =>
    recordOf(ids, { action, organizationId: null, subject, detail })

  const get = Effect.fn("MessengerLinks.get")(function* (accountId: AccountId) {
    const row = Option.getOrNull(yield* store.find(accountId))
    return { isOffered: messenger !== null, row } satisfies ChatView
  })

  const write = Effect.fnUntraced(function* (accountId: AccountId, codeDigest: string) {
    for (let turn = 0; turn < turns; turn++) {
      const row = Option.getOrNull(yield* store.find(accountId))
      const at = yield* now
      const isWritten =
        row === null
          ? yield* store.add(newLink(accountId, codeDigest, at))
          : yield* store.replace(askedAgain(row, codeDigest, at))
      if (isWritten) return true
    }
    return false
  })

  const invite = Effect.fn("MessengerLinks.invite")(function* (accountId: AccountId) {
    const name = messenger === null ? null : yield* messenger.name
    if (name === null) return null
    const code = Base64Url.encode(yield* random.randomBytes(randomBytes))
    const until = (yield* now) + codeMs
    if (!(yield* write(accountId, yield* digestOf(code)))) return null
    const invitation: ChatInvitation = { url: `https://t.me/${name}?start=${code}`, command: `/start ${code}`, until }
    return invitation
  })

  const leave = Effect.fn("MessengerLinks.leave")(function* (accountId: AccountId) {
    yield* store.remove(accountId, yield* noted("messenger.ended", accountId, "left"))
  })

  const heard = Effect.fn("MessengerLinks.heard")(function* (chatId: string, text: string) {
    const code = startForm.exec(text)?.[1]
    if (code !== undefined) {
      const row = Option.getOrNull(yield* store.findByCode(yield* digestOf(code)))
      const next = row === null ? null : begunIn(row, chatId, yield* now)
      if (next === null) return null
      return (yield* store.replace(next, yield* noted("messenger.linked", next.accountId))) ? "linked" : null
    }
    if (!stopForm.test(text)) return null
    const rows = yield* store.ofChat(chatId)
    for (const row of rows) {
      yield* store.replace(endedBy(row, "stopped"), yield* noted("messenger.ended", row.accountId, "stopped"))
    }
    return rows.length > 0 ? "ended" : null
  })

  const blocked = Effect.fnUntraced(function* (row: MessengerLink) {
    yield* store.replace(endedBy(row, "blocked"), yield* noted("messenger.ended", row.accountId, "blocked"))
  })

  return {
    /** The person's own chat. */
    get,
    /** What begins a chat of the person's; an earlier code is void. Null: the messenger cannot be asked. */
    invite,
    /** Forgets the chat. Twice is as once. */
    leave,
    /** What a text from a chat of one person changes: `linked`, `ended`, or null: nothing, to be left unanswered. */
    heard,
    /** Ends a chat whose person takes no messages any more; nothing if it has changed since. */
    blocked
  }
})

/** The use-cases of chats. */
export class MessengerLinks extends Context.Service<MessengerLinks, Effect.Success<typeof make>>()(
  "@tolem/core/MessengerLinks"
) {
  /** The use-cases over the store. Without a `Messenger` no chat is offered. */
  static readonly layer = Layer.effect(MessengerLinks, make)
}
