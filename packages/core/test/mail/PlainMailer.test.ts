import { describe, it } from "@effect/vitest"
import type { MailId } from "@tolem/core/value/Ids"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { HandOver, Mailer } from "../../src/mail/Mailer.ts"
import { defineMailer, type MailerDefinition } from "../../src/mail/PlainMailer.ts"

const letter = { id: "mai_1" as MailId, to: "a@shop.kz", subject: "Receipt", text: "Paid", html: "<p>Paid</p>" }

const sent = (send: MailerDefinition["send"]) =>
  Mailer.use((mailer) => mailer.send(letter)).pipe(Effect.provide(defineMailer({ send })))

const unknown = HandOver.Unknown({ reason: "the mailer has not said whether it was taken" })

describe("a mailer in plain promises", () => {
  it.effect("takes a letter, says that it does not, or leaves open whether it did", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const taken = yield* sent(async (given) => void seen.push(given))
      assert.deepStrictEqual([taken, seen], [HandOver.Taken(), [letter]])
      const full = yield* sent(async () => ({ rejected: "the mailbox is full", retryable: true }))
      assert.deepStrictEqual(full, HandOver.Rejected({ reason: "the mailbox is full", retryable: true }))
      const wrong = yield* sent(async () => ({ rejected: "there is no such address" }))
      assert.deepStrictEqual(wrong, HandOver.Rejected({ reason: "there is no such address", retryable: false }))
      assert.deepStrictEqual(yield* sent(() => Promise.reject(new Error("key 123 is wrong"))), unknown)
      const thrown = yield* sent(() => {
        throw new Error("key 123 is wrong")
      })
      assert.deepStrictEqual(thrown, unknown)
    })
  )

  it.effect("is ended after a minute at most", () =>
    Effect.gen(function* () {
      let aborted = false
      const fiber = yield* Effect.forkChild(
        sent(
          (_, { signal }) =>
            new Promise(() => {
              signal.addEventListener("abort", () => {
                aborted = true
              })
            })
        )
      )
      yield* TestClock.adjust("60 seconds")
      assert.deepStrictEqual(yield* Fiber.join(fiber), unknown)
      assert.isTrue(aborted)
    })
  )
})
