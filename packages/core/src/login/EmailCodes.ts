/**
 * Login codes by e-mail, to the address that the account of the phone has. Whether it has one must not be told: each
 * code takes a place in the same line before anything is looked up, and is answered then. Notices to addresses that an
 * account has no longer go the same way.
 */
import { Clock, Effect, Option, Queue, Redacted } from "effect"
import { HandOver, type Letter, Mailer } from "../mail/Mailer.ts"
import { DirectoryStore } from "../merchant/DirectoryStore.ts"
import { Ids } from "../value/Ids.ts"
import * as AddressNotice from "./AddressNotice.ts"
import type { CodeMessage } from "./CodeChannel.ts"
import * as CodeLetter from "./CodeLetter.ts"
import { LoginSettings } from "./LoginSettings.ts"

interface PostedCode extends CodeMessage {
  /** Where it goes; null: to the address of the account that has the phone. */
  readonly email: string | null
}

type PostedNotice = Omit<AddressNotice.NoticeFacts, "id">

/**
 * Sends codes for as long as the scope is open, a few at once; null without a `Mailer`. `failed`: the line is full, for
 * each phone alike. What becomes of a code that was taken is logged, and no one who asks for it is told.
 */
export const make = Effect.gen(function* () {
  const mailer = Option.getOrNull(yield* Effect.serviceOption(Mailer))
  if (mailer === null) return null
  const directory = yield* DirectoryStore
  const ids = yield* Ids
  const { atOnce, waiting } = (yield* LoginSettings).login.email
  const line = yield* Queue.dropping<PostedCode | PostedNotice>(waiting)

  const addressOf = (phone: string) =>
    Effect.map(directory.account({ phone }), (found) => Option.getOrUndefined(found)?.email ?? null)

  const send = Effect.fnUntraced(function* (what: string, letter: Letter) {
    const outcome = yield* mailer.send(letter)
    if (HandOver.$is("Taken")(outcome)) return
    yield* Effect.logWarning(`EmailCodes: ${what} was not sent: ${outcome.reason}`)
  })

  const deliverCode = Effect.fnUntraced(function* ({ phone, email: given, code, expiresAt }: PostedCode) {
    const email = given ?? (yield* addressOf(phone))
    if (email === null || expiresAt <= (yield* Clock.currentTimeMillis)) return
    // An id of its own: that of the login, in a header of the letter, would tell it to those who carry the letter.
    yield* send("a code", CodeLetter.render({ id: yield* ids.next("mai"), to: email, code: Redacted.value(code) }))
  })

  const deliver = Effect.fnUntraced(function* (posted: PostedCode | PostedNotice) {
    if ("code" in posted) return yield* deliverCode(posted)
    yield* send("a notice", AddressNotice.render({ id: yield* ids.next("mai"), ...posted }))
  })

  const work = Queue.take(line).pipe(
    Effect.flatMap((posted) =>
      Effect.catchCause(deliver(posted), (cause) => Effect.logError("EmailCodes: a letter was not sent", cause))
    ),
    Effect.forever
  )
  yield* Effect.forEach(Array.from({ length: atOnce }), () => Effect.forkScoped(work), { discard: true })

  return {
    /** Sends a code to the account's address, or to `email`. */
    send: (message: CodeMessage, email: string | null = null): Effect.Effect<"sent" | "failed"> =>
      Effect.map(Queue.offer(line, { ...message, email }), (isTaken) => (isTaken ? "sent" : "failed")),
    /** Tells an address that it is the account's no longer. */
    tell: (notice: PostedNotice): Effect.Effect<void> => Effect.asVoid(Queue.offer(line, notice))
  }
})

/** What sends them. */
export type EmailCodes = NonNullable<Effect.Success<typeof make>>
