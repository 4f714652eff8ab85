/**
 * Login codes by e-mail, to the address that the account of the phone has. Whether it has one must not be told: each
 * code takes a place in the same line before anything is looked up, and is answered then.
 */
import { Clock, Effect, Option, Queue, Redacted } from "effect"
import { HandOver, Mailer } from "../mail/Mailer.ts"
import { DirectoryStore } from "../merchant/DirectoryStore.ts"
import { Ids } from "../value/Ids.ts"
import type { CodeChannel, CodeMessage } from "./CodeChannel.ts"
import * as CodeLetter from "./CodeLetter.ts"
import { LoginSettings } from "./LoginSettings.ts"

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
  const line = yield* Queue.dropping<CodeMessage>(waiting)

  const deliver = Effect.fnUntraced(function* ({ phone, code, expiresAt }: CodeMessage) {
    const account = Option.getOrUndefined(yield* directory.account({ phone }))
    const email = account?.email ?? null
    if (email === null || expiresAt <= (yield* Clock.currentTimeMillis)) return
    // An id of its own: that of the login, in a header of the letter, would tell it to those who carry the letter.
    const letter = CodeLetter.render({ id: yield* ids.next("mai"), to: email, code: Redacted.value(code) })
    const outcome = yield* mailer.send(letter)
    if (HandOver.$is("Taken")(outcome)) return
    yield* Effect.logWarning(`EmailCodes: a code was not sent: ${outcome.reason}`)
  })

  const work = Queue.take(line).pipe(
    Effect.flatMap((message) =>
      Effect.catchCause(deliver(message), (cause) => Effect.logError("EmailCodes: a code was not sent", cause))
    ),
    Effect.forever
  )
  yield* Effect.forEach(Array.from({ length: atOnce }), () => Effect.forkScoped(work), { discard: true })

  const send: CodeChannel["send"] = (message) =>
    Effect.map(Queue.offer(line, message), (isTaken) => (isTaken ? "sent" : "failed"))
  return send
})
