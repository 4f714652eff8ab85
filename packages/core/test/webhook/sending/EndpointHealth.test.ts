import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import { type EndpointHealth, healthAfter, outcomeOf } from "../../../src/webhook/sending/EndpointHealth.ts"
import { AttemptOutcome } from "../../../src/webhook/WebhookStore.ts"
import { now } from "../../invoice/given.ts"

const policy = defaults.webhook
const minutes = 60_000
const healthy: EndpointHealth = { failureCount: 0, pauseCount: 0, pausedUntil: null }

const failed = (number: number, health: EndpointHealth = healthy, endedAt = now) =>
  outcomeOf({ number, delivered: false, endedAt }, health, policy)

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
      health = healthAfter(outcome, health)
      at = health.pausedUntil ?? at
    }
    assert.deepStrictEqual(pauses, [null, null, null, null, 10, 20, 30, 40, 50, 50, 50, 50])
  })

  it("starts afresh after a success", () => {
    const health = { failureCount: 7, pauseCount: 3, pausedUntil: now - 1 }
    const outcome = outcomeOf({ number: 4, delivered: true, endedAt: now }, health, policy)
    assert.deepStrictEqual(outcome, AttemptOutcome.Delivered())
    assert.deepStrictEqual(healthAfter(outcome, health), healthy)
  })

  it("neither lengthens a pause nor counts from it for attempts that began before it", () => {
    const health = { failureCount: 5, pauseCount: 1, pausedUntil: now + 10 * minutes }
    assert.deepStrictEqual(failed(1, health), AttemptOutcome.Retry({ dueAt: now + 10_000, pauseUntil: null }))
    assert.deepStrictEqual(failed(11, health), AttemptOutcome.Retry({ dueAt: now + 60 * minutes, pauseUntil: null }))
    assert.deepStrictEqual(failed(12, health), AttemptOutcome.Failed({ pauseUntil: null }))
  })

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
