/** Use-cases of notices: each member reads and changes their own wishes, and sees whether messages arrive. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../audit/Audit.ts"
import type { Desk } from "../cabinet/Desks.ts"
import { FieldRefused } from "../error/Refusals.ts"
import { FeedStore } from "../feed/FeedStore.ts"
import { Mailer } from "../mail/Mailer.ts"
import { DirectoryStore } from "../merchant/DirectoryStore.ts"
import { type ChatView, MessengerLinks } from "../messenger/MessengerLinks.ts"
import { inRealTime } from "../time/SandboxClocks.ts"
import type { JsonObject } from "../value/Checks.ts"
import { Ids } from "../value/Ids.ts"
import type { NoticeChannel } from "./NoticeKinds.ts"
import { type NoticeKey, type NoticeLine, type NoticeWish, newLine, rewished, tested } from "./NoticeLine.ts"
import { checkChannel, checkWish } from "./NoticeRequests.ts"
import { NoticeStore } from "./NoticeStore.ts"

/** A member's wishes, and the ways there are to them. */
export interface NoticeView {
  readonly lines: ReadonlyArray<NoticeLine>
  /** Where letters go; null: the member has no address. */
  readonly email: string | null
  /** Whether letters are sent at all. */
  readonly hasLetters: boolean
  readonly chat: ChatView
}

const make = Effect.gen(function* () {
  const store = yield* NoticeStore
  const feed = yield* FeedStore
  const directory = yield* DirectoryStore
  const links = yield* MessengerLinks
  const ids = yield* Ids
  const hasLetters = Option.isSome(yield* Effect.serviceOption(Mailer))
  const now = inRealTime(Clock.currentTimeMillis)

  const get = Effect.fn("Notices.get")(function* ({ organization, accountId, mode }: Desk) {
    const lines = yield* store.list({ organizationId: organization.id, accountId, mode })
    const account = yield* directory.account({ id: accountId })
    const email = Option.match(account, { onNone: () => null, onSome: (one) => one.email })
    return { lines, email, hasLetters, chat: yield* links.get(accountId) } satisfies NoticeView
  })

  const noted = ({ organizationId, accountId, mode, channel }: NoticeKey, action: "notices.chosen" | "notices.ended") =>
    recordOf(ids, { action, organizationId, subject: accountId, detail: `${mode} ${channel}` })

  const write = Effect.fnUntraced(function* (key: NoticeKey, wish: NoticeWish | null) {
    const line = Option.getOrNull(yield* store.find(key))
    if (wish === null) return line === null || (yield* store.remove(key, yield* noted(key, "notices.ended")))
    const { organizationId, mode } = key
    const start = { since: Number.MAX_SAFE_INTEGER }
    const query = { organizationId, mode, connectionId: null, start, types: [], limit: 1, lookAt: 1 }
    const { cursor } = yield* feed.read(query)
    const [audit, at] = [yield* noted(key, "notices.chosen"), yield* now]
    return line === null
      ? yield* store.add(newLine(key, wish, cursor, at), audit)
      : yield* store.replace(rewished(line, wish, cursor, at), audit)
  })

  const keyOf = ({ organization, accountId, mode }: Desk, channel: NoticeChannel): NoticeKey => ({
    organizationId: organization.id,
    accountId,
    mode,
    channel
  })

  const choose = Effect.fn("Notices.choose")(function* (desk: Desk, asked: string, body: JsonObject) {
    const channel = yield* Effect.fromResult(checkChannel(asked))
    const wish = yield* Effect.fromResult(checkWish(body))
    const { email } = yield* get(desk)
    if (wish !== null && channel === "letter" && email === null) {
      return yield* new FieldRefused({ code: "invalid_email" })
    }
    // It fails only as often as the line's agent, or another choice, was first.
    while (!(yield* write(keyOf(desk, channel), wish))) yield* Effect.yieldNow
    return yield* get(desk)
  })

  const test = Effect.fn("Notices.test")(function* (desk: Desk, asked: string) {
    const channel = yield* Effect.fromResult(checkChannel(asked))
    const again = Effect.gen(function* () {
      const line = Option.getOrNull(yield* store.find(keyOf(desk, channel)))
      if (line === null) return yield* new FieldRefused({ code: "invalid_request" })
      const at = yield* now
      const isTooSoon = line.status !== "given_up" && line.notBefore > at
      return line.gathered.isTest || isTooSoon || (yield* store.replace(tested(line, at)))
    })
    while (!(yield* again)) yield* Effect.yieldNow
    return yield* get(desk)
  })

  return {
    /** The member's wishes in the mode, and the ways to them. */
    get,
    /** Changes what the member is told through a channel from now on; without kinds it ends. Twice is as once. */
    choose,
    /**
     * Has a message sent that says nothing but that it arrives; quiet hours do not hold it. Within a minute of another
     * message it does nothing.
     */
    test
  }
})

/** The use-cases of notices. */
export class Notices extends Context.Service<Notices, Effect.Success<typeof make>>()("@tolem/core/Notices") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Notices, make)
}
