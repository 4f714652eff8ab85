/** Promises about attempts and their bodies, which go before their deliveries. */
import type { Delivery } from "@tolem/core/webhook/Webhook"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { attemptOf, startAt, testDeliveryOf } from "../fixtures.ts"
import { attempted, attemptsOf, findings, listening, minute, paid, taken } from "./Ages.ts"
import { storageSubject } from "./StorageCase.ts"

const { Delivered, Retry } = AttemptOutcome

const kept = "kept"
const none = "none"

/** Of each attempt of a delivery, whether there are bodies of it; what is neither is told. */
const bodiesOf = ({ id, endpointId }: Delivery) =>
  WebhookStore.use((store) =>
    Effect.map(store.delivery(endpointId, id), (found) =>
      Option.toArray(found).flatMap(({ attempts }) =>
        attempts.map(({ requestBody, responseBody }) => {
          if (requestBody === attemptOf().requestBody && responseBody !== null) return kept
          return requestBody === null && responseBody === null ? none : `${requestBody} ${responseBody}`
        })
      )
    )
  )

/** What every storage must do, of “what is kept of attempts”. */
export const casesOfAttemptAges = storageSubject("what is kept of attempts", {
  *"of attempts goes after the instant that they began, and their deliveries stay"() {
    yield* listening()
    yield* paid()
    const store = yield* WebhookStore
    const [first, second, third] = [startAt + 2000, startAt + minute, startAt + 2 * minute] as const
    const [delivery] = yield* attempted(first, 1, Retry({ dueAt: second, pauseUntil: null }))
    yield* attempted(second, 2, Retry({ dueAt: third, pauseUntil: null }))
    expectEqual(yield* store.forgetAttempts(first, 9), 0, "not at the instant")
    expectEqual(yield* store.forgetAttempts(first + 1, 9), 1, "but a millisecond later")
    expectEqual(yield* attemptsOf(delivery!), [2], "the younger one stays")
    expectEqual(yield* findings, [], "and nothing is missed")
    const again = yield* attempted(third, 3, Delivered())
    expectEqual(again[0]?.attemptCount, 2, "it goes on where it was")
    expectEqual(yield* store.forgetAttempts(third + 1, 1), 1, "a portion, the oldest first")
    expectEqual(yield* attemptsOf(delivery!), [3], "the newest stays")
    expectEqual(yield* findings, [], "and still nothing is missed")
    expectEqual(yield* store.forgetAttempts(third + 1, 9), 1, "the rest")
    expectEqual(yield* store.forgetAttempts(third + 1, 9), 0, "and no more")
    expectEqual(yield* attemptsOf(delivery!), [], "the delivery stays, without its log")
    expectEqual(yield* findings, [], "and the checks know why")
  },

  *"of bodies goes after the instant that their attempts began, and the attempts stay"() {
    yield* listening()
    yield* paid()
    const store = yield* WebhookStore
    const [first, second, third] = [startAt + 2000, startAt + minute, startAt + 2 * minute] as const
    const [delivery] = yield* attempted(first, 1, Retry({ dueAt: second, pauseUntil: null }))
    yield* attempted(second, 2, Retry({ dueAt: third, pauseUntil: null }))
    const emptied = (before: number) => store.forgetBodies({ before, limit: 9, after: null })
    expectEqual(yield* emptied(first), { removed: 0, next: null }, "not at the instant")
    expectEqual(yield* bodiesOf(delivery!), [kept, kept], "all are there")
    expectEqual(yield* emptied(first + 1), { removed: 1, next: null }, "but a millisecond later")
    expectEqual(yield* bodiesOf(delivery!), [none, kept], "the younger one's stay")
    expectEqual(yield* emptied(first + 1), { removed: 0, next: null }, "none is emptied twice")
    yield* attempted(third, 3, Delivered())
    expectEqual(yield* emptied(third + 1), { removed: 2, next: null }, "goes on where it was")
    expectEqual(yield* emptied(second), { removed: 0, next: null }, "and never back")
    expectEqual(yield* bodiesOf(delivery!), [none, none, none], "all are empty")
    const [log] = yield* Effect.map(store.delivery(delivery!.endpointId, delivery!.id), Option.toArray)
    expectEqual(
      log!.attempts.map(({ status, url }) => [status, url]),
      [attemptOf(), attemptOf(), attemptOf(taken)].map(({ status, url }) => [status, url]),
      "the rest stays"
    )
    expectEqual(yield* findings, [], "and nothing is missed")
    expectEqual(yield* store.forgetAttempts(third + 1, 9), 3, "they go as others do")
    expectEqual(yield* findings, [], "and are not missed either")
  },

  *"of bodies goes portion by portion, also of many that began at once"() {
    const endpoint = yield* listening()
    const store = yield* WebhookStore
    for (let n = 0; n < 5; n++) yield* store.addDelivery(testDeliveryOf(endpoint))
    const deliveries = yield* attempted(startAt + 2000, 1, Delivered())
    expectEqual(deliveries.length, 5, "five at once")
    const before = startAt + 2001
    const one = yield* store.forgetBodies({ before, limit: 2, after: null })
    expectEqual(one.removed, 2, "a portion")
    const two = yield* store.forgetBodies({ before, limit: 2, after: one.next })
    expectEqual(two.removed, 2, "the next one")
    const anew = yield* store.forgetBodies({ before, limit: 2, after: null })
    expectEqual([anew.removed, anew.next === null], [0, false], "a sweep that was cut off looks from that instant on")
    const all = yield* Effect.all(
      [two.next, two.next].map((after) => store.forgetBodies({ before, limit: 2, after })),
      { concurrency: "unbounded" }
    )
    expectEqual(sum(all.map(({ removed }) => removed)), 1, "two sweeps at once share the rest")
    expectEqual((yield* store.forgetBodies({ before, limit: 2, after: null })).next, null, "it has come to the end")
    const left = yield* Effect.forEach(deliveries, bodiesOf)
    expectEqual(left, [[none], [none], [none], [none], [none]], "of all")
  }
})

const sum = (steps: ReadonlyArray<number>) => steps.reduce((total, step) => total + step, 0)
