/**
 * Agent: hears what people write to the bot. One server at a time reads; what it has read is noted when it was dealt
 * with, so a message may be heard twice after a crash, which changes nothing the second time.
 */
import { Clock, Effect, Layer, Option } from "effect"
import { shareOf } from "../value/CommonSettings.ts"
import * as Watcher from "../work/Watcher.ts"
import { Messenger } from "./Messenger.ts"
import { MessengerLinkStore, type ReadingTerm } from "./MessengerLinkStore.ts"
import { MessengerLinks } from "./MessengerLinks.ts"

/** A messenger holds a question this long before it answers that there is nothing. */
const waitMs = 25_000
const leaseMs = 90_000
const stopGraceMs = 3_000

const answers = {
  linked: "Төлем: хабарландырулар осында келеді. Тоқтату: /stop\nTölem: уведомления приходят сюда. Остановить: /stop",
  ended: "Төлем: хабарландырулар тоқтатылды.\nTölem: уведомления остановлены."
} as const

/** Runs for as long as the layer is open; without a `Messenger` there is nothing to hear. */
export const layer: Layer.Layer<never, never, MessengerLinkStore | MessengerLinks> = Layer.effectDiscard(
  Effect.gen(function* () {
    const messenger = yield* Effect.serviceOption(Messenger)
    if (Option.isSome(messenger)) yield* listen(messenger.value)
  })
)

const listen = Effect.fnUntraced(function* (messenger: Messenger["Service"]) {
  const store = yield* MessengerLinkStore
  const links = yield* MessengerLinks
  const { pollMs } = (yield* shareOf({ mail: { pollMs: 2_000 } })).mail

  const act = Effect.fnUntraced(function* (term: ReadingTerm) {
    const updates = yield* messenger.updates(term.offset, waitMs)
    if (updates._tag === "Failed") {
      yield* Effect.logWarning(`MessengerListener: ${updates.reason}`)
      yield* store.noteReading(term, term.offset, (yield* Clock.currentTimeMillis) + updates.waitMs)
      return
    }
    for (const { chatId, text } of updates.incoming) {
      const became = yield* links.heard(chatId, text)
      // An answer that does not arrive changes nothing: the cabinet says the same.
      if (became !== null) yield* messenger.send(chatId, answers[became])
    }
    yield* store.noteReading(term, updates.next, yield* Clock.currentTimeMillis)
  })

  // A place beside the running one, so that the loop waits its time out and does not turn while a question is held.
  const places = { batchSize: 1, atOnce: 2 }
  const claim = (now: number, until: number) => store.leaseReading(now, until)
  const times = { pollMs, leaseMs, graceMs: stopGraceMs }
  yield* Watcher.run({ name: "MessengerListener", ...times, ...places, claim, act })
})
