import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import {
  type EndpointHealth,
  healthAfter,
  healthy,
  longestPauseMs,
  outcomeOf
} from "../../../src/webhook/sending/EndpointHealth.ts"
import { AttemptOutcome } from "../../../src/webhook/WebhookStore.ts"
import { now } from "../../invoice/given.ts"

const policy = defaults.webhook
const minutes = 60_000
const failed = (number: number, health: EndpointHealth = healthy, endedAt = now) =>
  outcomeOf({ number, claimedAt: health.pauseCount, delivered: false, endedAt }, health, policy)

describe("retry policy", () => {
  it("waits 10 seconds to 1 hour between 12 attempts, about 2 hours in all", () => {
    const waits = Array.from({ length: 11 }, (_, index) => {
      const outcome = failed(index + 1)
      return outcome._tag === "Retry" ? (outcome.dueAt - now) / 1000 : outcome._tag
    })
    assert.deepStrictEqual(waits, [10, 20, 30, 60, 90, 120, 300, 600, 900, 1800, 3600])
    assert.deepStrictEqual(failed(12), AttemptOutcome.Failed({ pauseUntil: null }))
  })

  it("pauses after the fifth failure in a row, and again at once after a failed probe, ever longer", () => {
    let health = healthy
    let at = now
    const pauses: Array<number | null> = []
    for (let number = 1; number <= 12; number++) {
      const outcome = failed(1, health, at)
      const pauseUntil = outcome._tag === "Delivered" ? null : outcome.pauseUntil
      pauses.push(pauseUntil === null ? null : (pauseUntil - at) / minutes)
      health = healthAfter({ outcome, claimedAt: health.pauseCount }, health)
      at = health.pausedUntil ?? at
    }
    assert.deepStrictEqual(pauses, [null, null, null, null, 10, 20, 30, 40, 50, 50, 50, 50])
  })

  it("starts afresh after a success", () => {
    const health = { failureCount: 7, pauseCount: 3, pausedUntil: now - 1 }
    const outcome = outcomeOf({ number: 4, claimedAt: 3, delivered: true, endedAt: now }, health, policy)
    assert.deepStrictEqual(outcome, AttemptOutcome.Delivered())
    assert.deepStrictEqual(healthAfter({ outcome, claimedAt: health.pauseCount }, health), healthy)
  })

  it("neither lengthens a pause nor counts from it for attempts that began before it", () => {
    const health = { failureCount: 5, pauseCount: 1, pausedUntil: now + 10 * minutes }
    assert.deepStrictEqual(failed(1, health), AttemptOutcome.Retry({ dueAt: now + 10_000, pauseUntil: null }))
    assert.deepStrictEqual(failed(11, health), AttemptOutcome.Retry({ dueAt: now + 60 * minutes, pauseUntil: null }))
    assert.deepStrictEqual(failed(12, health), AttemptOutcome.Failed({ pauseUntil: null }))
  })

  it("starts no other pause for attempts that were claimed before the newest one, also after its end", () => {
    const health = { failureCount: 5, pauseCount: 1, pausedUntil: now - 1 }
    const outcome = outcomeOf({ number: 1, claimedAt: 0, delivered: false, endedAt: now }, health, policy)
    assert.deepStrictEqual(outcome, AttemptOutcome.Retry({ dueAt: now + 10_000, pauseUntil: null }))
    // What another server has decided, that did not know of the pause.
    const unaware = AttemptOutcome.Retry({ dueAt: now + 10_000, pauseUntil: now + minutes })
    assert.deepStrictEqual(healthAfter({ outcome: unaware, claimedAt: 0 }, health), { ...health, failureCount: 6 })
    assert.deepStrictEqual(healthAfter({ outcome: AttemptOutcome.Delivered(), claimedAt: 0 }, health), healthy)
  })

  it("shortens no pause that was prolonged for a probe", () => {
    const health = { failureCount: 5, pauseCount: 1, pausedUntil: now + 10 * minutes }
    const outcome = AttemptOutcome.Failed({ pauseUntil: now + minutes })
    const after = { failureCount: 6, pauseCount: 2, pausedUntil: now + 10 * minutes }
    assert.deepStrictEqual(healthAfter({ outcome, claimedAt: 1 }, health), after)
  })

  it.prop(
    "keeps what the check of the data asks of every endpoint",
    {
      attempts: Schema.Array(
        Schema.Struct({
          delivered: Schema.Boolean,
          lag: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
          passedMs: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 * minutes }))
        })
      )
    },
    ({ attempts }) => {
      let health = healthy
      let endedAt = now
      for (const { delivered, lag, passedMs } of attempts) {
        endedAt += passedMs
        const claimedAt = Math.max(0, health.pauseCount - lag)
        const outcome = outcomeOf({ number: 1, claimedAt, delivered, endedAt }, health, policy)
        health = healthAfter({ outcome, claimedAt }, health)
        assert.isAtLeast(health.failureCount, health.pauseCount)
        assert.strictEqual(health.pausedUntil !== null, health.pauseCount > 0)
        assert.isAtMost(health.pausedUntil ?? 0, endedAt + longestPauseMs)
      }
    }
  )

  it.prop(
    "a pause uses no attempt up",
    {
      number: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 15 })),
      failureCount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
      pauseCount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
    },
    ({ number, failureCount, pauseCount }) => {
      const outcome = failed(number, { failureCount, pauseCount, pausedUntil: null })
      const waitMs = policy.retryWaitsMs[number - 1]
      assert.strictEqual(outcome._tag, waitMs === undefined ? "Failed" : "Retry")
      if (outcome._tag !== "Retry" || waitMs === undefined) return
      assert.strictEqual(outcome.dueAt, now + waitMs)
      assert.strictEqual(outcome.pauseUntil !== null, pauseCount > 0 || failureCount >= 4)
    }
  )
})
